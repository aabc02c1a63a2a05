import { KEPT_BODY_BYTES } from '../core/monitors/ping.ts'

/** A longer body closes the connection after the response; up to this length it can serve the next ping. */
const MAX_READ_BODY_BYTES = 16_000_000

/** Reads as much of a ping's body as is stored; null when there is none. */
export async function readStart(request: Request): Promise<Buffer | null> {
  if (!mayHaveBody(request)) return null
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      if (length < KEPT_BODY_BYTES) chunks.push(chunk)
      length += chunk.length
      if (length >= MAX_READ_BODY_BYTES) break
    }
  } catch (error) {
    // A client that disconnects midway has pinged all the same; part of its body may be lost.
    if (!request.signal.aborted) throw error
  }
  return length > 0 ? Buffer.concat(chunks).subarray(0, KEPT_BODY_BYTES) : null
}

/** Most pings have no body, and accessing the request's body would cost as much as the rest of its handling. */
function mayHaveBody({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0
}

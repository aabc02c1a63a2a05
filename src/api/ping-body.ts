import { KEPT_BODY_BYTES } from '../core/monitors/ping.ts'

/** A longer body ends the connection after the answer; up to here it serves the next ping, too. */
const READ_BODY_BYTES = 16_000_000

/** As much of a ping's body as is kept; null where there is none. */
export async function readStart(request: Request): Promise<Buffer | null> {
  if (!mayHaveBody(request)) return null
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      if (length < KEPT_BODY_BYTES) chunks.push(chunk)
      length += chunk.length
      if (length >= READ_BODY_BYTES) break
    }
  } catch (error) {
    // Who goes away in the middle of what it has to say has pinged all the same; what had come may be lost.
    if (!request.signal.aborted) throw error
  }
  return length > 0 ? Buffer.concat(chunks).subarray(0, KEPT_BODY_BYTES) : null
}

/** Most pings have none; asking the request for its body would cost as much as the rest of its handling. */
function mayHaveBody({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0
}

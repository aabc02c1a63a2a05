import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { codeOf } from '../net/own-trouble.ts'
import { decodeContent, isCutShort } from './content-encoding.ts'
import { createTextSearch } from './text-search.ts'

/** Applies to the body both as sent and as decoded, so that neither a zip bomb nor an empty block can exceed it. */
const MAX_BODY_BYTES = 2 * 1_024 * 1_024

export type BodySearch =
  | { kind: 'found' }
  /** `bytes` counts the decoded body as far as it was read. */
  | { kind: 'absent'; bytes: number }
  | { kind: 'undecodable'; encoding: string; why: string }
  | { kind: 'broken'; error: Error }

/** Searches a body as it arrives and reads no further than needed; calls `onBytes` for each piece. */
export async function searchBody(
  response: IncomingMessage,
  keyword: string,
  onBytes: () => void,
): Promise<BodySearch> {
  const encoding = response.headers['content-encoding'] ?? ''
  const sent: Buffer[] = []
  const raw = Readable.from(atMost(response, MAX_BODY_BYTES, encoding === '' ? null : sent), {
    objectMode: false,
  })
  const search = createTextSearch(keyword, response.headers['content-type'] ?? '')
  let bytes = 0
  try {
    const body = await decodeContent(raw, encoding)
    if (body === null) return { kind: 'undecodable', encoding, why: 'unknown encoding' }
    for await (const chunk of atMost(body, MAX_BODY_BYTES)) {
      onBytes()
      bytes += chunk.length
      if (search.add(chunk)) return { kind: 'found' }
    }
    if (search.end()) return { kind: 'found' }
    const isEnough = bytes === MAX_BODY_BYTES || sizeOf(sent) === MAX_BODY_BYTES
    if (!isEnough && (await isCutShort(sent, encoding)))
      return { kind: 'undecodable', encoding, why: 'cut short' }
    return { kind: 'absent', bytes }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return isDecoderError(error)
      ? { kind: 'undecodable', encoding, why: error.message.toLowerCase() }
      : { kind: 'broken', error }
  }
}

function sizeOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((bytes, chunk) => bytes + chunk.length, 0)
}

/**
 * Yields the first `limit` bytes of a stream, and destroys it when they are reached or no longer wanted. Also collects
 * them in `kept`, if given.
 */
async function* atMost(
  source: Readable,
  limit: number,
  kept: Buffer[] | null = null,
): AsyncGenerator<Buffer> {
  let left = limit
  for await (const chunk of source) {
    const wanted: Buffer = chunk.subarray(0, left)
    left -= wanted.length
    kept?.push(wanted)
    yield wanted
    if (left === 0) return
  }
}

/** Errors of zlib: `Z_DATA_ERROR`, brotli's `ERR__ERROR_FORMAT_…`, `ZSTD_error_…`. */
function isDecoderError(error: Error): boolean {
  return /^(Z_|ZSTD_|ERR_(_|BROTLI|ZSTD|PADDING))/.test(codeOf(error))
}

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { codeOf } from '../net/own-trouble.ts'
import { decodeContent, isCutShort } from './content-encoding.ts'
import { createTextSearch } from './text-search.ts'

/** Of the body as sent and of the body decoded alike, so that no bomb and no empty block can outgrow it. */
const MAX_BODY_BYTES = 2 * 1_024 * 1_024

export type BodySearch =
  | { kind: 'found' }
  /** `bytes` counts the decoded body as far as it was read. */
  | { kind: 'absent'; bytes: number }
  | { kind: 'undecodable'; encoding: string; why: string }
  | { kind: 'broken'; error: Error }

/** Searches a body while it arrives, and reads no further than it must; `onBytes` is called whenever some came. */
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
 * The first `limit` bytes of a stream, which is destroyed when they are reached or no longer wanted; kept in `kept`,
 * too, if that is given.
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

/** zlib's own: `Z_DATA_ERROR`, `ERR__ERROR_FORMAT_…` of brotli, `ZSTD_error_…`. */
function isDecoderError(error: Error): boolean {
  return /^(Z_|ZSTD_|ERR_(_|BROTLI|ZSTD|PADDING))/.test(codeOf(error))
}

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { codeOf } from '../../net/own-trouble.ts'
import { decodeContent, isCutShort } from './content-encoding.ts'
import { createTextSearch } from './text-search.ts'

/** Applies to the body both as sent and as decoded, so that neither a zip bomb nor an empty block can exceed it. */
const MAX_BODY_BYTES = 2 * 1_024 * 1_024

/** A body that could not be read to its end, or to the bound. */
export type UnreadBody =
  | { kind: 'undecodable'; encoding: string; why: string }
  | { kind: 'broken'; error: Error; head: BodyHead }

export type BodySearch =
  | { kind: 'found'; head: BodyHead }
  /** `bytes` counts the decoded body as far as it was read. */
  | { kind: 'absent'; bytes: number; head: BodyHead }
  | UnreadBody

/** The beginning of a decoded body; null when nothing could be decoded. `isWhole`: the body ends there. */
export type BodyHead = { bytes: Buffer; isWhole: boolean } | null

/**
 * Searches a body as it arrives and reads no further than needed; calls `onBytes` for each piece. Without the keyword,
 * the first `kept` bytes are returned.
 */
export async function searchBody(
  response: IncomingMessage,
  keyword: string,
  kept: number,
  onBytes: () => void,
): Promise<BodySearch> {
  const search = createTextSearch(keyword, response.headers['content-type'] ?? '')
  const head = keepHead(kept)
  let bytes = 0
  const read = await readThrough(response, head, (chunk) => {
    onBytes()
    bytes += chunk.length
    return search.add(chunk)
  })
  if (read.kind === 'stopped') return { kind: 'found', head: head.read(false) }
  if (read.kind !== 'end') return read
  if (search.end()) return { kind: 'found', head: head.read(true) }
  return (await read.cutShort()) ?? { kind: 'absent', bytes, head: head.read(true) }
}

/** Reads a body, at most `MAX_BODY_BYTES` of it; calls `onBytes` for each piece. */
export async function readBody(
  response: IncomingMessage,
  onBytes: () => void,
): Promise<{ kind: 'read'; bytes: Buffer } | UnreadBody> {
  const pieces: Buffer[] = []
  const read = await readThrough(response, keepHead(0), (chunk) => {
    onBytes()
    pieces.push(chunk)
    return false
  })
  if (read.kind === 'undecodable' || read.kind === 'broken') return read
  const cut = read.kind === 'end' ? await read.cutShort() : null
  return cut ?? { kind: 'read', bytes: Buffer.concat(pieces) }
}

type ReadThrough =
  /** No more was wanted. */
  | { kind: 'stopped' }
  /** `cutShort`: the encoded body ended before its end, which is asked only where it matters. */
  | { kind: 'end'; cutShort: () => Promise<UnreadBody | null> }
  | UnreadBody

/** Decodes a body as it arrives, up to the bound; `take` returns whether it has seen enough. */
async function readThrough(
  response: IncomingMessage,
  head: ReturnType<typeof keepHead>,
  take: (chunk: Buffer) => boolean,
): Promise<ReadThrough> {
  const encoding = response.headers['content-encoding'] ?? ''
  const sent: Buffer[] = []
  const raw = Readable.from(atMost(response, MAX_BODY_BYTES, encoding === '' ? null : sent), {
    objectMode: false,
  })
  let bytes = 0
  try {
    const body = await decodeContent(raw, encoding)
    if (body === null) return { kind: 'undecodable', encoding, why: 'too many encodings' }
    for await (const chunk of atMost(body, MAX_BODY_BYTES)) {
      bytes += chunk.length
      head.add(chunk)
      if (take(chunk)) return { kind: 'stopped' }
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return isDecoderError(error)
      ? { kind: 'undecodable', encoding, why: error.message.toLowerCase() }
      : { kind: 'broken', error, head: head.read(false) }
  }
  const isEnough = bytes === MAX_BODY_BYTES || sizeOf(sent) === MAX_BODY_BYTES
  return {
    kind: 'end',
    cutShort: async () =>
      !isEnough && (await isCutShort(sent, encoding))
        ? { kind: 'undecodable', encoding, why: 'cut short' }
        : null,
  }
}

/** The bound of a body as it is sent, when only its beginning is wanted. */
const MAX_HEAD_SENT_BYTES = 128 * 1_024

/** Reads the first `kept` bytes of a body, or what of them arrives within `forMs`, and hangs up. */
export async function readHead(response: IncomingMessage, kept: number, forMs: number): Promise<BodyHead> {
  const late = setTimeout(() => response.destroy(), forMs)
  const sent: Buffer[] = []
  const raw = Readable.from(atMost(response, MAX_HEAD_SENT_BYTES, sent), { objectMode: false })
  const head = keepHead(kept)
  try {
    const body = await decodeContent(raw, response.headers['content-encoding'] ?? '')
    if (body === null) return null
    for await (const chunk of body as AsyncIterable<Buffer>) if (!head.add(chunk)) return head.read(false)
    return head.read(response.complete && sizeOf(sent) < MAX_HEAD_SENT_BYTES)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return isDecoderError(error) && head.isEmpty() ? null : head.read(false)
  } finally {
    clearTimeout(late)
  }
}

/** Keeps pieces as they are; `add` returns whether more are wanted. */
function keepHead(limit: number) {
  const pieces: Buffer[] = []
  let bytes = 0
  return {
    add(piece: Buffer): boolean {
      if (bytes <= limit) pieces.push(piece)
      bytes += piece.length
      return bytes <= limit
    },
    isEmpty: () => bytes === 0,
    read: (isEnd: boolean): BodyHead => ({
      bytes: Buffer.concat(pieces).subarray(0, limit),
      isWhole: isEnd && bytes <= limit,
    }),
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

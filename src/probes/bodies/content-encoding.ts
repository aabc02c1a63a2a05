import { once } from 'node:events'
import { type Duplex, pipeline, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import zlib from 'node:zlib'
import { codeOf } from '../../net/own-trouble.ts'

/** Servers normally use one, and each costs memory. */
const MAX_ENCODINGS = 3
/** 8 MiB, the most that HTTP allows (RFC 9659): a frame could otherwise make us reserve 128 MiB. */
const ZSTD_WINDOW_LOG = 23
/** Every decoder in node:zlib uses this code. */
const UNEXPECTED_END = 'Z_BUF_ERROR'

const KNOWN = ['gzip', 'x-gzip', 'deflate', 'br', 'zstd']

/**
 * Undoes a Content-Encoding (RFC 9110, section 8.4); null if it names too many. Unknown ones (`utf-8`, `none`,
 * `aws-chunked`) change nothing, as in browsers. A body that ends within a compressed block yields what there is, as in
 * browsers; with `strict` it fails.
 */
export async function decodeContent(
  body: Readable,
  contentEncoding: string,
  strict = false,
): Promise<Readable | null> {
  const encodings = namesIn(contentEncoding)
    .map((encoding) => encoding.toLowerCase())
    .filter((encoding) => KNOWN.includes(encoding))
    .reverse()
  if (encodings.length > MAX_ENCODINGS) return null
  let decoded = body
  for (const encoding of encodings) {
    const decoder = await decoderOf(encoding, decoded, strict)
    if (!decoder) return null
    // Errors travel to the last stream, where they are handled.
    decoded = pipeline(decoded, decoder, () => {})
  }
  return decoded
}

/** The encodings that nobody knows, as they are written. */
export function unknownEncodings(contentEncoding: string): string[] {
  return namesIn(contentEncoding).filter((encoding) => !KNOWN.includes(encoding.toLowerCase()))
}

function namesIn(contentEncoding: string): string[] {
  if (contentEncoding === '') return []
  return contentEncoding
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding.toLowerCase() !== 'identity')
}

/** Whether a body that was decoded ends before its encoding does. Decodes it once more. */
export async function isCutShort(body: readonly Buffer[], contentEncoding: string): Promise<boolean> {
  if (body.length === 0) return false
  try {
    const decoded = await decodeContent(Readable.from(body, { objectMode: false }), contentEncoding, true)
    decoded?.resume()
    if (decoded) await finished(decoded)
    return false
  } catch (error) {
    if (codeOf(error) === UNEXPECTED_END) return true
    throw error
  }
}

async function decoderOf(encoding: string, body: Readable, strict: boolean): Promise<Duplex | null> {
  const { Z_FINISH, Z_SYNC_FLUSH, ZSTD_e_end, ZSTD_e_flush } = zlib.constants
  const { BROTLI_OPERATION_FINISH, BROTLI_OPERATION_FLUSH } = zlib.constants
  const finishFlush = strict ? Z_FINISH : Z_SYNC_FLUSH
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ finishFlush })
    case 'deflate':
      return (await isZlibFormat(body))
        ? zlib.createInflate({ finishFlush })
        : zlib.createInflateRaw({ finishFlush })
    case 'br':
      return zlib.createBrotliDecompress({
        finishFlush: strict ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_FLUSH,
      })
    case 'zstd':
      return zlib.createZstdDecompress({
        finishFlush: strict ? ZSTD_e_end : ZSTD_e_flush,
        params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
      })
    default:
      return null
  }
}

/** RFC 9110 defines `deflate` as the zlib format, but some servers send raw deflate. The first byte tells which. */
async function isZlibFormat(body: Readable): Promise<boolean> {
  const DEFLATE_METHOD = 8
  await once(body, 'readable')
  const first: Buffer | null = body.read()
  if (first === null) return true
  body.unshift(first)
  return ((first[0] ?? 0) & 0x0f) === DEFLATE_METHOD
}

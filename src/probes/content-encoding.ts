import { once } from 'node:events'
import { type Duplex, pipeline, type Readable } from 'node:stream'
import zlib from 'node:zlib'

/** One is usual; each costs memory. */
const MOST_ENCODINGS = 3
/** 8 MiB, all that HTTP allows (RFC 9659): a frame could ask us to set 128 MiB aside. */
const ZSTD_WINDOW_LOG = 23

/**
 * Undoes a Content-Encoding (RFC 9110, section 8.4); null when it names one that is not known. A body that ends
 * within a compressed block gives what there is, as browsers do: HTTP's own framing tells whether it is whole.
 */
export async function decodeContent(body: Readable, contentEncoding: string): Promise<Readable | null> {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
    .reverse()
  if (encodings.length > MOST_ENCODINGS) return null
  let decoded = body
  for (const encoding of encodings) {
    const decoder = await decoderOf(encoding, decoded)
    if (!decoder) return null
    // An error is carried on to the last stream, where it is read.
    decoded = pipeline(decoded, decoder, () => {})
  }
  return decoded
}

async function decoderOf(encoding: string, body: Readable): Promise<Duplex | null> {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ finishFlush: Z_SYNC_FLUSH })
    case 'deflate':
      return (await isZlibFormat(body))
        ? zlib.createInflate({ finishFlush: Z_SYNC_FLUSH })
        : zlib.createInflateRaw({ finishFlush: Z_SYNC_FLUSH })
    case 'br':
      return zlib.createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH })
    case 'zstd':
      return zlib.createZstdDecompress({
        finishFlush: ZSTD_e_flush,
        params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
      })
    default:
      return null
  }
}

/** RFC 9110 means zlib's format by `deflate`; some servers send bare deflate. The first byte tells. */
async function isZlibFormat(body: Readable): Promise<boolean> {
  const DEFLATE_METHOD = 8
  await once(body, 'readable')
  const first: Buffer | null = body.read()
  if (first === null) return true
  body.unshift(first)
  return ((first[0] ?? 0) & 0x0f) === DEFLATE_METHOD
}

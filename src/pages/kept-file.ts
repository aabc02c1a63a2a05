import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'

const BROTLI_QUALITY = 5

/** Something that does not change while the service runs, kept in memory as it is sent. */
export type KeptFile = {
  plain: Buffer<ArrayBuffer>
  type: string
  etag: string
  packed: Map<Encoding, Promise<Buffer<ArrayBuffer>>>
}
type Encoding = 'br' | 'gzip'

export function keepFile(content: string | Buffer<ArrayBuffer>, type: string): KeptFile {
  const plain = typeof content === 'string' ? Buffer.from(content) : content
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { plain, type, etag, packed: new Map() }
}

/** The file, or 304 to who has it already; compressed where that is understood. */
export async function answerFile(
  context: Context,
  file: KeptFile,
  ownHeaders: Record<string, string>,
): Promise<Response> {
  const headers = { ...ownHeaders, 'content-type': file.type, etag: file.etag, vary: 'accept-encoding' }
  if (isKnown(context.req.header('if-none-match'), file)) return new Response(null, { status: 304, headers })
  const encoding = acceptedEncoding(context.req.header('accept-encoding') ?? '')
  if (encoding === null) return new Response(file.plain, { headers })
  return new Response(await pack(file, encoding), { headers: { ...headers, 'content-encoding': encoding } })
}

/** Compared weakly (RFC 9110 section 13.1.2): a proxy that compresses marks the tags of what it passes on. */
function isKnown(ifNoneMatch: string | undefined, { etag }: KeptFile): boolean {
  return ifNoneMatch?.match(/"[^"]*"/g)?.includes(etag) ?? false
}

function acceptedEncoding(accepted: string): Encoding | null {
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : null
}

/** Compressed by the first request that wants it, and kept. */
function pack(file: KeptFile, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  const known = file.packed.get(encoding)
  if (known) return known
  const packed =
    encoding === 'gzip'
      ? promisify(gzip)(file.plain)
      : promisify(brotliCompress)(file.plain, {
          params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
        })
  const kept = packed as Promise<Buffer<ArrayBuffer>>
  file.packed.set(encoding, kept)
  return kept
}

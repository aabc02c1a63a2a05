import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { acceptedEncoding, type Encoding } from '../core/accepted-encoding.ts'
import { matchesEtag } from '../core/entity-tag.ts'

const BROTLI_QUALITY = 5
/** Content that does not change while the service runs, kept in memory ready to send. */
export type StaticFile = {
  plain: Buffer<ArrayBuffer>
  type: string
  etag: string
  packed: Map<Encoding, Promise<Buffer<ArrayBuffer>>>
}

export function createStaticFile(content: string | Buffer<ArrayBuffer>, type: string): StaticFile {
  const plain = typeof content === 'string' ? Buffer.from(content) : content
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { plain, type, etag, packed: new Map() }
}

/** Responds with the file, or 304 if the client has it already; compressed if the client accepts that. */
export async function sendFile(
  context: Context,
  file: StaticFile,
  ownHeaders: Record<string, string>,
): Promise<Response> {
  const headers = { ...ownHeaders, 'content-type': file.type, etag: file.etag, vary: 'accept-encoding' }
  if (matchesEtag(context.req.header('if-none-match'), file.etag)) {
    return new Response(null, { status: 304, headers })
  }
  const encoding = acceptedEncoding(context.req.header('accept-encoding'))
  if (encoding === null) return new Response(file.plain, { headers })
  return new Response(await pack(file, encoding), { headers: { ...headers, 'content-encoding': encoding } })
}

/** Compresses on first use, and keeps the result. */
export function pack(file: StaticFile, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  const known = file.packed.get(encoding)
  if (known !== undefined) return known
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

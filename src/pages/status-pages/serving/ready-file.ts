import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptedEncoding, ENCODINGS, type Encoding } from '../../../core/accepted-encoding.ts'
import { matchesEtag } from '../../../core/entity-tag.ts'
import { createStaticFile, pack, type StaticFile } from '../../static-file.ts'

/** An answer with everything that it is sent with: as it is and, once asked for, in its encodings. */
export type ReadyFile = {
  readonly status: number
  readonly file: StaticFile
  /** Headers in pairs, for each form; `kept` for a client that has the file already. */
  readonly heads: Readonly<Record<'plain' | 'kept' | Encoding, string[]>>
  readonly packed: Map<Encoding, Buffer>
  readonly bytes: number
}

/** `headers`: those of the content, without what is told of its form. */
export function createReadyFile(
  content: string | Buffer<ArrayBuffer>,
  headers: Record<string, string>,
  status = 200,
): ReadyFile {
  const { 'content-type': type = 'text/html; charset=utf-8', vary = 'accept-encoding', ...others } = headers
  const file = createStaticFile(content, type)
  const common = Object.entries({ ...others, 'content-type': type, vary })
  // Only a file that is there has a version.
  const tagged = status === 200 ? [...common, ['etag', file.etag] as const] : common
  const packed = new Map<Encoding, Buffer>()
  const encoded = (encoding: Encoding) => [...tagged, ['content-encoding', encoding] as const].flat()
  const plain = [...tagged.flat(), 'content-length', String(file.plain.length)]
  return {
    status,
    file,
    heads: { plain, kept: tagged.flat(), br: encoded('br'), gzip: encoded('gzip') },
    packed,
    get bytes() {
      return packed.values().reduce((sum, { length }) => sum + length, file.plain.length)
    },
  }
}

/** Too small to gain anything, or compressed already. */
const MIN_PACKED_BYTES = 1_000
const COMPRESSED = /^image\/(?!svg)/

/** Sends a file at once, or once its encoding is made; `onPacked` then hears that it has grown. */
export function sendReadyFile(
  page: ReadyFile,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onPacked: () => void = () => {},
): void | Promise<void> {
  const { status, file, heads } = page
  if (status === 200 && matchesEtag(incoming.headers['if-none-match'], file.etag)) {
    return void outgoing.writeHead(304, heads.kept).end()
  }
  const encoding = isPackable(file)
    ? acceptedEncoding(incoming.headers['accept-encoding'] as string | undefined)
    : null
  if (encoding === null) return send(outgoing, status, heads.plain, file.plain)
  const packed = page.packed.get(encoding)
  if (packed !== undefined) return send(outgoing, status, heads[encoding], packed)
  return packFile(page, encoding).then((made) => {
    onPacked()
    send(outgoing, status, heads[encoding], made)
  })
}

/** Node leaves the body out of answers to HEAD. */
function send(outgoing: ServerResponse, status: number, head: string[], body: Buffer): void {
  outgoing.writeHead(status, head).end(body)
}

function isPackable({ plain, type }: StaticFile): boolean {
  return plain.length >= MIN_PACKED_BYTES && !COMPRESSED.test(type)
}

async function packFile(page: ReadyFile, encoding: Encoding): Promise<Buffer> {
  const made = await pack(page.file, encoding)
  if (!page.packed.has(encoding)) page.heads[encoding].push('content-length', String(made.length))
  page.packed.set(encoding, made)
  return made
}

/** Makes the encodings that an earlier version of the file was asked for. */
export async function packLike(last: ReadyFile, next: ReadyFile): Promise<void> {
  for (const encoding of ENCODINGS) {
    if (last.packed.has(encoding)) await packFile(next, encoding)
  }
}

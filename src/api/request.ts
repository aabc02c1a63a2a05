import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import type { Context } from 'hono'
import { fillPath } from '../contract/operation.ts'
import { Refusal } from '../core/errors.ts'
import { inWords, said } from '../core/language/said.ts'
import { MAX_BODY_BYTES } from '../core/request-limits.ts'
import type { Upload } from '../operations/implementation.ts'

const unzip = promisify(gunzip)
/** Up to this length unpacking costs less than handing it to another thread. */
const MAX_AT_ONCE_BYTES = 65_536

/** The client's address of a request, by which rate limits count. */
export type ClientAddress = (context: Context) => string

declare module 'hono' {
  interface ContextVariableMap {
    /** The operation's name in metrics, set by the handler of the request. */
    operation: string
  }
}

/** Writes a path of the contract in the router's syntax. */
export function routeOf(path: string): string {
  return fillPath(path, (parameter) => `:${parameter}`)
}

/** Everything about a request but the caller. */
export function readRequest(context: Context, maxBodyBytes?: number) {
  return {
    params: context.req.param() as Record<string, string>,
    query: readQuery(context.req.url),
    readBody: () => readJson(context.req.raw, maxBodyBytes),
  }
}

/** The bytes of the files that a request brings: they are read once, by the operation, as far as it takes them. */
export function uploadIn({ body, signal }: Request): Upload {
  return { content: body ?? NOTHING, signal }
}

const NOTHING: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} }

/** The last value of a repeated parameter counts; an empty one counts as absent. */
function readQuery(url: string): Record<string, string> {
  const start = url.indexOf('?')
  if (start < 0) return {}
  const [query] = url.slice(start + 1).split('#', 1)
  const pairs = new Map(new URLSearchParams(query))
  return Object.fromEntries([...pairs].filter(([, value]) => value !== ''))
}

/**
 * Reads a request's body as JSON. An empty body counts as `{}`. Refuses one that is too large (413), of another type
 * (415), or malformed (422 with `errors.body`).
 */
export async function readJson(request: Request, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  const bytes = await readWhole(request, maxBytes)
  if (bytes.length === 0) return {}
  const mediaType = mediaTypeOf(request)
  if (mediaType !== 'application/json') {
    throw new Refusal('unsupportedMediaType', {
      detail: inWords(
        `Send the body as Content-Type: application/json, not ${mediaType ?? 'without a type'}.`,
      ),
    })
  }
  return parse(bytes)
}

/**
 * Reads a body of at most `maxBytes`, before and after it is unpacked. Of `encodings`, `gzip` is unpacked here, others are
 * left as they are. Refuses with 413, 415 and 422.
 */
export async function readPackedBody(
  request: Request,
  { maxBytes, encodings }: { maxBytes: number; encodings: readonly string[] },
): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (encoding !== 'identity' && !encodings.includes(encoding)) {
    const detail = inWords(
      `Send the body with Content-Encoding ${encodings.join(' or ')}, or without; it has ${encoding.slice(0, 50)}.`,
    )
    throw new Refusal('unsupportedMediaType', { detail })
  }
  const bytes = await readWhole(request, maxBytes)
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return bytes
  try {
    const bound = { maxOutputLength: maxBytes }
    return maxBytes <= MAX_AT_ONCE_BYTES ? gunzipSync(bytes, bound) : await unzip(bytes, bound)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    throw Refusal.invalid({ body: [said('must be gzip, as its Content-Encoding says')] })
  }
}

async function readWhole(request: Request, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  return readBytes(request, maxBytes).catch((error) => {
    // The client disconnected midway: no one reads the answer, and it is not our bug.
    throw request.signal.aborted ? Refusal.invalid({ body: [said('was cut off')] }) : error
  })
}

/** The Content-Type without its parameters. */
export function mediaTypeOf({ headers }: Request): string | undefined {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
}

/** Reads the whole body, and refuses it as soon as it is too large. */
async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  // Node lets no body be longer than it says: one that says little enough is read at once, not as a stream.
  const said = request.headers.get('content-length')
  if (said !== null && Number(said) <= maxBytes) return Buffer.from(await request.arrayBuffer())
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  for (let length = 0; reader; ) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > maxBytes) {
      discard(reader).catch(() => {})
      throw tooLarge(maxBytes)
    }
    chunks.push(value)
  }
  return Buffer.concat(chunks)
}

/** An unread rest of a body would end the connection during the client's next request. */
async function discard(reader: ReadableStreamDefaultReader): Promise<void> {
  while (!(await reader.read()).done);
}

/** Nothing of a body is left in it for the next: it decodes each as a whole. */
const UTF8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch (error) {
    const reason = error instanceof SyntaxError ? said('must be valid JSON') : said('must be JSON in UTF-8')
    throw Refusal.invalid({ body: [reason] })
  }
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal('contentTooLarge', {
    detail: said('A body may have at most {max} KiB.', { max: maxBytes / 1024 }),
  })
}

import { Refusal } from '../core/errors.ts'
import { inWords, said } from '../core/language/said.ts'
import { MAX_BODY_BYTES } from '../core/request-limits.ts'

/**
 * Reads a request's body as JSON. An empty body counts as `{}`. Refuses one that is too large (413), of another type
 * (415), or malformed (422 with `errors.body`).
 */
export async function readJson(request: Request, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const bytes = await readBytes(request, maxBytes).catch((error) => {
    // The client disconnected midway: no one reads the answer, and it is not our bug.
    throw request.signal.aborted ? Refusal.invalid({ body: [said('was cut off')] }) : error
  })
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

/** The Content-Type without its parameters. */
export function mediaTypeOf({ headers }: Request): string | undefined {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
}

/** Reads the whole body, and refuses it as soon as it is too large. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
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

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    const reason = error instanceof SyntaxError ? said('must be valid JSON') : said('must be JSON in UTF-8')
    throw Refusal.invalid({ body: [reason] })
  }
}

export function tooLarge(maxBytes: number): Refusal {
  return new Refusal('contentTooLarge', {
    detail: said('A body may have at most {max} KiB.', { max: maxBytes / 1024 }),
  })
}

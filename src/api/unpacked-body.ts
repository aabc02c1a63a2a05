import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Refusal } from '../core/errors.ts'

const unpack = promisify(gunzip)

/**
 * Reads a body of at most `max` bytes, packed or not, and unpacks gzip. `encodings`: that it may have besides none; others
 * than gzip stay as they are. Refuses one that is too large (413), of another encoding (415), or no gzip (422).
 */
export async function readUnpacked(
  request: Request,
  { max, encodings }: { max: number; encodings: readonly string[] },
): Promise<Uint8Array> {
  const encoding = (request.headers.get('content-encoding') ?? '').trim().toLowerCase()
  const isPlain = encoding === '' || encoding === 'identity'
  if (!isPlain && !encodings.includes(encoding)) {
    const detail = `the body must have the Content-Encoding ${encodings.join(', ')} or none; it has ${encoding.slice(0, 50)}`
    throw new Refusal('unsupportedMediaType', { detail })
  }
  if (Number(request.headers.get('content-length') ?? 0) > max) throw tooLarge(max)
  const body = await readBytes(request, max)
  if (encoding !== 'gzip' || body.length === 0) return body
  try {
    return await unpack(body, { maxOutputLength: max })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(max)
    throw Refusal.invalid({ body: ['the body is no gzip'] })
  }
}

async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length
      if (length > max) break
      chunks.push(chunk)
    }
  } catch (error) {
    // The client disconnected midway: no one reads the answer, and it is not our bug.
    throw request.signal.aborted ? Refusal.invalid({ body: ['the body was cut off'] }) : error
  }
  if (length > max) throw tooLarge(max)
  return Buffer.concat(chunks)
}

function tooLarge(max: number): Refusal {
  return new Refusal('contentTooLarge', { detail: `the body may have at most ${max / 1024} KiB, unpacked` })
}

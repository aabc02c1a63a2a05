import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import { Refusal } from '../core/errors.ts'
import { inWords, said } from '../core/language/said.ts'
import { readBytes, tooLarge } from './body.ts'

const unzip = promisify(gunzip)
/** Up to this length unpacking costs less than handing it to another thread. */
const MAX_AT_ONCE_BYTES = 65_536

/**
 * Reads a body of at most `maxBytes`, before and after it is unpacked. Of `encodings`, `gzip` is unpacked here, others are
 * left as they are. Refuses with 413, 415 and 422.
 */
export async function readReportBody(
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
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const bytes = await readBytes(request, maxBytes).catch((error) => {
    // The client disconnected midway: no one reads the answer, and it is not our bug.
    throw request.signal.aborted ? Refusal.invalid({ body: [said('was cut off')] }) : error
  })
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return bytes
  try {
    const bound = { maxOutputLength: maxBytes }
    return maxBytes <= MAX_AT_ONCE_BYTES ? gunzipSync(bytes, bound) : await unzip(bytes, bound)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    throw Refusal.invalid({ body: [said('must be gzip, as its Content-Encoding says')] })
  }
}

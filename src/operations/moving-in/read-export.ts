import { Refusal } from '../../core/errors.ts'
import { type Said, said } from '../../core/language/said.ts'
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_MIB } from '../../core/moving-in/upload.ts'
import { createPlaces } from '../../core/sharing/share.ts'
import { type ReceivedFiles, receiveFiles, WrongLength } from '../../files/received-files.ts'
import type { Implementation, Upload } from '../implementation.ts'

const RETRY_SECONDS = 10

/** A person reads one at a time. */
const reading = createPlaces('exports')

/**
 * Reads an export of another service, and keeps nothing of it: it holds secrets. Its records are made by the
 * operations that create monitors, contacts and so on.
 */
export const readExport: Implementation<'readExport'> = {
  async perform(services, { actor, query: { service, sizes }, upload }) {
    if (sizes.reduce((sum, size) => sum + size, 0) > MAX_UPLOAD_BYTES) throw tooLarge()
    if (sizes.includes(0)) throw unreadable(said('it is empty'))
    if (reading.heldBy(actor.userId) > 0) throw new Refusal('conflict', { detail: ONE_AT_A_TIME })
    if (!reading.take(actor.userId)) {
      const sentence = said('Exports of others are being read: try again in {seconds} s.', {
        seconds: RETRY_SECONDS,
      })
      throw Refusal.forNow('unavailable', RETRY_SECONDS, sentence)
    }
    let files: ReceivedFiles | null = null
    try {
      files = await receive(upload, sizes)
      const terms = { ...services.plans[actor.plan], now: services.now() }
      const read = await services.readExport(service, files.paths, terms, upload?.signal)
      if ('outcome' in read) return { body: { data: { service, outcome: read.outcome } } }
      throw unreadable(read.fault, read.looksLike)
    } finally {
      reading.leave(actor.userId)
      await files?.remove()
    }
  },
}

const ONE_AT_A_TIME = said(
  'Another file of yours is being read: wait until it has been, which takes a minute at most.',
)

async function receive(upload: Upload | undefined, sizes: readonly number[]): Promise<ReceivedFiles> {
  if (!upload) throw wrongSizes()
  return receiveFiles(upload.content, sizes).catch((error) => {
    // The client disconnected midway: no one reads the answer, and it is not our bug.
    throw error instanceof WrongLength || upload.signal.aborted ? wrongSizes() : error
  })
}

function wrongSizes(): Refusal {
  return Refusal.invalid({ sizes: [said('must be those of the files that are sent')] })
}

function tooLarge(): Refusal {
  const detail = said(
    'All files together may have {max} MiB here. The command line reads larger ones: upbeat import.',
    { max: MAX_UPLOAD_MIB },
  )
  return new Refusal('contentTooLarge', { detail })
}

function unreadable(fault: Said, looksLike: string | null = null): Refusal {
  const detail = said('The file cannot be imported: {fault}.', { fault })
  return new Refusal('validationFailed', { detail, looks_like: looksLike })
}

import { Refusal } from '../../core/errors.ts'
import { inWords } from '../../core/language/said.ts'
import { NotRecorded } from './batches.ts'

/** This and what a request waits for before are less than the 20 s that are promised. */
const ANSWER_MS = 10_000
const AGAIN_SECONDS = 10

/**
 * For what a request waits for: 503 where it is given up, or takes too long. In the second case it may still be recorded
 * once the database is well; whoever sends it again then does no harm.
 */
export async function answerInTime<T>(work: Promise<T>, ms = ANSWER_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable()), ms)
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    throw error instanceof NotRecorded ? unavailable() : error
  } finally {
    clearTimeout(timer)
  }
}

function unavailable(): Refusal {
  const sentence = inWords(`It cannot be recorded at present: send it again in ${AGAIN_SECONDS} s.`)
  return Refusal.forNow('unavailable', AGAIN_SECONDS, sentence)
}

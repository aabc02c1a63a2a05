import type { OperationId } from '../../contract/contract.ts'
import { allOperations } from '../../contract/contract.ts'
import { parametersOf } from '../../contract/operation.ts'
import { inWords } from '../../core/language/said.ts'
import {
  type Created,
  countMissing,
  HOPELESS,
  type Step,
  type StepAnswer,
  stepsToCreate,
  TOO_MANY,
} from '../../core/moving-in/create.ts'
import type { Matches } from '../../core/moving-in/match.ts'
import { askData, type Client, NoAnswer, Refused } from '../client/client.ts'
import { reportProgress, timeNotice } from '../client/pace.ts'
import { reasonOf } from '../output.ts'

/** Creates the missing records by a client. Continues after a refusal. */
export async function createMissing(
  client: Client,
  matches: Matches,
  report: (line: string) => void,
): Promise<Created> {
  const total = countMissing(matches)
  const notice = timeNotice(total, client.pace())
  if (notice !== null) report(notice)
  const tell = reportProgress(total, client.pace, report)
  const steps = stepsToCreate(matches)
  let next = steps.next()
  while (!next.done) {
    const answer = await take(client, next.value)
    const isCounted = next.value.operation === 'createContact' || next.value.operation === 'createMonitor'
    if (answer.ok && isCounted) tell()
    next = steps.next(answer)
  }
  return next.value
}

async function take({ ask, internal }: Client, { operation, id, body }: Step): Promise<StepAnswer> {
  // Over HTTP there are no tags, which the report says.
  if (operation === 'setMonitorTags' && internal === null) return { ok: true, data: null }
  const [parameter] = parametersOf(allOperations[operation].path)
  const question = { ...(parameter && id !== undefined && { params: { [parameter]: id } }), body }
  try {
    return { ok: true, data: await askData<unknown, OperationId>(internal ?? { ask }, operation, question) }
  } catch (error) {
    if (!(error instanceof Refused || error instanceof NoAnswer)) throw error
    const status = error instanceof Refused ? error.status : null
    return {
      ok: false,
      reason: inWords(reasonOf(error, '; ')),
      isHeld: status === TOO_MANY,
      // Without an answer, the record may exist or not. The next import finds out.
      isHopeless: status === null || HOPELESS.includes(status),
    }
  }
}

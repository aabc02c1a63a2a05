import { inWords } from '../../../src/core/language/said.ts'
import {
  type Begun,
  type Created,
  HOPELESS,
  type Step,
  type StepAnswer,
  stepsToCreate,
  TOO_MANY,
} from '../../../src/core/moving-in/create.ts'
import type { Matches } from '../../../src/core/moving-in/match.ts'
import { ask } from '../ask.ts'
import { Problem, sayProblem } from '../problem.ts'

/** Creates the missing records by the session of the person, as the command line does by a token. `onStep`: after each. */
export async function createMissing(
  team: number,
  matches: Matches,
  onStep: () => void,
  begun?: Begun,
): Promise<Created> {
  const steps = stepsToCreate(matches, begun)
  let next = steps.next()
  while (!next.done) {
    const answer = await take(team, next.value)
    onStep()
    next = steps.next(answer)
  }
  return next.value
}

async function take(team: number, { operation, id, body }: Step): Promise<StepAnswer> {
  try {
    // The body of a step fits its operation; the compiler knows a union of them only.
    const told = { ...(id !== undefined && { id }), body } as Parameters<typeof ask<'createMonitor'>>[2]
    const answer = (await ask(team, operation as 'createMonitor', told)) as { data: unknown } | null
    return { ok: true, data: answer?.data }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return {
      ok: false,
      reason: inWords(sayProblem(error)),
      isHeld: error.status === TOO_MANY,
      // Without an answer, the record may exist or not: it is looked for before the next attempt.
      isHopeless: error.status === 0 || HOPELESS.includes(error.status),
    }
  }
}

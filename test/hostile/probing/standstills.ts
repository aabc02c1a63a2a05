import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from '../../support/scope.ts'
import type { Span } from '../spans.ts'

const PAUSE_MS = 250
/** Anything shorter is within the slack that every wait has. */
const MIN_STANDSTILL_MS = 1_000

/**
 * The times in which the machine was too busy to do what takes a moment: a question to a target or to the database took
 * a second or longer, until it was answered. Whatever waited then may have waited for the machine.
 */
export function watchStandstills(scope: Scope, questions: (() => Promise<unknown>)[]): Span[] {
  const standstills: Span[] = []
  const stop = new AbortController()

  async function watch(ask: () => Promise<unknown>) {
    while (!stop.signal.aborted) {
      const fromMs = Date.now()
      // One that is not answered took as long.
      await ask().catch(() => {})
      const toMs = Date.now()
      if (toMs - fromMs >= MIN_STANDSTILL_MS) standstills.push({ fromMs, toMs })
      await delay(PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  const watching = questions.map(watch)
  scope.after(async () => {
    stop.abort()
    await Promise.all(watching)
  })
  return standstills
}

import type { CheckResult } from '../monitors/check.ts'
import type { AreaLook } from './area-look.ts'

/**
 * Looks at a home page that are made at once before it counts as down. Of a site that fails one look in a hundred by chance, two
 * in a row fail about once a week at a look a minute; three, once in two years.
 */
export const HOME_LOOKS = 3

export type HomeMemory = { response_time_ms?: number | null; http_status_code?: number | null }

/** Whether these looks do not tell yet what the home page is. */
export function needsAnotherLook(looks: readonly { status: CheckResult['status'] }[]): boolean {
  return looks.length < HOME_LOOKS && looks.every(({ status }) => status === 'down')
}

/** Judges looks in a row; the last one decides, and is down only after all others were. */
export function judgeHomePage(looks: readonly CheckResult[], before: HomeMemory): AreaLook<HomeMemory> {
  const last = looks.at(-1)
  if (!last || last.status === 'pending' || needsAnotherLook(looks))
    return { status: 'pending', cause: last?.errorMessage ?? null, memory: before, warning: null }
  const { status, errorMessage, responseTimeMs, httpStatusCode } = last
  return {
    // A certificate that ends soon is the business of its own area.
    status: status === 'degraded' ? 'up' : status,
    cause: status === 'down' ? errorMessage : null,
    memory: { response_time_ms: responseTimeMs, http_status_code: httpStatusCode },
    warning: null,
  }
}

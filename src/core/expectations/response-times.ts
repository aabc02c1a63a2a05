/*
 * Expectations of the response times of several checks. No single answer says whether they are met, so they are judged where
 * checks are recorded; the others are of the answer alone.
 */

/** The numbers of checks that a percentile may be of, and the one that it is of unless told otherwise. */
export const MIN_CHECKS = 2
export const MAX_CHECKS = 100
export const DEFAULT_CHECKS = 20
const SHARE = 0.95

/** The part of an assertion that says whether it is about several checks, and about how many. */
type About = { source: string; property?: string | undefined }

export function isNumberOfChecks(digits: string): boolean {
  return /^[1-9]\d{0,2}$/.test(digits) && Number(digits) >= MIN_CHECKS && Number(digits) <= MAX_CHECKS
}

/** The number of checks that an assertion is about. */
export function checksOf({ property }: Pick<About, 'property'>): number {
  return property === undefined ? DEFAULT_CHECKS : Number(property)
}

export function isOfSeveralChecks({ source }: Pick<About, 'source'>): boolean {
  return source === 'response_time_p95_ms'
}

/** The assertions that one answer is judged by. */
export function ofAnswer<Assertion extends About>(assertions: readonly Assertion[]): readonly Assertion[] {
  return assertions.some(isOfSeveralChecks)
    ? assertions.filter((assertion) => !isOfSeveralChecks(assertion))
    : assertions
}

/** All assertions of a monitor, where one of them is about several checks; else undefined. */
export function ofSeveralChecks<Assertion extends About>(
  assertions: readonly Assertion[] | null | undefined,
): readonly Assertion[] | undefined {
  return assertions?.some(isOfSeveralChecks) ? assertions : undefined
}

/** The times with another one, no more of them than any assertion may be about. */
export function withTime(times: readonly number[], ms: number): number[] {
  return [...times, ms].slice(-MAX_CHECKS)
}

/** The 95th percentile of the newest of these times by nearest rank, in milliseconds; null while there are fewer. */
export function percentile95(times: readonly number[], checks: number): number | null {
  if (times.length < checks) return null
  const ordered = times.slice(-checks).sort((one, other) => one - other)
  return ordered[Math.ceil(SHARE * checks) - 1] ?? null
}

import type { Limits } from '../core/moving-in/outcome.ts'

/** The grounds for judging an import: the plan, and the time. */
export type Terms = Limits & { now: Date }

/** The file is not an export of the service. The message says why, and contains no secrets. */
export class WrongFile extends Error {}

/** The most of each kind of record that an export may hold. */
export const MAX_RECORDS = 10_000
/** A record has several differences. */
const MAX_REMARKS = 10 * MAX_RECORDS

/** Refuses an export with too many of something as soon as it is met, before the rest is worked out. */
export function boundRecords(count: number, what: string): void {
  if (count > MAX_RECORDS) throw new WrongFile(`it has more than ${MAX_RECORDS} ${what}`)
}

export function boundRemarks(count: number): void {
  if (count > MAX_REMARKS) throw new WrongFile(`there are more than ${MAX_REMARKS} remarks to make on it`)
}

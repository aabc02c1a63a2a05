import type { Declaration } from '../core/monitors/declaration.ts'
import type { DraftedPage } from './draft-page.ts'
import type { DraftedWindow } from './draft-window.ts'

/** The plan's shortest intervals. Monitors that are faster get the shortest one, with a note. */
export type Limits = { min_interval_minutes: number; min_interval_seconds: number }

/** The grounds for judging an import: the plan, and the time. */
export type Terms = Limits & { now: Date }

/** A record that has no counterpart here. */
export type Skipped = { what: string; reason: string }

/** A difference between an imported record and the original. */
export type Note = { what: string; note: string }

/** The URL that a job pings at the other service; null if the export does not contain it. */
export type OldPing = { monitor: string; address: string | null }

/** The result of reading an export. */
export type Outcome = {
  declaration: Declaration
  windows: DraftedWindow[]
  pages: DraftedPage[]
  skipped: Skipped[]
  notes: Note[]
  pings: OldPing[]
}

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

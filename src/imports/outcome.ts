import { english, type Said, said } from '../core/language/said.ts'
import type { ImportKind } from '../core/moving-in/kinds.ts'
import type { Limits } from '../core/moving-in/outcome.ts'

/** The grounds for judging an import: the plan, and the time. */
export type Terms = Limits & { now: Date }

/** Where a fault was found: the files as they were called, and the service that they look like an export of. */
type Found = { files?: readonly string[]; looksLike?: ImportKind | null }

/** The file is not an export of the service. The message says why, and contains no secrets. */
export class WrongFile extends Error {
  /** A clause without the names of the files. */
  readonly fault: Said
  readonly looksLike: ImportKind | null
  readonly files: readonly string[]

  constructor(fault: Said, { files = [], looksLike = null }: Found = {}) {
    const names = files.length > 0 ? `${files.join(', ')}: ` : ''
    const hint = looksLike
      ? `\nIt looks like an export for: upbeat import ${looksLike} ${files.join(' ')}`
      : ''
    super(`${names}${english(fault)}${hint}`)
    this.fault = fault
    this.looksLike = looksLike
    this.files = files
  }
}

/** The most of each kind of record that an export may hold. */
export const MAX_RECORDS = 10_000
/** A record has several differences. */
const MAX_REMARKS = 10 * MAX_RECORDS

/** Refuses an export with too many of something as soon as it is met, before the rest is worked out. */
export function boundRecords(count: number, tooMany: Said): void {
  if (count > MAX_RECORDS) throw new WrongFile(tooMany)
}

export function boundRemarks(count: number): void {
  if (count > MAX_REMARKS)
    throw new WrongFile(said('there are more than {max} remarks to make on it', { max: MAX_REMARKS }))
}

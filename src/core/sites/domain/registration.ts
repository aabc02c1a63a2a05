/** The word of a registry about a domain. */
export type Registration =
  | { kind: 'dated'; expiresAt: Date; statuses: string[] }
  /** The registry answers, and does not say when a registration ends. */
  | { kind: 'undated'; statuses: string[] }
  | { kind: 'unregistered' }
  /** There is no registration: the address is private. */
  | { kind: 'none'; reason: string }
  /** It could not be asked, or its answer not be read: nothing is known. */
  | { kind: 'unknown'; reason: string }

const MIN_YEAR = 1985
const MAX_YEAR = 2200

/** Null for a date that no registration has. */
export function plausibleDate(date: Date): Date | null {
  const year = date.getUTCFullYear()
  return Number.isNaN(year) || year < MIN_YEAR || year > MAX_YEAR ? null : date
}

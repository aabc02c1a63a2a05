import type { Declaration } from '../core/monitors/declaration.ts'

/** What the team's plan allows of a monitor: faster ones are slowed down, visibly. */
export type Limits = { min_interval_minutes: number; min_interval_seconds: number }

/** Something of the other service that has no counterpart here. */
export type Skipped = { what: string; reason: string }

/** Something that comes over, but not quite as it was. */
export type Note = { what: string; note: string }

/** Where a job has told the other service that it ran; null when the export does not say. */
export type OldPing = { monitor: string; address: string | null }

/** What becomes of an export of another service. */
export type Outcome = { declaration: Declaration; skipped: Skipped[]; notes: Note[]; pings: OldPing[] }

/** The file is not what it should be; the message says what is wrong, and holds nothing secret of it. */
export class WrongFile extends Error {}

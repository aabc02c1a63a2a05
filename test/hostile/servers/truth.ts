import type { Span } from '../spans.ts'

/** The condition of a server that has no report. */
export const SILENT = 'silent'
/** The condition of its only file system, as incidents name it. */
export const FULL = 'disk_space:/'
/** In percent; at once, so that every kept report tells what became of it. */
export const FULL_AT_ONCE = { is_on: true, warns_only: false, enter: 90, leave: 85, minutes: 0 }

/** Reports say their number as available memory, in steps in which that is kept. */
export const NUMBER_KILOBYTES = 64

/** A report as its machine sent it, until it was answered or given up. Those of one server are numbered. */
export type SentReport = Span & { server: number; report: number; used: number; isTaken: boolean }

/** A report as it was kept; `turn`: the order in which those of one server were judged. */
export type KeptReport = { server: number; report: number; used: number; atMs: number; turn: number }

/** Everything that servers said, and what was kept of it. */
export type Reports = { servers: number[]; sent: SentReport[]; kept: KeptReport[] }

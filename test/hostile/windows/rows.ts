import type { Database } from '../../../src/postgres/database.ts'
import type { Span } from '../spans.ts'
import { type Applied, appliedSpans, type Whom } from './truth.ts'

const MINUTE_MS = 60_000

type Row = {
  id: number
  is_deleted: boolean
  since: number
  starts_at: number | null
  ends_at: number | null
  local_start: string | null
  duration_minutes: number | null
  all_subjects: boolean
  monitor_ids: number[]
}

/** When windows applied by the rows of the database, with the monitors numbered as their targets are. */
export async function readApplied({ pool }: Database, numbers: Map<number, number>): Promise<Applied[]> {
  const ms = (column: string) => `extract(epoch FROM ${column})::float8 * 1000 AS ${column}`
  const windows = await pool.query<Row>(
    `SELECT id, deleted_at IS NOT NULL AS is_deleted, ${ms('since')}, ${ms('starts_at')}, ${ms('ends_at')},
            local_start, duration_minutes, all_subjects,
            ARRAY(SELECT subject_id FROM maintenance_window_subjects WHERE window_id = id AND kind = 'monitor') AS monitor_ids
     FROM maintenance_windows`,
  )
  const occurrences = await pool.query<{
    window: number
    starts_at: number
    ends_at: number
    all_subjects: boolean
    monitor_ids: number[]
  }>(
    `SELECT window_id AS window, ${ms('starts_at')}, ${ms('ends_at')}, all_subjects, monitor_ids
     FROM maintenance_occurrences`,
  )
  const whomOf = (row: { all_subjects: boolean; monitor_ids: number[] }): Whom =>
    row.all_subjects ? 'everything' : row.monitor_ids.map((id) => numbers.get(id) ?? -1)
  return appliedSpans(
    windows.rows.map((row) => ({
      id: row.id,
      isDeleted: row.is_deleted,
      sinceMs: row.since,
      plan: planOf(row),
      whom: whomOf(row),
    })),
    occurrences.rows.map((row) => ({
      window: row.window,
      fromMs: row.starts_at,
      toMs: row.ends_at,
      whom: whomOf(row),
    })),
  )
}

/** The first day alone of a recurring window, since a run is shorter; its zone is the one of `WALL_ZONE`. */
function planOf({ starts_at, ends_at, local_start, duration_minutes }: Row): Span | null {
  if (starts_at !== null && ends_at !== null) return { fromMs: starts_at, toMs: ends_at }
  if (local_start === null || duration_minutes === null) return null
  const fromMs = Date.parse(`${local_start}${WALL_ZONE.offset}`)
  return { fromMs, toMs: fromMs + duration_minutes * MINUTE_MS }
}

/** A zone whose clocks never change, so that whoever judges needs no calendar. */
export const WALL_ZONE = { name: 'Asia/Kolkata', offset: '+05:30', ahead: 5.5 * 60 * MINUTE_MS }

/** The time on its clocks, to the minute. */
export function wallTime(ms: number): string {
  return new Date(ms + WALL_ZONE.ahead).toISOString().slice(0, 16)
}

import type { CheckRecord } from '../../../src/core/history/check-chunk.ts'
import {
  type StateTimes,
  stateTimes,
  type TimeSpan,
  type WatchedTime,
} from '../../../src/core/history/uptime.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { addIncident } from '../records/history.ts'
import { addRow } from '../records/rows.ts'
import { NOON } from './random-history.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A check is valid this long, for a monitor as the schema makes it: a check a minute, and a timeout of 30 s. */
const VALID_MS = 90_000

export type Trouble = Pick<WatchedTime, 'incidents' | 'rests'>

export const NO_TROUBLE: Trouble = { incidents: [], rests: [] }

/** How long before NOON each began, and how long it took; without an end it is open. */
const INCIDENTS = [
  [50 * 24 * HOUR_MS, 3 * HOUR_MS],
  [22 * HOUR_MS, 100 * MINUTE_MS],
  [13 * HOUR_MS, 5 * HOUR_MS],
  [7 * HOUR_MS, 0],
  [95 * MINUTE_MS, null],
] as const
const PAUSES = [
  [10 * HOUR_MS, 40_000],
  [6 * HOUR_MS, HOUR_MS],
  [4 * MINUTE_MS, 20_000],
] as const

/** Incidents and pauses of each monitor, up to NOON. */
export async function keepTrouble(
  db: Database,
  teamId: number,
  ids: number[],
): Promise<Map<number, Trouble>> {
  const kept = new Map<number, Trouble>()
  for (const id of ids) {
    const trouble = { incidents: INCIDENTS.map(toSpan), rests: PAUSES.map(toSpan) }
    kept.set(id, trouble)
    for (const span of trouble.incidents) {
      const [started_at, resolved_at] = datesOf(span)
      await addIncident(db, { team_id: teamId, monitor_id: id, started_at, resolved_at })
    }
    for (const span of trouble.rests) {
      const [paused_at, resumed_at] = datesOf(span)
      await addRow(db, 'monitor_pauses', { monitor_id: id, paused_at, resumed_at })
    }
  }
  return kept
}

/** The rule itself, over every check one by one. */
export function timesOf(
  checks: readonly CheckRecord[],
  { incidents, rests }: Trouble,
  fromMs: number,
  toMs: number,
): StateTimes {
  const runs = checks.map(({ status, checkedAt }) => ({
    status,
    firstMs: checkedAt.getTime(),
    lastMs: checkedAt.getTime(),
  }))
  const watched = { runs, incidents, rests, maintenance: [], validMs: VALID_MS, isHeartbeat: false }
  return stateTimes(watched, { fromMs, toMs })
}

function toSpan([agoMs, lengthMs]: readonly [number, number | null]): TimeSpan {
  const fromMs = NOON.getTime() - agoMs
  return { fromMs, toMs: lengthMs === null ? Number.POSITIVE_INFINITY : fromMs + lengthMs }
}

function datesOf({ fromMs, toMs }: TimeSpan): [from: Date, to: Date | null] {
  return [new Date(fromMs), Number.isFinite(toMs) ? new Date(toMs) : null]
}

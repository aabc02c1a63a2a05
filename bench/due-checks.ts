import { nextTickMs, phaseMs } from '../src/core/probing/schedule.ts'
import type { TestService } from '../test/support/services/service.ts'
import { percentile } from './support/statistics.ts'

/** Every monitor of these measurements is checked once a minute. */
export const INTERVAL_MS = 60_000
/** A check that is recorded no sooner than this after its tick counts as missed. */
export const PATIENCE_MS = 3_000

const MONITORS_AT_ONCE = 1_000

type Check = { id: number; at: Date; status: string }

/** The outcome of the ticks in a span of time. */
export type DueChecks = {
  due: number
  missed: number
  /** Ticks with more than one check that judged the target; what was our own trouble is tried again. */
  doubled: number
  /** Checks that found anything but `up`. */
  notUp: number
  /** Start of each check, in milliseconds since 1970, and how long after its tick that was. */
  started: { atMs: number; lateMs: number }[]
  /** The ticks that no check came for. */
  missedTicks: number[]
}

/** Counts, from the database, the checks of all monitors against the ticks from `fromMs` to before `toMs`. */
export async function readDueChecks(
  { services }: TestService,
  fromMs: number,
  toMs: number,
): Promise<DueChecks> {
  const { pool } = services.db
  const { rows } = await pool.query<{ id: number }>('SELECT monitor_id AS id FROM monitor_state ORDER BY 1')
  const counts: DueChecks = { due: 0, missed: 0, doubled: 0, notUp: 0, started: [], missedTicks: [] }
  for (let first = 0; first < rows.length; first += MONITORS_AT_ONCE) {
    const ids = rows.slice(first, first + MONITORS_AT_ONCE).map(({ id }) => id)
    const checks = await pool.query<Check>(
      `SELECT monitor_id AS id, checked_at AS at, status FROM checks
       WHERE monitor_id BETWEEN $1 AND $2 AND checked_at >= $3 AND checked_at < $4`,
      [ids[0], ids.at(-1), new Date(fromMs), new Date(toMs + PATIENCE_MS)],
    )
    const checksOf = Map.groupBy(checks.rows, ({ id }) => id)
    for (const id of ids) countTicks(counts, id, checksOf.get(id) ?? [], fromMs, toMs)
  }
  return counts
}

function countTicks(counts: DueChecks, id: number, checks: Check[], fromMs: number, toMs: number): void {
  const phase = phaseMs(id, INTERVAL_MS)
  // The last tick up to a check: the first one after an interval before it.
  const ofTick = Map.groupBy(checks, ({ at }) => nextTickMs(at.getTime() - INTERVAL_MS, INTERVAL_MS, phase))
  for (let tick = nextTickMs(fromMs - 1, INTERVAL_MS, phase); tick < toMs; tick += INTERVAL_MS) {
    const ran = ofTick.get(tick) ?? []
    const judged = ran.filter(({ status }) => status !== 'pending')
    counts.due++
    counts.notUp += ran.filter(({ status }) => status !== 'up').length
    if (judged.length === 0) {
      counts.missed++
      counts.missedTicks.push(tick)
    }
    if (judged.length > 1) counts.doubled++
    for (const { at } of ran) counts.started.push({ atMs: at.getTime(), lateMs: at.getTime() - tick })
  }
}

export type Lateness = { p50Ms: number; p99Ms: number; maxMs: number }

/** The lateness of at least one check. */
export function latenessOf({ started }: Pick<DueChecks, 'started'>): Lateness {
  const lates = started.map(({ lateMs }) => lateMs)
  return { p50Ms: percentile(lates, 0.5), p99Ms: percentile(lates, 0.99), maxMs: percentile(lates, 1) }
}

import type { Connection, Database } from '../../postgres/database.ts'
import { inTransaction } from '../../postgres/database.ts'

/** Arbitrary, but the same in every process. */
const LOCK = 7_365_003

/** A process that is suspended in the middle of a step must not keep others from it for longer. */
const MAX_IDLE_MS = 20_000
/** The SELECT at the beginning of a step holds this. */
export const ENDS_WHEN_IDLE = `set_config('idle_in_transaction_session_timeout', '${MAX_IDLE_MS}', true)`

/** Progress of the work on history; see the migration. */
export type Progress = {
  hoursUntil: Date
  /** The same of servers; null before the first step. */
  serverHoursUntil: Date | null
  /** The days of sites before it are closed; null before the first step. */
  siteDaysUntil: Date | null
  /** Up to where roll-ups were written with times; before `hoursUntil` if an older release rolled up since. */
  timedUntil: Date | null
  /** The last monitor whose older roll-ups were converted; null: all are. */
  convertedMonitorId: number | null
}

export class UpkeepElsewhere extends Error {
  constructor() {
    super('another process is working on the history')
  }
}

/**
 * Runs one step of the work on history in a short transaction. Steps exclude each other across processes, because a
 * process that has just lost its lease may still be running its last step; then throws UpkeepElsewhere.
 */
export async function upkeepStep<T>(db: Database, work: (client: Connection) => Promise<T>): Promise<T> {
  return inTransaction(db.pool, async (client) => {
    const { rows } = await client.query<{ ours: boolean }>(
      `SELECT pg_try_advisory_xact_lock($1) AS ours, ${ENDS_WHEN_IDLE}`,
      [LOCK],
    )
    if (!rows[0]?.ours) throw new UpkeepElsewhere()
    return work(client)
  })
}

/** Null before the first step. */
export async function readProgress(client: Pick<Connection, 'query'>): Promise<Progress | null> {
  const { rows } = await client.query<Progress>(
    `SELECT hours_until AS "hoursUntil", server_hours_until AS "serverHoursUntil", timed_until AS "timedUntil",
            converted_monitor_id AS "convertedMonitorId", site_days_until AS "siteDaysUntil"
     FROM history_progress`,
  )
  return rows[0] ?? null
}

export async function writeHoursUntil(client: Connection, hoursUntil: Date): Promise<void> {
  await client.query(
    `INSERT INTO history_progress (hours_until, timed_until) VALUES ($1, $1)
     ON CONFLICT (only_row) DO UPDATE SET hours_until = excluded.hours_until, timed_until = excluded.timed_until`,
    [hoursUntil],
  )
}

/** Null: all roll-ups carry times. */
export async function writeConverted(client: Connection, monitorId: number | null): Promise<void> {
  await client.query('UPDATE history_progress SET converted_monitor_id = $1', [monitorId])
}

/** The roll-ups of checks come first and make the row. */
export async function writeServerHoursUntil(client: Connection, hoursUntil: Date): Promise<void> {
  await client.query('UPDATE history_progress SET server_hours_until = $1', [hoursUntil])
}

/** Likewise. */
export async function writeSiteDaysUntil(client: Connection, daysUntil: Date): Promise<void> {
  await client.query('UPDATE history_progress SET site_days_until = $1', [daysUntil])
}

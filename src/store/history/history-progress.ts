import type { Connection, Database } from '../../postgres/database.ts'
import { inTransaction } from '../../postgres/database.ts'

/** Arbitrary, but the same in every process. */
const LOCK = 7_365_003

/** Progress of the work on history; see the migration. */
export type Progress = {
  hoursUntil: Date
  compactingDay: Date | null
  compactedMonitorId: number | null
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
    const { rows } = await client.query<{ ours: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS ours', [
      LOCK,
    ])
    if (!rows[0]?.ours) throw new UpkeepElsewhere()
    return work(client)
  })
}

/** Null before the first step. */
export async function readProgress(client: Pick<Connection, 'query'>): Promise<Progress | null> {
  const { rows } = await client.query<Progress>(
    `SELECT hours_until AS "hoursUntil", compacting_day AS "compactingDay",
            compacted_monitor_id AS "compactedMonitorId", timed_until AS "timedUntil",
            converted_monitor_id AS "convertedMonitorId"
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

export async function writeCompacting(
  client: Connection,
  day: Date | null,
  monitorId: number | null,
): Promise<void> {
  await client.query('UPDATE history_progress SET compacting_day = $1, compacted_monitor_id = $2', [
    day,
    monitorId,
  ])
}

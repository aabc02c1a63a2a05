import type { ClockSample } from '../../core/probing/clock.ts'
import { type Database, inTransaction } from '../../postgres/database.ts'

/** Records that the service works and that jobs can reach it: silence counts until then. */
export async function beatPulse(db: Database, now: Date): Promise<void> {
  await db.pool.query({
    name: 'beat-pulse',
    text: `INSERT INTO scheduler_pulse (alive_at) VALUES ($1)
           ON CONFLICT (only_row) DO UPDATE SET alive_at = excluded.alive_at`,
    values: [now],
  })
}

/** Records that jobs can reach this process. Returns when that was by both clocks; null before anything has led. */
export async function beatReached(db: Database, monotonicMs: () => number): Promise<ClockSample | null> {
  const sentMs = monotonicMs()
  const { rows } = await db.pool.query<{ databaseMs: number }>({
    name: 'beat-reached-at',
    text: `UPDATE scheduler_pulse SET reached_at = clock_timestamp()
           RETURNING extract(epoch FROM reached_at)::float8 * 1000 AS "databaseMs"`,
  })
  const [beat] = rows
  return beat ? { sentMs, receivedMs: monotonicMs(), databaseMs: beat.databaseMs } : null
}

/**
 * Moves the deadlines of heartbeats and servers by the time since the last pulse, in which they could not reach
 * us; returns that time in seconds.
 */
export async function forgiveDowntime(db: Database, now: Date): Promise<number> {
  return inTransaction(db.pool, async (client) => {
    const { rows } = await client.query<{ aliveAt: Date; seconds: number }>(
      `SELECT alive_at AS "aliveAt", extract(epoch FROM $1::timestamptz - alive_at)::float8 AS seconds
       FROM scheduler_pulse FOR UPDATE`,
      [now],
    )
    const { aliveAt, seconds } = rows[0] ?? { aliveAt: now, seconds: 0 }
    if (seconds <= 0) return 0
    // Both in the order in which the recorders lock them.
    await client.query(
      `WITH held AS (
         SELECT monitor_id FROM monitor_state
         WHERE heartbeat_due_at > $2 AND revision IS NOT NULL
           -- not those of jobs that have been heard of since
           AND (last_checked_at IS NULL OR last_checked_at <= $2::timestamptz + interval '2 seconds')
         ORDER BY monitor_id FOR NO KEY UPDATE)
       UPDATE monitor_state s SET heartbeat_due_at = heartbeat_due_at + $1 * interval '1 second'
       FROM held WHERE s.monitor_id = held.monitor_id`,
      [seconds, aliveAt],
    )
    await client.query(
      `WITH held AS (
         SELECT server_id FROM server_state
         WHERE silent_at > $2 AND last_report_at <= $2::timestamptz + interval '2 seconds'
         ORDER BY server_id FOR NO KEY UPDATE)
       UPDATE server_state s SET silent_at = silent_at + $1 * interval '1 second'
       FROM held WHERE s.server_id = held.server_id`,
      [seconds, aliveAt],
    )
    await client.query('UPDATE scheduler_pulse SET alive_at = $1', [now])
    return seconds
  })
}

/** A sample of the clock, and how long no process has been reachable by jobs; 0 where none has ever reported that it is. */
export type Pulse = { sample: ClockSample; unreachedSeconds: number }

/** The time of the database's clock, and of our own before and after; with what the pulse says at that time. */
export async function readPulse(db: Database, monotonicMs: () => number): Promise<Pulse> {
  const sentMs = monotonicMs()
  const { rows } = await db.pool.query<{ databaseMs: number; unreachedSeconds: number | null }>({
    name: 'read-pulse',
    text: `SELECT extract(epoch FROM t.now)::float8 * 1000 AS "databaseMs",
                  extract(epoch FROM t.now - p.reached_at)::float8 AS "unreachedSeconds"
           FROM (SELECT clock_timestamp() AS now) t LEFT JOIN scheduler_pulse p ON true`,
  })
  const { databaseMs = Date.now(), unreachedSeconds = null } = rows[0] ?? {}
  return {
    sample: { sentMs, receivedMs: monotonicMs(), databaseMs },
    unreachedSeconds: unreachedSeconds ?? 0,
  }
}

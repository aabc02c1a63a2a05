import type { MonitorType } from '../../core/monitors/monitor-types.ts'
import type { MonitorOptions } from '../../core/monitors/options/monitor-options.ts'
import type { PingMark } from '../../core/monitors/ping.ts'
import type { Connection, Database } from '../../postgres/database.ts'
import { gather } from '../../postgres/gather.ts'
import { hashHeartbeatToken } from './monitor-changes.ts'

/** An active heartbeat, or manual monitor, as a ping finds it. */
export type FoundHeartbeat = { monitorId: number; type: MonitorType; options: MonitorOptions | null }
/** Finds the active monitor of a token; null if there is none. */
export type FindHeartbeat = (token: string) => Promise<FoundHeartbeat | null>

export function createHeartbeatFinder({ runShared }: Database): FindHeartbeat {
  return gather(async (tokens) => {
    const found: (FoundHeartbeat | null)[] = tokens.map(() => null)
    // OFFSET 0 keeps the conditions out of the lookup, so that each hash uses the index, whatever the
    // statistics suggest. The inner SELECT hides how many hashes there are: else most calls are planned anew, which takes
    // longer than they do.
    const { rows } = await runShared<FoundHeartbeat & { number: number }>({
      name: 'find-heartbeats',
      text: `SELECT asked.number, m.id AS "monitorId", m.type, m.options
             FROM unnest((SELECT $1::bytea[])) WITH ORDINALITY AS asked (hash, number)
             CROSS JOIN LATERAL (SELECT id, type, is_active, deleted_at, options FROM monitors
                                 WHERE heartbeat_token_hash = asked.hash OFFSET 0) m
             WHERE m.is_active AND m.deleted_at IS NULL`,
      values: [tokens.map(hashHeartbeatToken)],
    })
    for (const { number, ...monitor } of rows) found[number - 1] = monitor
    return found
  })
}

export type PingRecord = PingMark & { exitStatus: number | null; bodyBytes: number }

/** Newest first. */
export async function readPings(
  { pool }: Database,
  monitorId: number,
  { since, before, limit }: { since: Date | null; before: Date | null; limit: number },
): Promise<PingRecord[]> {
  // Start and end of a run may have the same millisecond; the end counts as newer.
  const { rows } = await pool.query<PingRecord>({
    name: 'read-pings',
    text: `SELECT received_at AS "receivedAt", kind, exit_status AS "exitStatus", run_id AS "runId",
                  coalesce(octet_length(body), 0) AS "bodyBytes"
           FROM pings
           WHERE monitor_id = $1 AND received_at >= coalesce($2::timestamptz, '-infinity')
             AND received_at < coalesce($3::timestamptz, 'infinity')
           ORDER BY received_at DESC, kind = 'start' LIMIT $4`,
    values: [monitorId, since, before, limit],
  })
  return rows
}

/** A start is searched for among so many pings. */
const MAX_RUN_PINGS = 250

/** The last pings of these monitors since `since`, oldest first, but for notes. */
export async function readRunMarks(
  client: Connection,
  monitorIds: number[],
  since: Date,
): Promise<Map<number, PingMark[]>> {
  const { rows } = await client.query<PingMark & { monitorId: number; receivedAt: Date }>({
    name: 'read-run-marks',
    text: `SELECT p.monitor_id AS "monitorId", p.received_at AS "receivedAt", p.kind, p.run_id AS "runId"
           FROM unnest($1::int[]) AS asked (id) CROSS JOIN LATERAL (
             SELECT monitor_id, received_at, kind, run_id FROM pings
             WHERE monitor_id = asked.id AND received_at >= $2 AND kind <> 'log'
             ORDER BY received_at DESC LIMIT ${MAX_RUN_PINGS}) p
           ORDER BY p.received_at, p.kind <> 'start'`,
    values: [monitorIds, since],
  })
  return Map.groupBy(rows, ({ monitorId }) => monitorId)
}

/** The stored body of the ping at this time; null if there is none. */
export async function readPingBody(
  { pool }: Database,
  monitorId: number,
  receivedAt: Date,
  since: Date | null,
): Promise<Buffer | null> {
  const { rows } = await pool.query<{ body: Buffer }>({
    name: 'read-ping-body',
    text: `SELECT body FROM pings
           WHERE monitor_id = $1 AND received_at = $2 AND received_at >= coalesce($3::timestamptz, '-infinity')
             AND body IS NOT NULL LIMIT 1`,
    values: [monitorId, receivedAt, since],
  })
  return rows[0]?.body ?? null
}

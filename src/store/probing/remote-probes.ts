import type { TeamConfirmation } from '../../core/monitors/confirmation.ts'
import type { MonitorType } from '../../core/monitors/monitor.ts'
import type { MonitorOptions } from '../../core/monitors/options/monitor-options.ts'
import type { TickOnRecord } from '../../core/probing/placing.ts'
import type { Holding } from '../../core/probing/remote-result.ts'
import type { Turns } from '../../core/probing/turns.ts'
import type { Connection, Database, Query } from '../../postgres/database.ts'
import { inTransaction } from '../../postgres/database.ts'
import { quarterOf, quartersBetween } from '../history/quarters.ts'
import { IS_PROBED, isOpenTo, OWN_REGIONS } from './schedule.ts'
import { endMemberships, SLOTS_CHANNEL, TURNS_AS_JSON } from './slots.ts'

/** When sessions and holdings of remote probes that stay silent are forgotten. */
const FORGOTTEN_AFTER = `interval '1 hour'`

export type ProbeToken = {
  id: number
  region: string
  name: string
  expiresAt: Date | null
  revokedAt: Date | null
}

export async function insertProbeToken(
  query: Query,
  token: { region: string; name: string; tokenHash: Buffer; ending: string; expiresAt: Date | null },
): Promise<{ id: number; createdAt: Date }> {
  const row = await query
    .insertInto('probe_tokens')
    .values({
      region: token.region,
      name: token.name,
      token_hash: token.tokenHash,
      ending: token.ending,
      expires_at: token.expiresAt,
    })
    .returning(['id', 'created_at as createdAt'])
    .executeTakeFirstOrThrow()
  return row
}

export async function listProbeTokens(query: Query) {
  return query
    .selectFrom('probe_tokens as k')
    .select((read) => [
      'k.id',
      'k.region',
      'k.name',
      'k.ending',
      'k.created_at',
      'k.last_used_at',
      'k.expires_at',
      'k.revoked_at',
      read
        .selectFrom('probers as p')
        .whereRef('p.probe_token', '=', 'k.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('probing'),
    ])
    .orderBy('k.id')
    .execute()
}

/** Ends a token and the memberships made by it; false when there is none, or it was revoked already. */
export async function revokeProbeToken(db: Database, id: number): Promise<boolean> {
  return inTransaction(db.pool, async (client) => {
    const { rowCount } = await client.query(
      'UPDATE probe_tokens SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL',
      [id],
    )
    if (rowCount === 0) return false
    await endMembershipsOf(client, id)
    return true
  })
}

/** Ends the memberships made by a token: their slots have no holder then. */
export async function endMembershipsOf(client: Pick<Connection, 'query'>, token: number): Promise<void> {
  const { rows } = await client.query<{ id: number }>('SELECT id FROM probers WHERE probe_token = $1', [
    token,
  ])
  const ended = await endMemberships(
    client,
    rows.map(({ id }) => id),
  )
  if (ended > 0) await client.query(`SELECT pg_notify('${SLOTS_CHANNEL}', '')`)
}

export async function findProbeToken(db: Database, tokenHash: Buffer): Promise<ProbeToken | null> {
  const { rows } = await db.pool.query<ProbeToken>({
    name: 'find-probe-token',
    text: `SELECT id, region, name, expires_at AS "expiresAt", revoked_at AS "revokedAt"
           FROM probe_tokens WHERE token_hash = $1`,
    values: [tokenHash],
  })
  return rows[0] ?? null
}

/** How far the results of a session are stored; null when it belongs to another token. */
export async function openProbeSession(db: Database, id: string, token: number): Promise<number | null> {
  const { rows } = await db.pool.query<{ acknowledged: number }>({
    name: 'open-probe-session',
    text: `WITH used AS (
             UPDATE probe_tokens SET last_used_at = now()
             WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute'))
           INSERT INTO probe_sessions AS s (id, probe_token) VALUES ($1, $2)
           ON CONFLICT (id) DO UPDATE SET seen_at = now() WHERE s.probe_token = excluded.probe_token
           RETURNING acknowledged`,
    values: [id, token],
  })
  return rows[0]?.acknowledged ?? null
}

/** Joins for a remote probe; null when its token has that many members already, was revoked or has expired. */
export async function joinRemotely(
  db: Database,
  prober: { region: string; host: string; pid: number },
  token: number,
  leaseSeconds: number,
  most: number,
): Promise<number | null> {
  return inTransaction(db.pool, async (client) => {
    // Joins by one token take turns, and wait for its revocation.
    await client.query('SELECT FROM probe_tokens WHERE id = $1 FOR UPDATE', [token])
    await client.query(`DELETE FROM probe_sessions WHERE seen_at < now() - ${FORGOTTEN_AFTER}`)
    await client.query(`DELETE FROM probe_holdings WHERE until < now() - ${FORGOTTEN_AFTER}`)
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO probers (region, host, pid, expires_at, probe_token, opens_addresses)
       SELECT $1, $2, $3, clock_timestamp() + $4 * interval '1 second', k.id, true FROM probe_tokens k
       WHERE k.id = $5 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
         AND (SELECT count(*) FROM probers WHERE probe_token = $5 AND expires_at > now()) < $6
       RETURNING id`,
      [prober.region, prober.host, prober.pid, leaseSeconds, token, most],
    )
    await client.query(`SELECT pg_notify('${SLOTS_CHANNEL}', '')`)
    return rows[0]?.id ?? null
  })
}

/** Whether a membership lives and was made by this token. */
export async function isMemberOf(db: Database, membership: number, token: number): Promise<boolean> {
  const { rowCount } = await db.pool.query({
    name: 'is-member-of',
    text: 'SELECT FROM probers WHERE id = $1 AND probe_token = $2',
    values: [membership, token],
  })
  return rowCount === 1
}

/** Records the slots that a remote probe holds now; adds a row only when they have changed. */
export async function noteHolding(
  db: Database,
  membership: number,
  token: number,
  slots: number[],
): Promise<void> {
  await db.pool.query({
    name: 'note-holding',
    text: `WITH last AS (
             SELECT since, slots FROM probe_holdings WHERE membership = $1 ORDER BY since DESC LIMIT 1),
           confirmed AS (
             UPDATE probe_holdings h SET until = now() FROM last WHERE membership = $1 AND h.since = last.since)
           INSERT INTO probe_holdings (membership, probe_token, slots, since, until)
           SELECT $1, $2, $3::smallint[], now(), now()
           WHERE NOT EXISTS (SELECT FROM last WHERE slots = $3::smallint[])
           ON CONFLICT DO NOTHING`,
    values: [membership, token, slots],
  })
}

export type Holdings = { nowMs: number; turns: Turns | null; holdings: Holding[] }

/** The slots held under these memberships by this token, with the turns and the time of the database. */
export async function readHoldings(db: Database, token: number, memberships: number[]): Promise<Holdings> {
  const { rows } = await db.pool.query<Holdings>({
    name: 'read-holdings',
    text: `SELECT extract(epoch FROM now())::float8 * 1000 AS "nowMs", ${TURNS_AS_JSON} AS turns,
             (SELECT coalesce(json_agg(json_build_object('membership', membership, 'slots', slots,
                'sinceMs', extract(epoch FROM since)::float8 * 1000,
                'untilMs', extract(epoch FROM until)::float8 * 1000)), '[]')
              FROM probe_holdings WHERE probe_token = $1 AND membership = ANY($2)) AS holdings`,
    values: [token, memberships],
  })
  return rows[0] as Holdings
}

/** How results of a monitor are judged; `askedAtMs`: when it was last changed, or asked for. */
export type MonitorAtRegion = {
  slot: number
  type: MonitorType
  intervalMs: number
  askedAtMs: number
  confirmation: TeamConfirmation
  options: MonitorOptions | null
  ownRegions: string[]
}

/** These monitors, as far as the region is open to them; also deleted ones, whose results come to nothing. */
export async function readMonitorsAtRegion(
  db: Database,
  monitorIds: number[],
  region: string,
): Promise<Map<number, MonitorAtRegion>> {
  const { rows } = await db.pool.query<MonitorAtRegion & { id: number }>({
    name: 'read-places',
    text: `SELECT m.id, m.slot, m.type, m.options, ${OWN_REGIONS} AS "ownRegions",
             json_build_object('confirmations', t.confirmations, 'recovery_checks', t.recovery_checks) AS confirmation,
             extract(epoch FROM greatest(m.changed_at, m.check_requested_at))::float8 * 1000 AS "askedAtMs",
             coalesce(m.check_interval_seconds, m.check_interval_minutes * 60)::float8 * 1000 AS "intervalMs"
           FROM monitors m JOIN teams t ON t.id = m.team_id
           WHERE m.id = ANY($1) AND ${IS_PROBED} AND ${isOpenTo('$2')}`,
    values: [monitorIds, region],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

/** The monitors, of these, that belong to the slots and that the region is open to. */
export async function monitorsOfSlots(
  db: Database,
  ids: number[],
  slots: number[],
  region: string,
): Promise<number[]> {
  const { rows } = await db.pool.query<{ id: number }>({
    name: 'monitors-of-slots',
    text: `SELECT id FROM monitors m WHERE id = ANY($1) AND slot = ANY($2) AND ${isOpenTo('$3')}`,
    values: [ids, slots, region],
  })
  return rows.map(({ id }) => id)
}

/** The monitors, of these, that are checked under a membership. */
export async function monitorsHeldBy(db: Database, membership: number, ids: number[]): Promise<Set<number>> {
  const { rows } = await db.pool.query<{ id: number }>({
    name: 'monitors-held-by',
    text: `SELECT m.id FROM monitors m JOIN slots s ON s.slot = m.slot AND s.holder = $1
           WHERE m.id = ANY($2) AND ${isOpenTo('s.region')}`,
    values: [membership, ids],
  })
  return new Set(rows.map(({ id }) => id))
}

export async function acknowledge(db: Database, session: string, until: number): Promise<void> {
  await db.pool.query({
    name: 'acknowledge-results',
    text: 'UPDATE probe_sessions SET acknowledged = greatest(acknowledged, $2) WHERE id = $1',
    values: [session, until],
  })
}

/** A tick of a monitor in a region, from its time to that of the next one. */
export type Tick = { monitorId: number; from: Date; until: Date; region: string }

/** The checks recorded for these ticks, by `tickKey`. */
export async function readTicks(client: Connection, ticks: Tick[]): Promise<Map<string, TickOnRecord>> {
  const { rows } = await client.query<TickOnRecord & Tick>({
    name: 'read-ticks',
    text: `SELECT t.monitor_id AS "monitorId", t.tick_from AS from, t.region, seen.*
           FROM (SELECT DISTINCT * FROM unnest($1::int[], $2::timestamptz[], $3::timestamptz[], $4::text[])
             AS t (monitor_id, tick_from, tick_until, region)) AS t,
           LATERAL (SELECT
               count(*) FILTER (WHERE c.status <> 'pending' AND c.region = t.region)::int AS judged,
               coalesce(extract(epoch FROM max(c.checked_at)
                 FILTER (WHERE c.status <> 'pending' AND c.region = t.region)), 0)::float8 * 1000 AS "newestJudgedMs",
               count(*) FILTER (WHERE c.status = 'pending' AND c.region = t.region)::int AS unjudged,
               count(*) FILTER (WHERE c.status <> 'pending') > 0 AS "isTaken"
             FROM checks c
             WHERE c.monitor_id = t.monitor_id AND c.checked_at >= t.tick_from AND c.checked_at < t.tick_until
               -- as the index has it
               AND ${quarterOf('c.checked_at')} = ANY(${quartersBetween('t.tick_from', 't.tick_until')})) AS seen`,
    values: [
      ticks.map(({ monitorId }) => monitorId),
      ticks.map(({ from }) => from),
      ticks.map(({ until }) => until),
      ticks.map(({ region }) => region),
    ],
  })
  return new Map(rows.map((row) => [tickKey(row), row]))
}

export function tickKey({ monitorId, from, region }: Omit<Tick, 'until'>): string {
  return `${monitorId} ${from.getTime()} ${region}`
}

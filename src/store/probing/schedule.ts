import { type Selectable, sql } from 'kysely'
import { PROBED_TYPES } from '../../core/monitors/monitor-types.ts'
import type { MonitorOptions } from '../../core/monitors/options/monitor-options.ts'
import { PROBED_SETTINGS, type ProbedSetting } from '../../core/monitors/probe-settings.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Database, Query } from '../../postgres/database.ts'
import type { Tables } from '../../postgres/tables.ts'

/** A monitor as a check needs it. Secrets stay sealed until then. */
export type MonitorToCheck = Pick<
  Selectable<Tables['monitors']>,
  'id' | 'revision' | 'type' | 'team_id' | ProbedSetting
> & {
  /** A remote probe gets the URL as it is, and none of these. */
  sealed_url?: string | null
  /** With masks in place of secrets, which stand sealed beside them; a remote probe gets the options as they are. */
  options: MonitorOptions | null
  sealed_options?: string | null
  interval_seconds: number
  /** Its team's settings for confirmation; see core/monitors/confirmation.ts. */
  confirmations: number
  recovery_checks: number
  /** The reserved regions that its team may use. */
  own_regions: string[]
}

/** An active monitor as schedulers read it, with what says when it is checked. */
export type ScheduledMonitor = MonitorToCheck & {
  slot: number
  changed_at: Date
  last_checked_at: Date | null
  /** When a user requested an immediate check. */
  check_requested_at: Date | null
  pending: boolean
  /** The last check passed without a warning. */
  up: boolean
  heartbeat_due_at: Date | null
  /** When a further attempt of a check that failed is due; null where none is. */
  next_attempt_at: Date | null
  /** After a hand-over: the start of the ticks that were left to us, and whether its last check was abandoned. */
  due_from: Date | null
  cut: boolean
}

/** The monitors that one process schedules: heartbeats, or those in some of the slots that a prober holds. */
export type Share = 'heartbeats' | { holder: number; slots: number[] }

/** An active monitor that changed, or the ID of one that is no longer checked. */
export type ScheduleChange = ScheduledMonitor | { id: number; revision: number; stopped: true }

export const MONITORS_CHANNEL = 'upbeat_monitors'

/** SQL for whether probers check monitor `m`. */
export const IS_PROBED = `m.type IN (${PROBED_TYPES.map((type) => `'${type}'`).join(', ')})`

/** SQL for the reserved regions that a monitor `m` may use. */
export const OWN_REGIONS = 'ARRAY(SELECT r.region FROM reserved_regions r WHERE m.team_id = ANY(r.team_ids))'

/** SQL for whether a monitor `m` may use a region: it is open to all teams or reserved for its team. */
export function isOpenTo(region: string): string {
  return `NOT EXISTS (SELECT FROM reserved_regions r WHERE r.region = ${region} AND m.team_id <> ALL(r.team_ids))`
}

/** The columns of a monitor, its state and its team. `due_from` and `cut` come from the slot. */
export const SCHEDULED_COLUMNS = `m.id, m.revision, m.type, m.team_id, m.sealed_url, m.options, m.sealed_options, ${PROBED_SETTINGS.map((name) => `m.${name}`).join(', ')},
  coalesce(m.check_interval_seconds, m.check_interval_minutes * 60) AS interval_seconds,
  s.last_checked_at, m.check_requested_at, s.status = 'pending' AS pending, s.status = 'up' AS up,
  s.heartbeat_due_at, s.next_attempt_at, m.slot, m.changed_at, t.confirmations, t.recovery_checks, ${OWN_REGIONS} AS own_regions`
export const SCHEDULED_FROM =
  'monitors m JOIN monitor_state s ON s.monitor_id = m.id JOIN teams t ON t.id = m.team_id'

const OF_HEARTBEATS = `SELECT ${SCHEDULED_COLUMNS}, NULL::timestamptz AS due_from, false AS cut,
    m.is_active AND m.deleted_at IS NULL AS active
  FROM ${SCHEDULED_FROM}
  WHERE m.type = 'heartbeat'`

const OF_SLOTS = `SELECT ${SCHEDULED_COLUMNS}, sl.due_from, m.id = ANY(sl.cut) AS cut,
    m.is_active AND m.deleted_at IS NULL AS active
  FROM ${SCHEDULED_FROM}
  JOIN slots sl ON sl.slot = m.slot AND sl.holder = $1
  WHERE ${IS_PROBED} AND m.slot = ANY($2) AND ${isOpenTo('sl.region')}`

export async function readSchedule(db: Database, share: Share): Promise<ScheduledMonitor[]> {
  const { text, values } = statementOf(share)
  const { rows } = await db.pool.query<ScheduledMonitor & { active: boolean }>(
    `${text} AND m.is_active AND m.deleted_at IS NULL`,
    values,
  )
  return rows.map(({ active, ...monitor }) => monitor)
}

function statementOf(share: Share): { text: string; values: unknown[] } {
  if (share === 'heartbeats') return { text: OF_HEARTBEATS, values: [] }
  return { text: OF_SLOTS, values: [share.holder, share.slots] }
}

/** Monitors that changed in the last `seconds`, in case a notification was lost. */
export async function readRecentChanges(
  db: Database,
  share: Share,
  seconds: number,
): Promise<ScheduleChange[]> {
  return readChanges(
    db,
    share,
    (n) => `m.changed_at > now() - $${n} * interval '1 second'`,
    seconds,
    'recent-changes',
  )
}

export async function readMonitorChanges(
  db: Database,
  share: Share,
  ids: number[],
): Promise<ScheduleChange[]> {
  return readChanges(db, share, (n) => `m.id = ANY($${n})`, ids, 'monitor-changes')
}

/** Monitors without a first or a requested check. The prober in charge of them may have changed since the request. */
export async function readWaiting(db: Database, share: Share): Promise<ScheduleChange[]> {
  return readChanges(
    db,
    share,
    (n) => `m.is_active = $${n} AND m.deleted_at IS NULL
        AND (s.last_checked_at IS NULL OR m.check_requested_at > s.last_checked_at)`,
    true,
    'waiting',
  )
}

async function readChanges(
  db: Database,
  share: Share,
  condition: (parameter: number) => string,
  value: unknown,
  name: string,
): Promise<ScheduleChange[]> {
  const { text, values } = statementOf(share)
  const { rows } = await db.pool.query<ScheduledMonitor & { active: boolean }>({
    name: share === 'heartbeats' ? `${name}-of-heartbeats` : name,
    text: `${text} AND ${condition(values.length + 1)}`,
    values: [...values, value],
  })
  return rows.map(({ active, ...row }) =>
    active ? row : { id: row.id, revision: row.revision, stopped: true as const },
  )
}

/**
 * Requests an immediate check, unless another request within `pauseMs` stands for this one. The other one may be
 * slightly ahead, because the later of two simultaneous requests may be written first; a time far ahead means that the
 * clock was set back. Returns the time of the request that counts; undefined if the monitor no longer exists.
 */
export async function requestCheck(
  query: Query,
  teamId: number,
  monitorId: number,
  now: Date,
  pauseMs: number,
): Promise<Date | undefined> {
  const monitor = query.updateTable('monitors').where('team_id', '=', teamId).where('id', '=', monitorId)
  const [earliest, latest] = [-pauseMs, pauseMs].map((ms) => new Date(now.getTime() + ms))
  const recent = sql<boolean>`check_requested_at BETWEEN ${earliest} AND ${latest}`
  const row = await monitor
    .where('deleted_at', 'is', null)
    .set({
      check_requested_at: sql<Date>`CASE WHEN ${recent} THEN check_requested_at ELSE ${now}::timestamptz END`,
      // Processes that poll for changes see the request, too.
      changed_at: sql<Date>`now()`,
    })
    .returning('check_requested_at')
    .executeTakeFirst()
  return row?.check_requested_at ?? undefined
}

/**
 * Requests immediate checks of monitors of any team, and wakes schedulers: as many as fit into one payload of 8 kB. One
 * that was requested within half a second is left as it is: several processes ask at once.
 */
export async function requestChecks({ pool }: Database, ids: number[], now: Date): Promise<void> {
  await pool.query({
    name: 'request-checks',
    // In the order of their IDs, as all transactions lock them.
    text: `WITH held AS (
             SELECT id FROM monitors WHERE id = ANY($1) AND is_active AND deleted_at IS NULL
               AND (check_requested_at BETWEEN $2::timestamptz - interval '500 ms' AND $2::timestamptz
                 + interval '500 ms') IS NOT TRUE
             ORDER BY id FOR NO KEY UPDATE),
           requested AS (
             UPDATE monitors m SET check_requested_at = $2, changed_at = now() FROM held WHERE m.id = held.id
             RETURNING m.id)
           SELECT pg_notify('${MONITORS_CHANNEL}', string_agg(id::text, ',')) FROM requested HAVING count(*) > 0`,
    values: [ids, now],
  })
}

/** Heartbeats of these teams that were due by their last ping. */
export async function readDueHeartbeats(db: Database, teamIds: number[]): Promise<ScheduleChange[]> {
  const due = (n: number) => `s.heartbeat_due_at <= clock_timestamp() AND m.team_id = ANY($${n})`
  return readChanges(db, 'heartbeats', due, teamIds, 'due-in-teams')
}

/** Notifies schedulers of changed monitors on commit. The IDs must fit into one payload of 8 kB. */
export async function announceMonitors(query: Query, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`SELECT pg_notify(${MONITORS_CHANNEL}, ${ids.join()})`.execute(query)
}

/** Notifies schedulers that settings of teams changed, and marks the monitors as changed for processes that miss it. */
export async function announceTeams(query: Query, teamIds: number[]): Promise<void> {
  // In the order of their IDs, as all transactions lock them.
  await query
    .with('held', (held) =>
      held
        .selectFrom('monitors')
        .select('id')
        .where('team_id', '=', anyOf(teamIds))
        .where('deleted_at', 'is', null)
        .where('is_active', '=', true)
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .updateTable('monitors')
    .set({ changed_at: sql<Date>`now()` })
    .where('id', 'in', (held) => held.selectFrom('held').select('id'))
    .execute()
  await sql`SELECT pg_notify(${MONITORS_CHANNEL}, '')`.execute(query)
}

export async function readHeartbeatDueAt(query: Query, monitorId: number): Promise<Date | null> {
  const row = await query
    .selectFrom('monitor_state')
    .select('heartbeat_due_at')
    .where('monitor_id', '=', monitorId)
    .executeTakeFirst()
  return row?.heartbeat_due_at ?? null
}

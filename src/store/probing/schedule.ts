import { type Selectable, sql } from 'kysely'
import { PROBED_SETTINGS, type ProbedSetting } from '../../core/monitors/probe-settings.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Database, Query } from '../../postgres/database.ts'
import type { Tables } from '../../postgres/tables.ts'

/** One active monitor as the scheduler keeps it in memory; secrets stay sealed until a check needs them. */
export type ScheduledMonitor = Pick<
  Selectable<Tables['monitors']>,
  'id' | 'revision' | 'type' | 'slot' | 'changed_at' | ProbedSetting
> & {
  interval_seconds: number
  last_checked_at: Date | null
  /** When somebody asked for a check that does not wait for its turn. */
  check_requested_at: Date | null
  pending: boolean
  /** The last check passed without a warning. */
  up: boolean
  heartbeat_due_at: Date | null
  /** What its team wants confirmed; see core/monitors/confirmation.ts. */
  confirmations: number
  recovery_checks: number
  /** The reserved regions that are open to its team. */
  own_regions: string[]
  /** Where it came by hand-over: from when on its ticks were left to us, and whether its last check was given up. */
  due_from: Date | null
  cut: boolean
}

/** What one process schedules: heartbeats, or what is checked in some of the slots that a prober holds. */
export type Share = 'heartbeats' | { holder: number; slots: number[] }

/** Whatever changed: an active monitor, or the id of one that is not to be checked any more. */
export type ScheduleChange = ScheduledMonitor | { id: number; revision: number; stopped: true }

export const MONITORS_CHANNEL = 'upbeat_monitors'

/** Of a monitor `m`. */
export const OWN_REGIONS = 'ARRAY(SELECT r.region FROM reserved_regions r WHERE m.team_id = ANY(r.team_ids))'

/** Whether a region is open to a monitor `m`: everybody's, or reserved for its team, too. */
export function isOpenTo(region: string): string {
  return `NOT EXISTS (SELECT FROM reserved_regions r WHERE r.region = ${region} AND m.team_id <> ALL(r.team_ids))`
}

/** Of one monitor, its state and its team; `due_from` and `cut` are the slot's. */
export const SCHEDULED_COLUMNS = `m.id, m.revision, m.type, ${PROBED_SETTINGS.map((name) => `m.${name}`).join(', ')},
  coalesce(m.check_interval_seconds, m.check_interval_minutes * 60) AS interval_seconds,
  s.last_checked_at, m.check_requested_at, s.status = 'pending' AS pending, s.status = 'up' AS up,
  s.heartbeat_due_at, m.slot, m.changed_at, t.confirmations, t.recovery_checks, ${OWN_REGIONS} AS own_regions`
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
  WHERE m.type <> 'heartbeat' AND m.slot = ANY($2) AND ${isOpenTo('sl.region')}`

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

/** Monitors changed in the last `seconds`: what a lost notification would have said. */
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

/** Monitors that were never checked, or not since somebody asked for it: whose turn it is may have changed since. */
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
 * Asks for a check at once, unless that was asked for within the last `pauseMs`: then that request stands for this
 * one. Of two that come together, the later one may be written first; a time far ahead is that of a clock set back.
 * Returns when it was asked for; undefined when there is no such monitor any more.
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
      // Whoever polls for changes sees the request, too.
      changed_at: sql<Date>`now()`,
    })
    .returning('check_requested_at')
    .executeTakeFirst()
  return row?.check_requested_at ?? undefined
}

/** Tells schedulers, once the transaction commits, that monitors have changed: few enough for one payload of 8 kB. */
export async function announceMonitors(query: Query, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`SELECT pg_notify(${MONITORS_CHANNEL}, ${ids.join()})`.execute(query)
}

/** The same for all monitors of teams: what they have of their team has changed. Whoever missed it reads it as a change. */
export async function announceTeams(query: Query, teamIds: number[]): Promise<void> {
  // In the order of their ids, as everybody locks them.
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

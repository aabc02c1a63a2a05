import type { Cutoffs } from '../core/history/history-span.ts'
import type { WatchedTime } from '../core/history/uptime.ts'
import { SUBJECT_KINDS, type SubjectKind } from '../core/maintenance/subject-kind.ts'
import type { LiveStatus } from '../core/monitors/status.ts'
import type { Database } from '../postgres/database.ts'
import type { Tables } from '../postgres/tables.ts'
import { type DayTimes, readDayTimes } from './history/day-times.ts'
import type { RetainedTable } from './history/retention.ts'
import { readWatchedTime } from './history/watched-time.ts'
import { LIVE_STATUS } from './monitors/monitor-briefs.ts'
import { LIVE_SERVER_STATUS } from './servers/overview.ts'
import { readServerDayTimes } from './servers/uptimes.ts'
import { readWatchedServers } from './servers/watched-time.ts'
import { LIVE_SITE_STATUS, WORST_AREA } from './sites/overview.ts'
import { readSiteDayTimes } from './sites/uptimes.ts'
import { readWatchedSites } from './sites/watched-time.ts'

type Span = { from: Date; to: Date }

/** An entry says where a kind of subject is stored, beyond its row in `subjects`. */
type StoredKind = {
  table: keyof Tables
  /** The progress that says up to where its time is rolled up. */
  rolledUpUntil: 'hoursUntil' | 'serverHoursUntil' | 'siteDaysUntil'
  /** The statement sums rolled-up times by span and subject. */
  rolledUpTimes: string
  /** Whether roll-ups have no hours: its changes of status are kept as long. */
  hasDaysOnly: boolean
  /** Tables of its history, each with how long a plan keeps it. */
  retained: Partial<Record<RetainedTable, keyof Cutoffs>>
  /** Tables of which nothing is left once its deletion cannot be taken back. */
  forgotten: readonly RetainedTable[]
  /** SQL for how one of an id stands, as its row and its state have it. */
  standing: (id: string) => string
  /** SQL for lines with all that status pages show of one but for its history. */
  shown: (id: string) => string
  /** How many stand how, of a team, or of all teams for the operator. */
  countByStatus: (db: Database, teamId: number | null) => Promise<{ status: LiveStatus; count: number }[]>
  readWatched: (db: Database, ids: number[], span: Span) => Promise<Map<number, WatchedTime>>
  readDayTimes: (db: Database, ids: number[], from: Date, now: Date) => Promise<DayTimes>
}

/** Sums the rows of tables of rolled-up times, of the spans that `of` says. */
function sums(tables: readonly { table: string; subject: string; of: string }[]): string {
  const parts = tables.map(
    ({ table, subject, of }) => `
      SELECT ${subject} AS id, up_ms, degraded_ms, down_ms, maintenance_ms FROM ${table}
      WHERE ${subject} = ANY($1) AND ${of}`,
  )
  return `
  WITH spans AS (
    SELECT * FROM unnest($2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
      WITH ORDINALITY AS s (since, until, whole, part, n)),
  edge AS (SELECT $6::timestamptz AS hours, date_trunc('day', $6::timestamptz, 'UTC') AS days)
  SELECT s.n, p.id, sum(p.up_ms)::bigint AS "upMs", sum(p.degraded_ms)::bigint AS "degradedMs",
    sum(p.down_ms)::bigint AS "downMs", sum(p.maintenance_ms)::bigint AS "maintenanceMs"
  FROM spans AS s CROSS JOIN LATERAL (${parts.join(' UNION ALL ')}) AS p
  WHERE p.up_ms IS NOT NULL GROUP BY s.n, p.id`
}

/** Counts by `status`. The statement is prepared by name, because planning it takes as long as running it. */
function countBy(status: string, tables: string, subject: string): StoredKind['countByStatus'] {
  const textOf = (condition: string) =>
    `SELECT ${status} AS status, count(*) AS count FROM ${tables}
     WHERE ${subject}.deleted_at IS NULL ${condition} GROUP BY 1`
  const [name] = tables.split(' ', 1)
  const ofAll = { name: `count-all-${name}-by-status`, text: textOf('') }
  const ofTeam = { name: `count-${name}-by-status`, text: textOf(`AND ${subject}.team_id = $1`) }
  return async ({ pool }, teamId) => {
    const statement = teamId === null ? ofAll : { ...ofTeam, values: [teamId] }
    return (await pool.query<{ status: LiveStatus; count: number }>(statement)).rows
  }
}

const MONITOR_DAYS = { table: 'check_days', subject: 'monitor_id' }
const MONITOR_HOURS = { table: 'check_hours', subject: 'monitor_id' }
const EDGE_DAY = '(SELECT days FROM edge)'
const EDGE_HOUR = '(SELECT hours FROM edge)'

export const STORED_KINDS = {
  monitor: {
    table: 'monitors',
    rolledUpUntil: 'hoursUntil',
    // Whole days come from days, the rest from hours.
    rolledUpTimes: sums([
      { ...MONITOR_DAYS, of: `day >= s.whole AND day < least(s.part, ${EDGE_DAY})` },
      { ...MONITOR_HOURS, of: `hour >= s.since AND hour < least(s.whole, s.until, ${EDGE_HOUR})` },
      {
        ...MONITOR_HOURS,
        of: `hour >= greatest(s.whole, least(s.part, ${EDGE_DAY})) AND hour < least(s.until, ${EDGE_HOUR})`,
      },
    ]),
    hasDaysOnly: false,
    retained: {
      ...{ check_chunks: 'checks', failing_answers: 'checks' },
      ...{ check_hours: 'rollUps', check_days: 'rollUps', monitor_pauses: 'rollUps' },
    },
    forgotten: [],
    standing: (id) => `SELECT m.is_active, s.status, s.status_since
      FROM monitors m LEFT JOIN monitor_state s ON s.monitor_id = m.id WHERE m.id = ${id}`,
    shown: (
      id,
    ) => `SELECT concat_ws(',', m.is_active, m.deleted_at, s.status, s.status_since, s.open_incident_id) AS line
      FROM monitors m LEFT JOIN monitor_state s ON s.monitor_id = m.id WHERE m.id = ${id}`,
    countByStatus: countBy(LIVE_STATUS, 'monitors m JOIN monitor_state s ON s.monitor_id = m.id', 'm'),
    readWatched: ({ pool, query }, ids, span) => readWatchedTime(pool, query, ids, span),
    readDayTimes,
  },
  server: {
    table: 'servers',
    rolledUpUntil: 'serverHoursUntil',
    rolledUpTimes: sums([
      {
        ...{ table: 'server_hours', subject: 'server_id' },
        of: `hour >= s.since AND hour < least(s.until, ${EDGE_HOUR})`,
      },
    ]),
    hasDaysOnly: false,
    retained: {
      ...{ server_chunks: 'checks', server_hours: 'servers' },
      ...{ subject_status_changes: 'servers', team_incidents: 'servers' },
    },
    forgotten: ['server_chunks', 'server_hours'],
    standing: (id) => `SELECT m.is_active, s.status, s.status_since
      FROM servers m JOIN server_state s ON s.server_id = m.id WHERE m.id = ${id}`,
    shown: (id) => `SELECT concat_ws(',', m.is_active, m.deleted_at, s.status, s.status_since) AS line
      FROM servers m JOIN server_state s ON s.server_id = m.id WHERE m.id = ${id}`,
    countByStatus: countBy(LIVE_SERVER_STATUS, 'servers s JOIN server_state t ON t.server_id = s.id', 's'),
    readWatched: ({ pool }, ids, span) => readWatchedServers(pool, ids, span),
    readDayTimes: readServerDayTimes,
  },
  site: {
    table: 'sites',
    rolledUpUntil: 'siteDaysUntil',
    rolledUpTimes: sums([
      {
        ...{ table: 'site_days', subject: 'site_id' },
        of: `day >= s.whole AND day < least(s.part, ${EDGE_HOUR})`,
      },
    ]),
    hasDaysOnly: true,
    retained: { site_days: 'servers', subject_status_changes: 'servers', team_incidents: 'servers' },
    forgotten: ['site_days', 'site_findings', 'site_dns_sets'],
    // Its status is not stored: it is that of its areas.
    standing: (id) =>
      `SELECT m.is_active, NULL::text AS status, NULL::timestamptz AS status_since FROM sites m WHERE m.id = ${id}`,
    shown: (
      id,
    ) => `SELECT concat_ws(',', m.is_active, m.deleted_at, a.area, a.status, a.status_since, a.area = ANY(m.areas_off),
        a.snoozed_until > now()) AS line
      FROM sites m JOIN site_areas a ON a.site_id = m.id WHERE m.id = ${id}`,
    countByStatus: countBy(LIVE_SITE_STATUS, `sites s ${WORST_AREA}`, 's'),
    readWatched: ({ pool }, ids, span) => readWatchedSites(pool, ids, span),
    readDayTimes: readSiteDayTimes,
  },
} as const satisfies Record<SubjectKind, StoredKind>

/** SQL for what the entry of a kind says of a subject; the columns `kind` and `id` name it. */
export function ofSubject(says: 'standing' | 'shown', { kind, id }: { kind: string; id: string }): string {
  const each = SUBJECT_KINDS.map(
    (one) => `SELECT * FROM (${STORED_KINDS[one][says](id)}) AS one WHERE ${kind} = '${one}'`,
  )
  return each.join(' UNION ALL ')
}

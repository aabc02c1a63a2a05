import type { Cutoffs } from '../core/history/history-span.ts'
import type { WatchedTime } from '../core/history/uptime.ts'
import { SUBJECT_KINDS, type SubjectKind } from '../core/maintenance/subject-kind.ts'
import type { Database } from '../postgres/database.ts'
import type { Tables } from '../postgres/tables.ts'
import { type DayTimes, readDayTimes } from './history/day-times.ts'
import type { RetainedTable } from './history/retention.ts'
import { readWatchedTime } from './history/watched-time.ts'
import { readServerDayTimes } from './servers/uptimes.ts'
import { readWatchedServers } from './servers/watched-time.ts'
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
  readWatched: (db: Database, ids: number[], span: Span) => Promise<Map<number, WatchedTime>>
  readDayTimes: (db: Database, ids: number[], from: Date, now: Date) => Promise<DayTimes>
}

const SPANS = `
  WITH spans AS (
    SELECT * FROM unnest($2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
      WITH ORDINALITY AS s (since, until, whole, part, n)),
  edge AS (SELECT $6::timestamptz AS hours, date_trunc('day', $6::timestamptz, 'UTC') AS days)`
const SUMS = `
  SELECT s.n, p.id, sum(p.up_ms)::bigint AS "upMs", sum(p.degraded_ms)::bigint AS "degradedMs",
    sum(p.down_ms)::bigint AS "downMs", sum(p.maintenance_ms)::bigint AS "maintenanceMs"
  FROM spans AS s CROSS JOIN LATERAL`
const TIMES = 'up_ms, degraded_ms, down_ms, maintenance_ms'

export const STORED_KINDS = {
  monitor: {
    table: 'monitors',
    rolledUpUntil: 'hoursUntil',
    // Whole days come from days, the rest from hours.
    rolledUpTimes: `${SPANS} ${SUMS} (
      SELECT monitor_id AS id, ${TIMES} FROM check_days
      WHERE monitor_id = ANY($1) AND day >= s.whole AND day < least(s.part, (SELECT days FROM edge))
      UNION ALL
      SELECT monitor_id, ${TIMES} FROM check_hours
      WHERE monitor_id = ANY($1) AND hour >= s.since AND hour < least(s.whole, s.until, (SELECT hours FROM edge))
      UNION ALL
      SELECT monitor_id, ${TIMES} FROM check_hours
      WHERE monitor_id = ANY($1) AND hour >= greatest(s.whole, least(s.part, (SELECT days FROM edge)))
        AND hour < least(s.until, (SELECT hours FROM edge))
    ) AS p WHERE p.up_ms IS NOT NULL GROUP BY s.n, p.id`,
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
    readWatched: ({ pool, query }, ids, span) => readWatchedTime(pool, query, ids, span),
    readDayTimes,
  },
  server: {
    table: 'servers',
    rolledUpUntil: 'serverHoursUntil',
    rolledUpTimes: `${SPANS} ${SUMS} (
      SELECT server_id AS id, ${TIMES} FROM server_hours
      WHERE server_id = ANY($1) AND hour >= s.since AND hour < least(s.until, (SELECT hours FROM edge))
    ) AS p GROUP BY s.n, p.id`,
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
    readWatched: ({ pool }, ids, span) => readWatchedServers(pool, ids, span),
    readDayTimes: readServerDayTimes,
  },
  site: {
    table: 'sites',
    rolledUpUntil: 'siteDaysUntil',
    rolledUpTimes: `${SPANS} ${SUMS} (
      SELECT site_id AS id, ${TIMES} FROM site_days
      WHERE site_id = ANY($1) AND day >= s.whole AND day < least(s.part, (SELECT hours FROM edge))
    ) AS p GROUP BY s.n, p.id`,
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

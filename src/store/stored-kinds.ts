import type { Cutoffs } from '../core/history/history-span.ts'
import type { WatchedTime } from '../core/history/uptime.ts'
import type { SubjectKind } from '../core/maintenance/subject-kind.ts'
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
    readWatched: ({ pool }, ids, span) => readWatchedSites(pool, ids, span),
    readDayTimes: readSiteDayTimes,
  },
} as const satisfies Record<SubjectKind, StoredKind>

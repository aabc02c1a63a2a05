import { DAY_MS, nextWhole, startOfDay } from '../../core/history/history-span.ts'
import {
  addTimes,
  type KnownTimes,
  noTime,
  stateTimes,
  type TimeSpan,
  type WatchedTime,
} from '../../core/history/uptime.ts'
import type { SubjectKind } from '../../core/maintenance/window.ts'
import type { Database } from '../../postgres/database.ts'
import { readProgress } from '../history/history-progress.ts'
import { readWatchedTime } from '../history/watched-time.ts'
import { readWatchedServers } from '../servers/watched-time.ts'
import { readWatchedSites } from '../sites/watched-time.ts'

/** The known time of each subject in each of the spans, in their order. */
export type TimesOfSpans = Map<number, KnownTimes[]>

type Row = KnownTimes & { n: number; id: number }

/**
 * The time of subjects of one kind in spans of full hours, in order and without overlaps. Rolled-up hours are read as they were
 * closed; the rest up to `now` is worked out.
 */
export async function readTimesOfSpans(
  db: Database,
  kind: SubjectKind,
  ids: number[],
  spans: readonly TimeSpan[],
  now: Date,
): Promise<TimesOfSpans> {
  const sums: TimesOfSpans = new Map(ids.map((id) => [id, spans.map(() => noTime())]))
  if (ids.length === 0 || spans.length === 0) return sums
  const progress = await readProgress(db.pool)
  const until =
    {
      monitor: progress?.hoursUntil,
      server: progress?.serverHoursUntil,
      site: progress?.siteDaysUntil,
    }[kind] ?? new Date(0)
  const [rows, worked] = await Promise.all([
    readRolledUpTimes(db, kind, ids, spans, until),
    workOut(db, kind, ids, spans, until, now),
  ])
  for (const { n, id, ...times } of [...rows, ...worked]) {
    const sum = sums.get(id)?.[n - 1]
    if (sum) addTimes(sum, times)
  }
  return sums
}

async function readRolledUpTimes(
  { pool }: Database,
  kind: SubjectKind,
  ids: number[],
  spans: readonly TimeSpan[],
  until: Date,
): Promise<Row[]> {
  const { rows } = await pool.query<Row>({
    name: `read-report-times-of-${kind}s`,
    text: ROLLED_UP[kind],
    values: [ids, ...bounds(spans), until],
  })
  return rows
}

/** When spans begin and end, and the whole days of UTC in them. */
function bounds(spans: readonly TimeSpan[]): Date[][] {
  const from = spans.map(({ fromMs }) => new Date(fromMs))
  const to = spans.map(({ toMs }) => new Date(toMs))
  return [from, to, from.map((at) => nextWhole(at, DAY_MS)), to.map((at) => startOfDay(at))]
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

/** The times of whole days come from days for monitors, the rest from hours. Sites have days only. */
const ROLLED_UP: Record<SubjectKind, string> = {
  monitor: `${SPANS} ${SUMS} (
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
  server: `${SPANS} ${SUMS} (
    SELECT server_id AS id, ${TIMES} FROM server_hours
    WHERE server_id = ANY($1) AND hour >= s.since AND hour < least(s.until, (SELECT hours FROM edge))
  ) AS p GROUP BY s.n, p.id`,
  site: `${SPANS} ${SUMS} (
    SELECT site_id AS id, ${TIMES} FROM site_days
    WHERE site_id = ANY($1) AND day >= s.whole AND day < least(s.part, (SELECT hours FROM edge))
  ) AS p GROUP BY s.n, p.id`,
}

/** The parts of spans that no roll-up says. */
async function workOut(
  db: Database,
  kind: SubjectKind,
  ids: number[],
  spans: readonly TimeSpan[],
  until: Date,
  now: Date,
): Promise<Row[]> {
  const parts = spans.flatMap((span, index) =>
    partsLeft(kind, span, until.getTime(), now.getTime()).map((part) => ({ ...part, n: index + 1 })),
  )
  const first = parts[0]
  if (!first) return []
  const range = { from: new Date(first.fromMs), to: new Date(Math.max(...parts.map(({ toMs }) => toMs))) }
  const watched = await readWatched(db, kind, ids, range)
  return [...watched].flatMap(([id, one]) =>
    parts.map(({ n, ...part }) => {
      const { unknownMs, ...times } = stateTimes(one, part)
      return { n, id, ...times }
    }),
  )
}

function readWatched(
  { pool, query }: Database,
  kind: SubjectKind,
  ids: number[],
  range: { from: Date; to: Date },
): Promise<Map<number, WatchedTime>> {
  if (kind === 'monitor') return readWatchedTime(pool, query, ids, range)
  return kind === 'server' ? readWatchedServers(pool, ids, range) : readWatchedSites(pool, ids, range)
}

/** The parts of a span that are after the roll-ups; of sites also the parts of days at its ends, as changes of status are kept as long. */
function partsLeft(
  kind: SubjectKind,
  { fromMs, toMs }: TimeSpan,
  untilMs: number,
  nowMs: number,
): TimeSpan[] {
  const endMs = Math.min(toMs, nowMs)
  const tail = { fromMs: Math.max(fromMs, untilMs), toMs: endMs }
  const parts =
    kind === 'site'
      ? withoutDays({ fromMs, toMs: endMs }, Math.min(startOfDay(new Date(toMs)).getTime(), untilMs))
      : [tail]
  return parts.filter((part) => part.fromMs < part.toMs)
}

/** Without the whole days of UTC before a time. */
function withoutDays({ fromMs, toMs }: TimeSpan, daysUntilMs: number): TimeSpan[] {
  const wholeMs = nextWhole(new Date(fromMs), DAY_MS).getTime()
  if (wholeMs >= daysUntilMs) return [{ fromMs, toMs }]
  return [
    { fromMs, toMs: Math.min(wholeMs, toMs) },
    { fromMs: daysUntilMs, toMs },
  ]
}

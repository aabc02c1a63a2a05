import { DAY_MS } from '../../core/history/history-span.ts'
import type { CheckRun, TimeSpan, WatchedTime } from '../../core/history/uptime.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import { hasInterval, MonitorType } from '../../core/monitors/monitor-types.ts'
import type { Connection, Query } from '../../postgres/database.ts'
import { type KnownCover, readCoveredTime } from '../maintenance/covered-time.ts'
import { readCheckPage } from './history.ts'
import { inQuarters, OLDEST_DAY_OF_ROWS, QUARTER_OF_AN_HOUR, quartersBetween } from './quarters.ts'

type Reader = Pick<Connection, 'query'>
type MonitorTimes = {
  id: number
  teamId: number
  createdAt: Date
  validMs: number
  isHeartbeat: boolean
  isGroup: boolean
  deletedAt: Date | null
}
type SpanRow = { id: number; from: Date; to: Date | null }

/**
 * The known history of these monitors from a full hour up to another time, whose checks are still rows. `cover` spares
 * who asks for many monitors, some at a time, to work out their windows each time: pass the same map again.
 */
export async function readWatchedTime(
  reader: Reader,
  query: Query,
  monitorIds: readonly number[],
  { from, to }: { from: Date; to: Date },
  cover: KnownCover | null = null,
): Promise<Map<number, WatchedTime>> {
  const watched = await readWatchedMonitors(reader, monitorIds, { from, to }, cover)
  const { rows } = await reader.query<{ id: number; status: CheckStatus; first: Date; last: Date }>({
    name: 'read-check-runs',
    text: CHECK_RUNS,
    values: [monitorIds, from, to],
  })
  for (const { id, status, first, last } of rows)
    runsOf(watched, id).push({ status, firstMs: first.getTime(), lastMs: last.getTime() })
  for (const [id, { runs, validMs }] of watched) {
    if (validMs <= DAY_MS || runs.some(({ firstMs }) => firstMs <= from.getTime())) continue
    // The last check may be older than the rows of checks are.
    const since = new Date(from.getTime() - validMs)
    const { checks } = await readCheckPage(query, id, { since, before: from, limit: 1 })
    for (const { status, checkedAt } of checks)
      runsOf(watched, id).push({ status, firstMs: checkedAt.getTime(), lastMs: checkedAt.getTime() })
  }
  return watched
}

/** The same without checks. Deleted monitors are read, too. */
export async function readWatchedMonitors(
  reader: Reader,
  monitorIds: readonly number[],
  { from, to }: { from: Date; to: Date },
  cover: KnownCover | null = null,
): Promise<Map<number, WatchedTime>> {
  const monitors = await reader.query<MonitorTimes>({
    name: 'read-watched-monitors',
    text: `SELECT m.id, m.team_id AS "teamId", m.created_at AS "createdAt", m.deleted_at AS "deletedAt",
             m.type = 'heartbeat' AS "isHeartbeat", m.type = 'group' AS "isGroup", extract(epoch FROM ${VALID})::bigint * 1000 AS "validMs"
           FROM monitors m WHERE m.id = ANY($1)`,
    values: [monitorIds],
  })
  const incidents = await reader.query<SpanRow>({
    name: 'read-incident-spans',
    text: `SELECT i.subject_id AS id, i.started_at AS from, i.resolved_at AS to FROM team_incidents i
           WHERE i.kind = 'monitor' AND i.subject_id = ANY($1) AND i.resolved_at IS NULL AND i.started_at < $3
           UNION ALL
           SELECT i.subject_id, i.started_at, i.resolved_at FROM team_incidents i
           WHERE i.kind = 'monitor' AND i.team_id IN (SELECT m.team_id FROM monitors m WHERE m.id = ANY($1))
             AND i.resolved_at >= $2 AND i.subject_id = ANY($1) AND i.started_at < $3`,
    values: [monitorIds, from, to],
  })
  const pauses = await reader.query<SpanRow>({
    name: 'read-pause-spans',
    text: `SELECT p.monitor_id AS id, p.paused_at AS from, p.resumed_at AS to
           FROM monitor_pauses p JOIN monitors m ON m.id = p.monitor_id
           WHERE p.monitor_id = ANY($1) AND p.paused_at < $3
             AND (p.resumed_at IS NULL OR p.resumed_at > $2::timestamptz - ${VALID})`,
    values: [monitorIds, from, to],
  })
  const maintenance = await readCoveredTime(reader, 'monitor', monitors.rows, { from, to }, cover)
  return gather(monitors.rows, incidents.rows, pauses.rows, maintenance)
}

function gather(
  monitors: MonitorTimes[],
  incidents: SpanRow[],
  pauses: SpanRow[],
  maintenance: ReadonlyMap<number, readonly TimeSpan[]>,
): Map<number, WatchedTime> {
  const incidentsOf = Map.groupBy(incidents, ({ id }) => id)
  const pausesOf = Map.groupBy(pauses, ({ id }) => id)
  return new Map(
    monitors.map(({ id, validMs, isHeartbeat, isGroup, deletedAt }) => [
      id,
      {
        runs: [],
        incidents: (incidentsOf.get(id) ?? []).map(toSpan),
        maintenance: maintenance.get(id) ?? [],
        rests: [...(pausesOf.get(id) ?? []), ...(deletedAt ? [{ from: deletedAt, to: null }] : [])].map(
          toSpan,
        ),
        validMs,
        isHeartbeat,
        isGroup,
      },
    ]),
  )
}

function toSpan({ from, to }: Pick<SpanRow, 'from' | 'to'>): TimeSpan {
  return { fromMs: from.getTime(), toMs: to?.getTime() ?? Number.POSITIVE_INFINITY }
}

function runsOf(watched: Map<number, WatchedTime>, id: number): CheckRun[] {
  return watched.get(id)?.runs as CheckRun[]
}

const WITHOUT_INTERVAL = MonitorType.options
  .filter((type) => !hasInterval(type))
  .map((type) => `'${type}'`)
  .join(', ')

/**
 * A check of a monitor is an answer for so long (`WatchedTime`). A ping of a job with a schedule is one until the next ping or
 * missed time, which may be a leap year away, and the state of a monitor without an interval holds until it changes.
 */
const VALID = `CASE WHEN m.type IN (${WITHOUT_INTERVAL}) OR m.options ->> 'schedule' IS NOT NULL THEN interval '366 days'
  ELSE make_interval(secs => coalesce(m.check_interval_seconds, m.check_interval_minutes * 60)
    + m.request_timeout_seconds + coalesce((m.options ->> 'grace_seconds')::int, 0)) END`

/** SQL for the order of checks at the same instant: of these, the last counts (`SEVERITY` of core/history/uptime.ts). */
const WORST_LAST = "status = 'up' DESC, status = 'degraded' DESC, status = 'maintenance' DESC"

/**
 * Judged checks, and those of groups that nobody counts in, as runs, which a steady monitor has one of: 10,000 monitors are read in the time that their checks take
 * to sort. Begins with the last check before the time; where that is no row any more, the state of the monitor may tell.
 */
const CHECK_RUNS = `
  WITH watched AS MATERIALIZED (
    SELECT m.id, ${VALID} AS valid, m.type = 'group' AS is_group FROM monitors m WHERE m.id = ANY($1::int[])
  ), oldest AS MATERIALIZED (
    ${OLDEST_DAY_OF_ROWS}
  ), paused AS MATERIALIZED (
    SELECT p.monitor_id AS id, p.paused_at FROM monitor_pauses p JOIN watched w ON w.id = p.monitor_id
    WHERE p.paused_at < $3 AND (p.resumed_at IS NULL OR p.resumed_at > $2::timestamptz - w.valid)
  ), judged AS (
    SELECT w.id, before.checked_at, before.status FROM watched w CROSS JOIN LATERAL (
      SELECT c.checked_at, c.status FROM checks c
      WHERE c.monitor_id = w.id AND (c.status <> 'pending' OR w.is_group) AND c.checked_at < $2 AND c.checked_at > $2 - w.valid
        AND ${QUARTER_OF_AN_HOUR} = ANY(${quartersBetween('greatest($2 - w.valid, (SELECT day FROM oldest))', '$2')})
      ORDER BY ${QUARTER_OF_AN_HOUR} DESC, c.checked_at DESC LIMIT 1
    ) AS before
    UNION ALL
    SELECT w.id, s.last_checked_at, s.status FROM watched w JOIN monitor_state s ON s.monitor_id = w.id
    WHERE w.valid > interval '1 day' AND s.last_checked_at < $2 AND s.last_checked_at > $2 - w.valid
      -- A group is pending since it was judged so, or since people resumed it.
      AND (s.status <> 'pending' OR w.is_group AND s.status_since <= s.last_checked_at)
    UNION ALL
    SELECT c.monitor_id, c.checked_at, c.status FROM checks c
    WHERE c.monitor_id = ANY($1::int[]) AND c.checked_at >= $2 AND c.checked_at < $3
      AND (c.status <> 'pending' OR c.monitor_id IN (SELECT w.id FROM watched w WHERE w.is_group))
      AND ${inQuarters('$2', '$3')}
  ), marked AS (
    SELECT id, checked_at, status, lag(status) OVER in_order AS last_status, lag(checked_at) OVER in_order AS last_at
    FROM judged WINDOW in_order AS (PARTITION BY id ORDER BY checked_at, ${WORST_LAST})
  ), numbered AS (
    SELECT id, checked_at, status, count(*) FILTER (
      WHERE last_status IS DISTINCT FROM status OR checked_at > last_at + valid
        OR (id IN (SELECT p.id FROM paused p)
          AND EXISTS (SELECT FROM paused p WHERE p.id = marked.id AND p.paused_at >= last_at AND p.paused_at < checked_at))
    ) OVER (PARTITION BY id ORDER BY checked_at, ${WORST_LAST}) AS run
    FROM marked JOIN watched USING (id)
  )
  SELECT id, status, min(checked_at) AS first, max(checked_at) AS last FROM numbered GROUP BY id, run, status`

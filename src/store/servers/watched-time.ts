import type { WatchedTime } from '../../core/history/uptime.ts'
import { type StatusTime, watchedByStatus } from '../../core/history/watched-by-status.ts'
import { type ThresholdChanges, thresholdsOf } from '../../core/servers/condition.ts'
import type { Connection } from '../../postgres/database.ts'
import { quarterOf } from '../history/quarters.ts'
import { readSpans, readStatusChanges } from '../history/status-time.ts'
import { type KnownCover, readCoveredTime } from '../maintenance/covered-time.ts'

type Reader = Pick<Connection, 'query'>
type Range = { from: Date; to: Date }
type ServerRow = {
  id: number
  teamId: number
  createdAt: Date
  deletedAt: Date | null
  thresholds: ThresholdChanges
}

/** SQL for what the index of `server_samples` is ordered by, after the server. */
export const QUARTER_OF_SAMPLE = quarterOf('at')

/**
 * The known history of these servers from a full hour up to another time, whose samples are still rows. `cover` spares
 * who asks for many servers, some at a time, to work out their windows each time: pass the same map again.
 */
export async function readWatchedServers(
  reader: Reader,
  serverIds: readonly number[],
  range: Range,
  cover: KnownCover | null = null,
): Promise<Map<number, WatchedTime>> {
  const { rows: servers } = await reader.query<ServerRow>({
    name: 'read-watched-servers',
    text: `SELECT id, team_id AS "teamId", created_at AS "createdAt", deleted_at AS "deletedAt", thresholds
           FROM servers WHERE id = ANY($1)`,
    values: [serverIds],
  })
  const validMs = new Map(
    servers.map(({ id, thresholds }) => [id, thresholdsOf(thresholds).silent.seconds * 1_000]),
  )
  const changes = await readStatusChanges(reader, 'server', serverIds, range)
  const reports = await readSpans(reader, 'read-report-runs', REPORT_RUNS, [
    [...validMs.keys()],
    [...validMs.values()],
    range.from,
    range.to,
  ])
  const silences = await readSpans(reader, 'read-silences', SILENCES, [serverIds, range.from, range.to])
  const maintenance = await readCoveredTime(reader, 'server', servers, range, cover)
  return new Map(
    servers.map(({ id, deletedAt }) => {
      const server: StatusTime = {
        changes: changes.get(id) ?? [],
        reports: reports.get(id) ?? [],
        silences: silences.get(id) ?? [],
        maintenance: maintenance.get(id) ?? [],
        deletedMs: deletedAt?.getTime() ?? null,
        validMs: validMs.get(id) as number,
      }
      return [id, watchedByStatus(server)]
    }),
  )
}

/** Reports as runs, of which a steady server has one. Begins with the last report before the time. */
const REPORT_RUNS = `
  WITH watched AS MATERIALIZED (
    SELECT id, ms * interval '1 ms' AS valid FROM unnest($1::int[], $2::bigint[]) AS w (id, ms)
  ), reports AS (
    SELECT w.id, before.at FROM watched w CROSS JOIN LATERAL (
      SELECT s.at FROM server_samples s
      WHERE s.server_id = w.id AND s.at < $3 AND s.at > $3 - w.valid
        AND ${QUARTER_OF_SAMPLE} < $3 AND ${QUARTER_OF_SAMPLE} > $3 - w.valid - interval '15 minutes'
      ORDER BY ${QUARTER_OF_SAMPLE} DESC, s.at DESC LIMIT 1
    ) AS before
    UNION ALL
    SELECT server_id, at FROM server_samples
    WHERE server_id = ANY($1::int[]) AND at >= $3 AND at < $4
      AND ${QUARTER_OF_SAMPLE} >= $3 AND ${QUARTER_OF_SAMPLE} < $4
  ), marked AS (
    SELECT id, at, lag(at) OVER (PARTITION BY id ORDER BY at) AS last_at FROM reports
  ), numbered AS (
    SELECT id, at, count(*) FILTER (WHERE last_at IS NULL OR at > last_at + valid)
      OVER (PARTITION BY id ORDER BY at) AS run
    FROM marked JOIN watched USING (id)
  )
  SELECT id, min(at) AS from, max(at) AS to FROM numbered GROUP BY id, run ORDER BY id, run`

const SILENCES = `
  SELECT subject_id AS id, started_at AS from, resolved_at AS to FROM team_incidents
  WHERE kind = 'server' AND subject_id = ANY($1) AND about = 'silent' AND started_at < $3
    AND (resolved_at IS NULL OR resolved_at > $2)`

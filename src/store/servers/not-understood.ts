import {
  COUNTED_TOGETHER_SECONDS,
  type NotedRequest,
  SILENT_FOR_SECONDS,
} from '../../core/servers/not-understood.ts'
import type { Database } from '../../postgres/database.ts'
import { NEWS_CHANNEL } from '../news.ts'

const NOW = `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const GOES_ON = `coalesce((t.not_understood ->> 'at')::timestamptz > now() - make_interval(secs => $4), false)`

/** Adds requests to those that were not understood, unless the server reports otherwise. */
export async function addNotUnderstood(
  { pool }: Database,
  tokenHash: Buffer,
  { requests, last }: { requests: number; last: NotedRequest },
): Promise<void> {
  await pool.query({
    name: 'add-not-understood',
    text: `WITH noted AS (
             UPDATE server_state t
             SET not_understood = $2::jsonb || jsonb_build_object('at', ${NOW},
                   'since', CASE WHEN ${GOES_ON} THEN t.not_understood -> 'since' ELSE to_jsonb(${NOW}) END,
                   'requests', $3::int + CASE WHEN ${GOES_ON} THEN (t.not_understood ->> 'requests')::int ELSE 0 END)
             FROM servers s
             WHERE s.token_hash = $1 AND s.is_active AND s.deleted_at IS NULL AND t.server_id = s.id
               AND (t.last_report_at IS NULL OR t.last_report_at < now() - make_interval(secs => $5))
             RETURNING s.team_id, s.id, t.status)
           SELECT pg_notify('${NEWS_CHANNEL}', json_build_object('team_id', team_id, 'event', 'server',
             'data', json_build_object('id', id, 'status', status))::text) FROM noted`,
    values: [tokenHash, JSON.stringify(last), requests, COUNTED_TOGETHER_SECONDS, SILENT_FOR_SECONDS],
  })
}

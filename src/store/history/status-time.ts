import type { TimeSpan } from '../../core/history/uptime.ts'
import type { StatusTime } from '../../core/history/watched-by-status.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { Connection } from '../../postgres/database.ts'

type Reader = Pick<Connection, 'query'>

/** The statuses of servers or sites in a range, by id: each begins with the one that held at its start. */
export async function readStatusChanges(
  reader: Reader,
  kind: 'server' | 'site',
  ids: readonly number[],
  { from, to }: { from: Date; to: Date },
): Promise<Map<number, StatusTime['changes']>> {
  const { rows } = await reader.query<{ id: number; at: Date; status: CheckStatus }>({
    name: `read-${kind}-status-changes`,
    text: `SELECT c.${kind}_id AS id, c.at, c.status FROM unnest($1::int[]) AS asked (id)
           CROSS JOIN LATERAL (SELECT * FROM ${kind}_status_changes
             WHERE ${kind}_id = asked.id AND at < $2 ORDER BY at DESC LIMIT 1) AS c
           UNION ALL
           SELECT ${kind}_id, at, status FROM ${kind}_status_changes
           WHERE ${kind}_id = ANY($1) AND at >= $2 AND at < $3
           ORDER BY id, at`,
    values: [ids, from, to],
  })
  const changes = rows.map(({ id, at, status }) => ({ id, atMs: at.getTime(), status }))
  return Map.groupBy(changes, ({ id }) => id)
}

export type StatusChange = { subjectId: number; at: Date; status: CheckStatus }

/** Notes statuses of servers or sites. The later one of two at one time holds. */
export async function insertStatusChanges(
  client: Reader,
  kind: 'server' | 'site',
  changes: StatusChange[],
): Promise<void> {
  const last = [
    ...new Map(changes.map((change) => [`${change.subjectId} ${change.at.getTime()}`, change])).values(),
  ]
  await client.query({
    name: `insert-${kind}-status-changes`,
    text: `INSERT INTO ${kind}_status_changes (${kind}_id, at, status)
           SELECT * FROM unnest($1::int[], $2::timestamptz[], $3::text[])
           ON CONFLICT (${kind}_id, at) DO UPDATE SET status = excluded.status`,
    values: [
      last.map(({ subjectId }) => subjectId),
      last.map(({ at }) => at),
      last.map(({ status }) => status),
    ],
  })
}

/** Spans that a statement finds, by id; one without an end goes on. */
export async function readSpans(
  reader: Reader,
  name: string,
  text: string,
  values: unknown[],
): Promise<Map<number, TimeSpan[]>> {
  const { rows } = await reader.query<{ id: number; from: Date; to: Date | null }>({ name, text, values })
  const spans = rows.map(({ id, from, to }) => ({
    id,
    fromMs: from.getTime(),
    toMs: to?.getTime() ?? Number.POSITIVE_INFINITY,
  }))
  return Map.groupBy(spans, ({ id }) => id)
}

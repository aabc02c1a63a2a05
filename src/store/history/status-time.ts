import type { TimeSpan } from '../../core/history/uptime.ts'
import type { StatusTime } from '../../core/history/watched-by-status.ts'
import type { TimedKind } from '../../core/maintenance/subject-kind.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { Connection } from '../../postgres/database.ts'

type Reader = Pick<Connection, 'query'>

/** The statuses of subjects of a kind in a range, by id: each begins with the one that held at its start. */
export async function readStatusChanges(
  reader: Reader,
  kind: TimedKind,
  ids: readonly number[],
  { from, to }: { from: Date; to: Date },
): Promise<Map<number, StatusTime['changes']>> {
  const { rows } = await reader.query<{ id: number; at: Date; status: CheckStatus }>({
    name: 'read-status-changes',
    text: `SELECT c.subject_id AS id, c.at, c.status FROM unnest($2::int[]) AS asked (id)
           CROSS JOIN LATERAL (SELECT * FROM subject_status_changes
             WHERE kind = $1 AND subject_id = asked.id AND at < $3 ORDER BY at DESC LIMIT 1) AS c
           UNION ALL
           SELECT subject_id, at, status FROM subject_status_changes
           WHERE kind = $1 AND subject_id = ANY($2) AND at >= $3 AND at < $4
           ORDER BY id, at`,
    values: [kind, ids, from, to],
  })
  const changes = rows.map(({ id, at, status }) => ({ id, atMs: at.getTime(), status }))
  return Map.groupBy(changes, ({ id }) => id)
}

export type StatusChange = { subjectId: number; at: Date; status: CheckStatus }

/** Notes statuses of subjects of a kind. The later one of two at one time holds. */
export async function insertStatusChanges(
  client: Reader,
  kind: TimedKind,
  changes: StatusChange[],
): Promise<void> {
  const last = [
    ...new Map(changes.map((change) => [`${change.subjectId} ${change.at.getTime()}`, change])).values(),
  ]
  await client.query({
    name: 'insert-status-changes',
    text: `INSERT INTO subject_status_changes (kind, subject_id, at, status)
           SELECT $1::text, * FROM unnest($2::int[], $3::timestamptz[], $4::text[])
           ON CONFLICT (kind, subject_id, at) DO UPDATE SET status = excluded.status`,
    values: [
      kind,
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

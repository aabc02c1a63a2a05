import { createHash } from 'node:crypto'
import { type FailingAnswer, MAX_ANSWERS_OF_MONITOR, skeletonOf } from '../../core/probing/failing-answer.ts'
import type { Connection, Query } from '../../postgres/database.ts'

export type AnswerRow = {
  monitorId: number
  /** The incident that the check opened; null for the last answer of the monitor, which replaces the one before. */
  incidentId: number | null
  checkedAt: Date
  httpStatusCode: number | null
  answer: FailingAnswer
}

/** The newest answer kept of a monitor, as far as it decides whether another one is news. */
export type NewestAnswer = { checkedAt: Date; httpStatusCode: number | null; skeleton: Buffer }

export function hashSkeleton(answer: FailingAnswer): Buffer {
  return createHash('sha256').update(skeletonOf(answer)).digest()
}

export async function readNewestAnswers(
  client: Connection,
  monitorIds: number[],
): Promise<Map<number, NewestAnswer>> {
  const { rows } = await client.query<NewestAnswer & { monitorId: number }>({
    name: 'read-newest-answers',
    text: `SELECT DISTINCT ON (monitor_id) monitor_id AS "monitorId", checked_at AS "checkedAt",
                  http_status_code AS "httpStatusCode", skeleton
           FROM failing_answers WHERE monitor_id = ANY($1) ORDER BY monitor_id, checked_at DESC`,
    values: [monitorIds],
  })
  return new Map(rows.map(({ monitorId, ...newest }) => [monitorId, newest]))
}

/**
 * At most one of a monitor may be without an incident. Only those of a monitor's last incidents stay. Sends all
 * statements at once.
 */
export async function writeAnswers(client: Connection, answers: AnswerRow[]): Promise<void> {
  const opening = answers.filter(({ incidentId }) => incidentId !== null)
  await Promise.all([insertAnswers(client, answers), opening.length > 0 && removeOldest(client, opening)])
}

async function insertAnswers(client: Connection, answers: AnswerRow[]): Promise<void> {
  const column = <T>(read: (row: AnswerRow) => T) => answers.map(read)
  await client.query({
    name: 'write-answers',
    text: `INSERT INTO failing_answers (monitor_id, incident_id, checked_at, http_status_code, skeleton, answer)
           SELECT * FROM unnest($1::int[], $2::bigint[], $3::timestamptz[], $4::smallint[], $5::bytea[], $6::jsonb[])
           ON CONFLICT (monitor_id) WHERE incident_id IS NULL DO UPDATE
           SET checked_at = excluded.checked_at, http_status_code = excluded.http_status_code,
               skeleton = excluded.skeleton, answer = excluded.answer`,
    values: [
      column((row) => row.monitorId),
      column((row) => row.incidentId),
      column((row) => row.checkedAt),
      column((row) => row.httpStatusCode),
      column((row) => hashSkeleton(row.answer)),
      column((row) => JSON.stringify(row.answer)),
    ],
  })
}

async function removeOldest(client: Connection, opening: AnswerRow[]): Promise<void> {
  await client.query({
    name: 'remove-oldest-answers',
    text: `DELETE FROM failing_answers WHERE id IN (
             SELECT id FROM (
               SELECT id, row_number() OVER (PARTITION BY monitor_id ORDER BY checked_at DESC) AS place
               FROM failing_answers WHERE monitor_id = ANY($1) AND incident_id IS NOT NULL) AS placed
             WHERE place > $2)`,
    values: [[...new Set(opening.map(({ monitorId }) => monitorId))], MAX_ANSWERS_OF_MONITOR],
  })
}

const COLUMNS = ['a.checked_at as checkedAt', 'a.http_status_code as httpStatusCode', 'a.answer'] as const

export type AnswerRecord = Pick<AnswerRow, 'checkedAt' | 'httpStatusCode' | 'answer'>

/** The answer of the check at this time; for checks after the newest one kept, that one. Null where none is kept. */
export async function findAnswer(
  query: Query,
  { teamId, monitorId, at, since }: { teamId: number; monitorId: number; at: Date; since: Date | null },
): Promise<AnswerRecord | null> {
  const answers = query
    .selectFrom('failing_answers as a')
    .innerJoin('monitors as m', 'm.id', 'a.monitor_id')
    .where('m.team_id', '=', teamId)
    .where('a.monitor_id', '=', monitorId)
    .$if(since !== null, (rows) => rows.where('a.checked_at', '>=', since as Date))
  const newest = await answers.select(COLUMNS).orderBy('a.checked_at', 'desc').limit(1).executeTakeFirst()
  if (!newest) return null
  if (newest.checkedAt <= at) return newest
  return (await answers.select(COLUMNS).where('a.checked_at', '=', at).limit(1).executeTakeFirst()) ?? null
}

/** That of the check which opened the incident of a monitor. Null where none is kept. */
export async function findOpeningAnswer(
  query: Query,
  teamId: number,
  incidentId: number,
): Promise<FailingAnswer | null> {
  const found = await query
    .selectFrom('failing_answers as a')
    .innerJoin('monitors as m', 'm.id', 'a.monitor_id')
    .where('m.team_id', '=', teamId)
    .where('a.incident_id', '=', incidentId)
    .select('a.answer')
    .executeTakeFirst()
  return found?.answer ?? null
}

/** That of the check which opened the incident, and the last one if it is another of the same incident. */
export async function findAnswersOfIncident(
  query: Query,
  incident: {
    teamId: number
    id: number
    monitorId: number
    from: Date
    until: Date | null
    since: Date | null
  },
): Promise<AnswerRecord[]> {
  const { teamId, id, monitorId, from, until, since } = incident
  return query
    .selectFrom('failing_answers as a')
    .innerJoin('monitors as m', 'm.id', 'a.monitor_id')
    .where('m.team_id', '=', teamId)
    .where('a.monitor_id', '=', monitorId)
    .where(({ or, and, eb }) =>
      or([
        eb('a.incident_id', '=', id),
        and([
          eb('a.incident_id', 'is', null),
          eb('a.checked_at', '>=', from),
          ...(until ? [eb('a.checked_at', '<=', until)] : []),
        ]),
      ]),
    )
    .$if(since !== null, (rows) => rows.where('a.checked_at', '>=', since as Date))
    .select(COLUMNS)
    .orderBy('a.checked_at')
    .execute()
}

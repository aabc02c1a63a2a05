import type { Connection } from '../../postgres/database.ts'
import { ENDS_WHEN_IDLE } from './history-progress.ts'

type Reader = Pick<Connection, 'query'>

export type Span = { from: Date; to: Date }
/** The work on a span for the monitors or servers after an id, up to another. */
export type WorkStretch = Span & { afterId: number; untilId: number }

/** More than any id: new ones belong to the last stretch. */
const LAST_ID = 2_147_483_647

/**
 * Cuts the work on a span into stretches of `size` subjects, unless that is done: then what is left of it goes on. Work on
 * another span is forgotten, as after a clock was set. Returns the span of the stretches, which may end earlier.
 */
export async function planStretches(
  client: Connection,
  work: string,
  subjects: 'monitors' | 'servers',
  { from, to }: Span,
  size: number,
): Promise<Span> {
  const { rows } = await client.query<Span>(
    'SELECT from_at AS from, to_at AS to FROM history_stretches WHERE work = $1 LIMIT 1',
    [work],
  )
  const [begun] = rows
  if (begun && begun.from.getTime() === from.getTime() && begun.to <= to) return begun
  if (begun) await client.query('DELETE FROM history_stretches WHERE work = $1', [work])
  await client.query(
    `INSERT INTO history_stretches (work, from_at, to_at, after_id, until_id)
     SELECT $1, $2, $3, lag(until_id, 1, 0) OVER (ORDER BY until_id), until_id
     FROM (SELECT id AS until_id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${subjects}) AS numbered
           WHERE n % $4 = 0
           UNION SELECT ${LAST_ID}) AS cuts`,
    [work, from, to, size],
  )
  return { from, to }
}

/** Takes the first stretch that is not done, and that nobody works on, until the transaction ends. */
export async function takeStretch(client: Connection, work: string): Promise<WorkStretch | null> {
  const { rows } = await client.query<WorkStretch>({
    name: 'take-stretch',
    text: `SELECT from_at AS from, to_at AS to, after_id AS "afterId", until_id AS "untilId",
             ${ENDS_WHEN_IDLE}
           FROM history_stretches WHERE work = $1 AND after_id < until_id
           ORDER BY until_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    values: [work],
  })
  return rows[0] ?? null
}

/** The next subjects of a stretch by id. */
export async function nextOfStretch(
  client: Connection,
  subjects: 'monitors' | 'servers',
  { afterId, untilId }: WorkStretch,
  limit: number,
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>({
    name: `next-${subjects}-of-stretch`,
    text: `SELECT id FROM ${subjects} WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3`,
    values: [afterId, untilId, limit],
  })
  return rows.map(({ id }) => id)
}

/** In the transaction that took it. */
export async function advanceStretch(
  client: Connection,
  work: string,
  { untilId }: WorkStretch,
  afterId: number,
): Promise<void> {
  await client.query({
    name: 'advance-stretch',
    text: 'UPDATE history_stretches SET after_id = $3 WHERE work = $1 AND until_id = $2',
    values: [work, untilId, afterId],
  })
}

/** Whether some of this work is not done, including what others are working on. */
export async function isStretchLeft(reader: Reader, work: string): Promise<boolean> {
  const { rows } = await reader.query<{ left: boolean }>({
    name: 'is-stretch-left',
    text: `SELECT EXISTS (SELECT FROM history_stretches WHERE work = $1 AND after_id < until_id) AS left`,
    values: [work],
  })
  return rows[0]?.left ?? false
}

/** The works of which something is not done. */
export async function worksLeft(reader: Reader): Promise<string[]> {
  const { rows } = await reader.query<{ work: string }>({
    name: 'read-works-left',
    text: 'SELECT DISTINCT work FROM history_stretches WHERE after_id < until_id',
  })
  return rows.map(({ work }) => work)
}

/** Forgets the stretches of a span that is done; false unless all of them are, as after others ended it. */
export async function endStretches(client: Connection, work: string, from: Date): Promise<boolean> {
  if (await isStretchLeft(client, work)) return false
  const { rowCount } = await client.query('DELETE FROM history_stretches WHERE work = $1 AND from_at = $2', [
    work,
    from,
  ])
  return (rowCount ?? 0) > 0
}

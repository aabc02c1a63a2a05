import { getsPlaceSql } from '../core/sharing/share.ts'
import type { Connection, Database } from '../postgres/database.ts'

/**
 * A table of rows that processes claim and work on. Each row has a `team_id`: 0 is the service itself. `waiting`: SQL for
 * rows that are still to be worked on.
 */
export type Queue = {
  table: 'deliveries' | 'status_notices' | 'report_mails' | 'letters'
  waiting: string
  /** SQL that a row `d` has to satisfy to be claimed. It is true, or becomes so soon, whatever others do meanwhile. */
  free?: string
  /** SQL that a row `d` has to satisfy to be waited for. */
  awaited?: string
  /** SQL that reads what a row is worked on with, from `claimed`: the rows as the claim has left them. */
  read: string
}

/** How processes work on a queue. Claims end by themselves, so that the work of a process that ends is done by another. */
export type Claimable<Row> = {
  /** Claims rows that are due for `leaseSeconds`, by turns of the teams. */
  claim(db: Database, claim: Claim): Promise<Row[]>
  /** Renews claims. A row that is locked is being settled at this moment: its claim need not be renewed. */
  renew(db: Database, holder: string, ids: number[], leaseSeconds: number): Promise<void>
  /** Releases claims of a process, or all claims when no other process can hold one. This does not count as an attempt. */
  release(db: Database, holder?: string, ids?: number[]): Promise<void>
  /** Seconds until the next row is due (0 if one is due); null if none is queued. */
  secondsToNext(db: Database): Promise<number | null>
}

export function claimable<Row extends { id: number }>(queue: Queue): Claimable<Row> {
  const { table, waiting, awaited = 'true', read } = queue
  return {
    async claim({ pool }, { holder, leaseSeconds, limit, held = [] }) {
      const { rows } = await pool.query<Row>({
        name: `claim-${table}`,
        text: `${withDueRows(queue)},
          claimed AS (
            UPDATE ${table} q SET claimed_by = $1, claimed_until = now() + $2 * interval '1 second'
            FROM due WHERE q.id = due.id RETURNING q.*)
          ${read}`,
        values: [holder, leaseSeconds, limit, held],
      })
      return rows
    },
    async renew({ pool }, holder, ids, leaseSeconds) {
      await pool.query({
        name: `renew-claims-of-${table}`,
        text: `WITH held AS (
                 SELECT id FROM ${table} WHERE id = ANY($2) AND claimed_by = $1 AND ${waiting}
                 ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
               UPDATE ${table} q SET claimed_until = now() + $3 * interval '1 second' FROM held WHERE q.id = held.id`,
        values: [holder, ids, leaseSeconds],
      })
    },
    async release({ pool }, holder, ids) {
      await pool.query({
        name: `release-claims-of-${table}`,
        text: `WITH held AS (
                 SELECT id FROM ${table}
                 WHERE claimed_by IS NOT NULL AND ${waiting} AND ($1::text IS NULL OR claimed_by::text = $1)
                   AND ($2::bigint[] IS NULL OR id = ANY($2))
                 ORDER BY id FOR NO KEY UPDATE)
               UPDATE ${table} q SET claimed_by = NULL, claimed_until = NULL FROM held WHERE q.id = held.id`,
        values: [holder ?? null, ids ?? null],
      })
    },
    async secondsToNext({ pool }) {
      const { rows } = await pool.query<{ seconds: number | null }>({
        name: `next-of-${table}`,
        text: `SELECT extract(epoch FROM min(greatest(next_attempt_at, coalesce(claimed_until, next_attempt_at))) - now())::float8
                 AS seconds FROM ${table} d WHERE ${waiting} AND ${awaited}`,
      })
      const seconds = rows[0]?.seconds ?? null
      return seconds === null ? null : Math.max(0, seconds)
    },
  }
}

/** The fate of a row after an attempt. `nextDelaySeconds`: until the next one; null if there is none. */
export type Settlement = { state: 'pending' | 'sent' | 'failed'; nextDelaySeconds: number | null }

/**
 * Writes what became of an attempt, and the `answer` into its column; false where another process has claimed the row, or it
 * waits no longer. `returning`: SQL over the row `d`.
 */
export async function settleClaimed(
  client: Connection,
  row: { table: Exclude<Queue['table'], 'letters'>; holder: string; id: number },
  { state, nextDelaySeconds }: Settlement,
  answer: { detail: string } | { receipt: string | null },
  returning = 'd.id',
): Promise<boolean> {
  const [[column, value] = []] = Object.entries(answer)
  const { rowCount } = await client.query({
    name: `settle-${row.table}`,
    text: `UPDATE ${row.table} d
      SET state = $3, attempts = attempts + 1, claimed_by = NULL, claimed_until = NULL, ${column} = $5,
          next_attempt_at = now() + coalesce($4::float8, 0) * interval '1 second',
          finished_at = CASE WHEN $3 = 'pending' THEN NULL ELSE now() END
      WHERE id = $1 AND claimed_by = $2 AND state = 'pending' RETURNING ${returning}`,
    values: [row.id, row.holder, state, nextDelaySeconds, value],
  })
  return rowCount !== 0
}

/** `held`: the teams of rows that this process works on, one for each. */
export type Claim = { holder: string; leaseSeconds: number; limit: number; held?: readonly number[] }

/** The oldest rows that are looked at. Where fewer are due, these are all. */
const OLDEST = 200
/** Teams that are looked at beside them, beginning at one by chance. */
const MAX_TEAMS = 128

/**
 * The head of a statement that claims rows: `due` has the IDs of those that it locked. $1 to $4 are the holder, the lease in
 * seconds, the free places, and the teams of the rows under way. A team's next row comes after the next ones of teams with
 * fewer rows under way, and a team has at most its share of the places (core/sharing/share.ts), so that no team's rows keep
 * others waiting, however many there are and however long each takes. The index by team finds the first rows of each team
 * without a look at the others.
 */
function withDueRows({ table, waiting, free = 'true' }: Queue): string {
  const isDue = `${waiting} AND next_attempt_at <= now() AND (claimed_until IS NULL OR claimed_until < now())`
  const firstTeam = `(SELECT min(team_id) FROM ${table} WHERE ${waiting})`
  return `WITH RECURSIVE
    by_chance AS (SELECT floor(random() * (SELECT max(team_id) FROM ${table} WHERE ${waiting}))::int AS team_id),
    around AS (
      SELECT coalesce((SELECT min(team_id) FROM ${table} WHERE ${waiting} AND team_id >= (SELECT team_id FROM by_chance)),
        ${firstTeam}) AS team_id
      UNION
      SELECT coalesce((SELECT min(q.team_id) FROM ${table} q WHERE ${waiting} AND q.team_id > a.team_id), ${firstTeam})
      FROM around a WHERE a.team_id IS NOT NULL),
    oldest AS (
      SELECT id, team_id, next_attempt_at FROM ${table} d WHERE ${isDue} AND ${free}
      ORDER BY next_attempt_at, id LIMIT ${OLDEST}),
    teams_due AS (
      SELECT team_id FROM around WHERE (SELECT count(*) FROM oldest) = ${OLDEST} LIMIT ${MAX_TEAMS}),
    firsts AS (
      SELECT f.* FROM teams_due t CROSS JOIN LATERAL (
        SELECT id, team_id, next_attempt_at FROM ${table} d
        -- Compared as pairs, so that no other index than that by team can give the order.
        WHERE (team_id, next_attempt_at) >= (t.team_id, '-infinity'::timestamptz)
          AND (team_id, next_attempt_at) <= (t.team_id, now()) AND ${isDue} AND ${free}
        ORDER BY team_id, next_attempt_at, id LIMIT (SELECT least($3::int, 1 + 3 * $3::int / count(*)) FROM teams_due)) AS f),
    ready AS (
      SELECT id, team_id, next_attempt_at AS turn FROM (SELECT * FROM oldest UNION SELECT * FROM firsts) AS all_ready),
    ${TAKEN_OF_READY},
    due AS (
      SELECT id FROM ${table} d WHERE id = ANY(ARRAY(SELECT id FROM taken))
        AND ${isDue} AND ${free}
      ORDER BY id FOR UPDATE SKIP LOCKED)`
}

/**
 * The rows `ready` (id, team_id, turn) that their teams have a place for: $3 are free, and the teams of $4 hold the others.
 */
export const TAKEN_OF_READY = `held AS (
      SELECT team_id, count(*)::int AS places FROM unnest($4::int[]) AS h (team_id) GROUP BY team_id),
    placed AS (
      SELECT r.id, r.turn, coalesce(h.places, 0)
          + row_number() OVER (PARTITION BY r.team_id ORDER BY r.turn, r.id)::int - 1 AS held
      FROM ready r LEFT JOIN held h ON h.team_id = r.team_id),
    counted AS (
      SELECT id, held, $3::int + 1 - row_number() OVER (ORDER BY held, turn, id)::int AS free FROM placed),
    taken AS (SELECT id FROM counted WHERE ${getsPlaceSql('held', 'free')})`

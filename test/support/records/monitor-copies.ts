import { SLOTS } from '../../../src/core/probing/slot.ts'
import type { Database } from '../../../src/postgres/database.ts'

const MONITORS_AT_ONCE = 20_000

/**
 * Many more like one that is there, with numbers for names, spread over teams and addresses in turn: a few statements
 * for any number. They are as after a time of work, up and checked; a service that runs does not see them as changed.
 */
export async function copyMonitor(
  { pool }: Database,
  monitorId: number,
  copies: number,
  teamOf: (number: number) => number,
  urlOf: (number: number) => string,
  onStep: (done: number) => void,
): Promise<void> {
  const own = ['id', 'team_id', 'name', 'url', 'slot', 'revision', 'changed_at', 'created_at', 'badge_id']
  const { rows } = await pool.query<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
     WHERE attrelid = 'monitors'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL($1)`,
    [own],
  )
  const columns = rows[0]?.columns
  for (let done = 0; done < copies; done += MONITORS_AT_ONCE) {
    onStep(done)
    const numbers = Array.from({ length: Math.min(MONITORS_AT_ONCE, copies - done) }, (_, n) => done + n)
    await pool.query(
      `WITH made AS (
         INSERT INTO monitors (team_id, name, url, slot, changed_at, ${columns})
         SELECT n.team, 'Monitor ' || n.number, n.url, floor(random() * $5), now() - interval '1 day', ${columns}
         FROM monitors, unnest($2::int[], $3::int[], $4::text[]) AS n (number, team, url) WHERE id = $1
         RETURNING id, revision)
       INSERT INTO monitor_state (monitor_id, revision, status, last_checked_at)
       SELECT id, revision, 'up', now() - interval '1 minute' FROM made`,
      [monitorId, numbers, numbers.map(teamOf), numbers.map(urlOf), SLOTS],
    )
  }
}

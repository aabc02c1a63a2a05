import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../../src/postgres/database.ts'
import { hideStored } from '../../../src/store/sealing/hide-stored.ts'
import { resealStale } from '../../../src/store/sealing/reseal.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addTeam } from '../../support/records/teams.ts'

const ROWS = 6_000
/** As many as the statements of both say, and the row of the answer. */
const MOST = 2_001

type Plan = { 'Actual Rows'?: number; 'Rows Removed by Filter'?: number; Plans?: Plan[] }

/** The most rows that a step of a statement looks at. */
function mostRows({ Plans = [], ...step }: Plan): number {
  const own = (step['Actual Rows'] ?? 0) + (step['Rows Removed by Filter'] ?? 0)
  return Math.max(own, ...Plans.map(mostRows))
}

/** The database, with a note of how many rows each of its SELECT statements looks at. */
function watched(db: Database, seen: number[]): Database {
  const query = async (asked: string | { text: string; values: unknown[] }, given: unknown[]) => {
    const { text, values } = typeof asked === 'string' ? { text: asked, values: given } : asked
    const { rows } = await db.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
    seen.push(mostRows(rows[0]['QUERY PLAN'][0].Plan))
    return db.pool.query(text, values)
  }
  return { ...db, pool: { query } as never }
}

test('no statement looks through a whole table for values to seal', { timeout: HANG_GUARD_MS }, async (t) => {
  const { db, vault, close } = await openTestDatabase()
  t.after(close)
  const teamId = await addTeam(db)
  const secret = vault.seal('secret', 'teams.signing_secret', teamId)
  await db.pool.query('UPDATE teams SET signing_secret = $1 WHERE id = $2', [secret, teamId])
  await db.pool.query(
    `INSERT INTO deliveries (team_id, contact_name, contact_type, event, alert, state)
     SELECT $1, 'Ops', 'webhook', 'test', '{}', 'sent' FROM generate_series(1, $2)`,
    [teamId, ROWS],
  )
  await db.pool.query('ANALYZE deliveries')
  for (const work of [resealStale, hideStored]) {
    const seen: number[] = []
    assert.equal(await work(watched(db, seen), vault), 0)
    assert.ok(Math.max(...seen) <= MOST, `${work.name}: ${Math.max(...seen)} rows`)
  }
})

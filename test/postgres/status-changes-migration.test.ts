import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { TimedKind } from '../../src/core/maintenance/subject-kind.ts'
import type { Database } from '../../src/postgres/database.ts'
import { insertStatusChanges, readStatusChanges } from '../../src/store/history/status-time.ts'
import { openOlderDatabase } from '../support/postgres/older-database.ts'

const KINDS = ['server', 'site'] as const
const DAY = Date.parse('2026-11-01T00:00Z')
const at = (hour: number) => new Date(DAY + hour * 3_600_000)

/** Two records of each kind with the same ids, the first of them with a history. */
const ROWS = `
  INSERT INTO teams (name, plan, signing_secret) VALUES ('Acme', 'pro', 'sealed');
  INSERT INTO servers (team_id, name, thresholds, token, token_hash)
    SELECT 1, name, '{}', 'sealed', sha256(name::bytea) FROM unnest('{s1,s2}'::text[]) AS name;
  INSERT INTO sites (team_id, name, url, slot, home_interval_seconds, max_pages, checks_foreign_links, ignored_patterns, areas_off)
    SELECT 1, name, 'https://example.com/', 7, 300, 100, false, '{}', '{}' FROM unnest('{w1,w2}'::text[]) AS name;
  INSERT INTO server_status_changes VALUES (1, '2026-11-01T00:00Z', 'up'), (1, '2026-11-01T05:00Z', 'down');
  INSERT INTO site_status_changes VALUES (1, '2026-11-01T00:00Z', 'degraded'), (1, '2026-11-01T07:00Z', 'pending')`

async function openFilled(t: TestContext) {
  const { db, bringForward } = await openOlderDatabase(t, '062')
  await db.pool.query(ROWS)
  return { db, bringForward }
}

/** As the release before reads them. */
async function olderRows({ pool }: Database): Promise<unknown[]> {
  const texts = KINDS.map((kind) => `SELECT * FROM ${kind}_status_changes ORDER BY 1, 2`)
  return Promise.all(texts.map(async (text) => (await pool.query(text)).rows))
}

async function read({ pool }: Database, kind: TimedKind, id: number): Promise<string[]> {
  const range = { from: at(6), to: at(24) }
  const changes = (await readStatusChanges(pool, kind, [id], range)).get(id) ?? []
  return changes.map(({ atMs, status }) => `${(atMs - DAY) / 3_600_000} ${status}`)
}

test('changes of status of every kind come into one table, and the release before finds them where they were', async (t) => {
  const { db, bringForward } = await openFilled(t)
  const before = await olderRows(db)
  await bringForward()
  assert.deepEqual(await olderRows(db), before)
  assert.deepEqual(await read(db, 'server', 1), ['5 down'])
  assert.deepEqual(await read(db, 'site', 1), ['0 degraded', '7 pending'])
})

/** Statements of the release before, which note that a record is up at 8:00, and later that it was down then. */
const OLDER: [statement: (kind: TimedKind) => string, left: string[]][] = [
  [
    (kind) => `INSERT INTO ${kind}_status_changes (${kind}_id, at, status)
      SELECT * FROM unnest('{2}'::int[], '{2026-11-01T08:00Z}'::timestamptz[], '{up}'::text[])
      ON CONFLICT (${kind}_id, at) DO UPDATE SET status = excluded.status`,
    ['8 up'],
  ],
  [
    (kind) => `INSERT INTO ${kind}_status_changes (${kind}_id, at, status)
      SELECT 2::int, greatest('2026-11-01T07:00Z'::timestamptz, last.at), 'down' FROM (SELECT) AS one
      LEFT JOIN LATERAL (SELECT at, status FROM ${kind}_status_changes WHERE ${kind}_id = 2 ORDER BY at DESC LIMIT 1) AS last ON true
      ON CONFLICT (${kind}_id, at) DO UPDATE SET status = excluded.status`,
    ['8 down'],
  ],
  [
    (kind) => `WITH gone AS (SELECT ${kind}_id, at FROM ${kind}_status_changes kept
        WHERE ${kind}_id = ANY('{2}') AND at < '2026-11-02' AND NOT (NOT EXISTS (SELECT FROM ${kind}_status_changes n
          WHERE n.${kind}_id = kept.${kind}_id AND n.at > kept.at AND n.at < '2026-11-02'))
        LIMIT 1000 FOR UPDATE SKIP LOCKED)
      DELETE FROM ${kind}_status_changes t USING gone WHERE t.${kind}_id = gone.${kind}_id AND t.at = gone.at`,
    ['8 down'],
  ],
  [
    (
      kind,
    ) => `INSERT INTO ${kind}_status_changes (${kind}_id, at, status) VALUES (2, '2026-11-01T09:00Z', 'up');
      DELETE FROM ${kind}_status_changes WHERE at < '2026-11-01T09:00Z' AND ${kind}_id = 2`,
    ['9 up'],
  ],
]

test('what the release before writes is what this one reads, and the other way round', async (t) => {
  const { db, bringForward } = await openFilled(t)
  await bringForward()
  for (const [statement, left] of OLDER)
    for (const kind of KINDS) {
      await db.pool.query(statement(kind))
      assert.deepEqual(await read(db, kind, 2), left, statement(kind))
    }
  for (const kind of KINDS) {
    const change = { subjectId: 2, at: at(9) }
    await insertStatusChanges(db.pool, kind, [{ ...change, status: 'degraded' }])
    await insertStatusChanges(db.pool, kind, [{ ...change, status: 'down' }])
    const { rows } = await db.pool.query(`SELECT status FROM ${kind}_status_changes WHERE ${kind}_id = 2`)
    assert.deepEqual(rows, [{ status: 'down' }], 'one at a time, and the later one holds')
  }
})

test('a history goes with its subject, and with none of another kind by the same id', async (t) => {
  const { db, bringForward } = await openFilled(t)
  await bringForward()
  await db.pool.query('DELETE FROM servers WHERE id = 1')
  assert.deepEqual(await read(db, 'server', 1), [])
  assert.deepEqual(await read(db, 'site', 1), ['0 degraded', '7 pending'])
  const ofNobody = insertStatusChanges(db.pool, 'server', [{ subjectId: 7, at: at(1), status: 'up' }])
  await assert.rejects(ofNobody, /subject_status_changes/)
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Database } from '../../src/postgres/database.ts'
import { openOlderDatabase } from '../support/postgres/older-database.ts'

/** Two records of each kind, with a contact, a policy and a window that the first of each has. */
const ROWS = `
  INSERT INTO teams (name, plan, signing_secret) VALUES ('Acme', 'pro', 'sealed');
  INSERT INTO contacts (team_id, name, type, config)
    SELECT 1, name, 'email', 'sealed' FROM unnest('{Ops,Dev}'::text[]) AS name;
  INSERT INTO escalation_policies (team_id, name, steps, repeat_every_minutes)
    SELECT 1, name, '[]', 60 FROM unnest('{Day,Night}'::text[]) AS name;
  INSERT INTO maintenance_windows (team_id, kind, name, note, all_subjects, max_minutes, ends_when_passing, since)
    VALUES (1, 'switch', 'Deploys', '', false, 60, false, now());
  INSERT INTO monitors (team_id, name, type, url, is_active, check_interval_minutes, http_method,
      expected_status_codes, request_timeout_seconds, ssl_expiry_warning_days, slot)
    SELECT 1, name, 'http', 'https://example.com/', true, 1, 'GET', '{200}', 30, 14, 7
    FROM unnest('{m1,m2}'::text[]) AS name;
  INSERT INTO servers (team_id, name, thresholds, token, token_hash)
    SELECT 1, name, '{}', 'sealed', sha256(name::bytea) FROM unnest('{s1,s2}'::text[]) AS name;
  INSERT INTO sites (team_id, name, url, slot, home_interval_seconds, max_pages, checks_foreign_links, ignored_patterns,
      areas_off)
    SELECT 1, name, 'https://example.com/', 7, 300, 100, false, '{}', '{}' FROM unnest('{w1,w2}'::text[]) AS name;
  UPDATE monitors SET deleted_at = '2026-11-01' WHERE name = 'm2'`

const KINDS = ['monitor', 'server', 'site']
const REPLACED = KINDS.flatMap((kind) => [
  `${kind}_contacts`,
  `${kind}_policies`,
  `maintenance_window_${kind}s`,
])

/** All statements by which the release before writes to the tables of a kind, with what they leave. */
const WRITTEN: [statement: (kind: string) => string, left: (kind: string) => string, rows: number[][]][] = [
  [
    (kind) => `INSERT INTO ${kind}_contacts (${kind}_id, contact_id) VALUES (2, 2), (2, 1)`,
    (kind) => `SELECT ${kind}_id, contact_id FROM ${kind}_contacts ORDER BY 1, 2`,
    [
      [1, 1],
      [2, 1],
      [2, 2],
    ],
  ],
  [
    (kind) => `INSERT INTO ${kind}_contacts (${kind}_id, contact_id)
      SELECT DISTINCT c.${kind}_id, 2::int AS contact_id FROM ${kind}_contacts AS c JOIN ${kind}s AS s ON s.id = c.${kind}_id
      WHERE s.team_id = 1 ON CONFLICT DO NOTHING`,
    (kind) => `SELECT ${kind}_id, contact_id FROM ${kind}_contacts ORDER BY 1, 2`,
    [
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ],
  ],
  [
    (kind) => `DELETE FROM ${kind}_contacts WHERE contact_id = 2 AND ${kind}_id = ANY('{1,2}'::int[])`,
    (kind) => `SELECT ${kind}_id, contact_id FROM ${kind}_contacts ORDER BY 1, 2`,
    [
      [1, 1],
      [2, 1],
    ],
  ],
  [
    (kind) => `DELETE FROM ${kind}_contacts WHERE ${kind}_id = 2`,
    (kind) => `SELECT ${kind}_id, contact_id FROM ${kind}_contacts`,
    [[1, 1]],
  ],
  ...[2, 1].map((policy): [(kind: string) => string, (kind: string) => string, number[][]] => [
    (kind) => `INSERT INTO ${kind}_policies (${kind}_id, policy_id)
      SELECT 1::int, p.id FROM escalation_policies p WHERE p.team_id = 1 AND p.id = ${policy} FOR KEY SHARE
      ON CONFLICT (${kind}_id) DO UPDATE SET policy_id = excluded.policy_id RETURNING pg_notify('news', '')`,
    (kind) => `SELECT ${kind}_id, policy_id FROM ${kind}_policies`,
    [[1, policy]],
  ]),
  [
    (kind) => `DELETE FROM ${kind}_policies WHERE ${kind}_id = 1 RETURNING pg_notify('news', '')`,
    (kind) => `SELECT ${kind}_id, policy_id FROM ${kind}_policies`,
    [],
  ],
  [
    (kind) => `INSERT INTO maintenance_window_${kind}s (window_id, ${kind}_id)
      SELECT 1::int, id FROM ${kind}s WHERE team_id = 1 AND id = ANY('{2}'::int[])`,
    (kind) => `SELECT window_id, ${kind}_id FROM maintenance_window_${kind}s ORDER BY 1, 2`,
    [
      [1, 1],
      [1, 2],
    ],
  ],
  [
    (kind) => `DELETE FROM maintenance_window_${kind}s WHERE window_id = 1`,
    (kind) => `SELECT window_id, ${kind}_id FROM maintenance_window_${kind}s`,
    [],
  ],
]

describe('tables that views replace', () => {
  it('keep their rows and columns, and take what the release before writes', async (t) => {
    const { db, bringForward } = await openOlderDatabase(t, '056')
    await db.pool.query(ROWS)
    for (const kind of KINDS)
      await db.pool.query(`INSERT INTO ${kind}_contacts VALUES (1, 1); INSERT INTO ${kind}_policies VALUES (1, 1);
        INSERT INTO maintenance_window_${kind}s VALUES (1, 1)`)
    const before = await contentOf(db)
    await bringForward()
    assert.deepEqual(await contentOf(db), before)
    for (const [statement, left, rows] of WRITTEN)
      for (const kind of KINDS) {
        await db.pool.query(statement(kind))
        const found = await db.pool.query({ text: left(kind), rowMode: 'array' })
        assert.deepEqual(found.rows, rows, statement(kind))
      }
    const { rows } = await db.pool.query(
      'SELECT kind, subject_id, contact_id FROM subject_contacts ORDER BY kind',
    )
    assert.deepEqual(
      rows,
      KINDS.map((kind) => ({ kind, subject_id: 1, contact_id: 1 })),
    )
  })

  it('give way to one about all subjects, which follows whatever writes a record', async (t) => {
    const { db, bringForward } = await openOlderDatabase(t, '056')
    await db.pool.query(ROWS)
    await bringForward()
    const subjects = async () =>
      (
        await db.pool.query({
          text: 'SELECT kind, id, team_id, name, deleted_at IS NOT NULL FROM subjects ORDER BY 1, 2',
          rowMode: 'array',
        })
      ).rows
    const [m1, m2, s1, s2, w1, w2] = await subjects()
    assert.deepEqual(
      [m1, m2, s1, s2, w1, w2],
      [
        ['monitor', 1, 1, 'm1', false],
        ['monitor', 2, 1, 'm2', true],
        ['server', 1, 1, 's1', false],
        ['server', 2, 1, 's2', false],
        ['site', 1, 1, 'w1', false],
        ['site', 2, 1, 'w2', false],
      ],
    )
    for (const kind of KINDS) {
      await db.pool.query(`UPDATE ${kind}s SET name = 'Renamed', deleted_at = NULL WHERE id = 2`)
      await db.pool.query(`INSERT INTO subject_contacts VALUES ('${kind}', 1, 1)`)
      await db.pool.query(`DELETE FROM ${kind}s WHERE id = 1`)
    }
    assert.deepEqual(
      await subjects(),
      KINDS.map((kind) => [kind, 2, 1, 'Renamed', false]),
    )
    await db.pool.query('DELETE FROM teams')
    assert.deepEqual(await subjects(), [])
    const { rows } = await db.pool.query('SELECT FROM subject_contacts')
    assert.deepEqual(rows, [], 'what belonged to a subject went with it')
  })
})

/** The rows of the tables that are replaced, by the columns that they had. */
async function contentOf({ pool }: Database): Promise<unknown[]> {
  const content: unknown[] = []
  for (const table of REPLACED) {
    const { rows: columns } = await pool.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_name = $1 AND column_name <> 'kind' ORDER BY ordinal_position`,
      [table],
    )
    const names = columns.map(({ name }) => name)
    const { rows } = await pool.query(`SELECT ${names.join(', ')} FROM ${table} ORDER BY 1, 2`)
    assert.equal(rows.length, 1, table)
    content.push({ table, names, rows })
  }
  return content
}

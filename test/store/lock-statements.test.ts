import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { LOCK_EXCEPTIONS } from '../support/postgres/lock-exceptions.ts'
import { lockFindings } from '../support/postgres/lock-statements.ts'

const SRC = join(import.meta.dirname, '../../src')

/** Statements as they stand in a file, and what is wrong with them. */
const JUDGED: [source: string, faults: string[]][] = [
  ['`SELECT id FROM monitors WHERE id = ANY($1) ORDER BY id FOR UPDATE`', []],
  [
    '`SELECT id FROM t WHERE id IN (SELECT s.id FROM servers s) ORDER BY id FOR UPDATE`',
    ['locks by a subquery'],
  ],
  ['`SELECT id FROM t WHERE (a, b) IN (SELECT * FROM unnest($1::int[], $2::text[])) FOR UPDATE`', []],
  ['`SELECT t.id FROM t JOIN p ON p.id = t.p WHERE t.id = $1 FOR UPDATE OF t`', ['locks by a join']],
  ['`SELECT t.id FROM t, p WHERE p.id = t.p FOR SHARE OF t`', ['locks by a join']],
  [
    '`SELECT id FROM t WHERE NOT EXISTS (SELECT FROM p WHERE p.id = t.id) FOR NO KEY UPDATE`',
    ['locks by a subquery'],
  ],
  [
    'const ASKED = `SELECT id FROM p`\nconst all = `SELECT id FROM t WHERE id IN ($' + '{ASKED}) FOR UPDATE`',
    ['locks by a subquery'],
  ],
  [
    'function asked() { return `(SELECT id FROM p)` }\nconst all = `SELECT FROM t WHERE id IN $' +
      '{asked()} FOR UPDATE`',
    ['locks by a subquery'],
  ],
  ["query.selectFrom('a').innerJoin('b', 'b.id', 'a.id').forNoKeyUpdate().execute()", ['locks by a join']],
  ["query.selectFrom('a').where('id', '=', 1).forUpdate().execute()", []],
  ['`DELETE FROM t WHERE id IN (SELECT id FROM t WHERE over LIMIT 10)`', ['writes by a query']],
  [
    '`UPDATE t SET a = 1 WHERE id = (SELECT id FROM t FOR UPDATE SKIP LOCKED LIMIT 1)`',
    ['writes by a query'],
  ],
  [
    '`WITH due AS (SELECT id FROM t ORDER BY id FOR UPDATE SKIP LOCKED) UPDATE t SET a = 1 FROM due WHERE t.id = due.id`',
    [],
  ],
  ['`UPDATE deliveries SET a = 1 WHERE id = ANY($1)`', ['writes several rows in no order']],
  [
    '`UPDATE deliveries d SET a = 1 FROM unnest($1::int[]) AS n (id) WHERE d.id = n.id`',
    ['writes several rows in no order'],
  ],
  [
    '`WITH held AS (SELECT id FROM deliveries WHERE (a OR b) ORDER BY id FOR NO KEY UPDATE) UPDATE deliveries d SET a = 1 FROM held WHERE d.id = held.id`',
    [],
  ],
  ['`UPDATE deliveries SET a = 1 WHERE id = $1`', []],
  ["removeSome(db, { where: 'NOT EXISTS (SELECT FROM p)' })", ['locks by a subquery']],
]

describe('statements that lock', () => {
  it('take rows of one table, in one order, before they are written', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    const unused = new Set(LOCK_EXCEPTIONS)
    const found = files.flatMap((file) =>
      lockFindings(readFileSync(join(SRC, file), 'utf8')).flatMap(({ within, fault, text }) => {
        const known = LOCK_EXCEPTIONS.find((one) => one.file === file && one.within === within)
        if (known) unused.delete(known)
        return known ? [] : `${file}, ${within} ${fault}: ${text}`
      }),
    )
    assert.deepEqual(found, [])
    assert.deepEqual([...unused], [], 'exceptions that are no more')
  })

  for (const [source, faults] of JUDGED) {
    it(`${faults[0] ?? 'is right'}: ${source}`, () => {
      assert.deepEqual(
        lockFindings(source).map(({ fault }) => fault),
        faults,
      )
    })
  }
})

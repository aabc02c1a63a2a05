import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../support/postgres/database.ts'

const STATEMENT = {
  name: 'times-ten',
  text: `SELECT pg_backend_pid() AS pid, 10 * $1::int AS answer, 5::bigint AS big, NULL::text AS nothing`,
}
type Row = { pid: number; answer: number; big: number; nothing: null }

test('short statements that are started together share connections, and each gets its own answer', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => db.runShared<Row>({ ...STATEMENT, values: [n] })),
    )
    const rows = answers.map((answer) => answer.rows[0] as Row)
    assert.deepEqual(
      rows.map(({ answer, big, nothing }) => [answer, big, nothing]),
      Array.from({ length: 12 }, (_, n) => [10 * n, 5, null]),
    )
    assert.ok(new Set(rows.map(({ pid }) => pid)).size < 12)
  }
})

test('a statement that fails leaves those beside it alone', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const divide = (by: number) =>
    db.runShared<{ quotient: number }>({
      name: 'divide',
      text: 'SELECT 6 / $1::int AS quotient',
      values: [by],
    })
  for (let round = 0; round < 2; round++) {
    const [three, failed, two] = await Promise.allSettled([divide(2), divide(0), divide(3)])
    assert.deepEqual(three.status === 'fulfilled' && three.value.rows, [{ quotient: 3 }])
    assert.equal(failed.status === 'rejected' && failed.reason.code, '22012')
    assert.deepEqual(two.status === 'fulfilled' && two.value.rows, [{ quotient: 2 }])
  }
})

test('a connection that dies takes those under way with it, and nobody after them', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const dying = Array.from({ length: 6 }, () =>
    db.runShared({
      name: 'die',
      text: 'SELECT pg_terminate_backend(pg_backend_pid()), $1::int',
      values: [1],
    }),
  )
  const ended = await Promise.allSettled(dying)
  assert.ok(ended.every(({ status }) => status === 'rejected'))
  const { rows } = await db.runShared<Row>({ ...STATEMENT, values: [4] })
  assert.equal(rows[0]?.answer, 40)
})

test('a prepared statement is described to each connection once, whatever it answers', async (t) => {
  const { db, close } = await openTestDatabase()
  const client = await db.pool.connect()
  t.after(async () => {
    client.release()
    await close()
  })
  let described = 0
  const { connection: wire } = client as unknown as { connection: NodeJS.EventEmitter }
  wire.on('rowDescription', () => described++)
  const numbers = (upTo: number) =>
    client.query<{ n: number; at: Date }>({
      name: 'numbers',
      text: `SELECT n, timestamptz '2026-11-24 12:00:00Z' AS at FROM generate_series(1, $1::int) n`,
      values: [upTo],
    })
  for (const upTo of [2, 0, 1, 3]) {
    const { rows, fields, rowCount } = await numbers(upTo)
    const at = new Date('2026-11-24T12:00:00Z')
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      Array.from({ length: upTo }, (_, n) => ({ n: n + 1, at })),
    )
    assert.deepEqual([rowCount, fields.map(({ name }) => name)], [upTo, ['n', 'at']])
  }
  assert.equal(described, 1)
})

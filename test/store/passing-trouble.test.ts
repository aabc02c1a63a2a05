import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { inTransaction, openDatabase } from '../../src/store/database.ts'
import { isPassingTrouble } from '../../src/store/passing-trouble.ts'
import { openTestDatabase } from '../support/database.ts'
import { startSilentServer } from '../support/silent-server.ts'

/** What the work fails with. */
async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  work().then(() => reject(new Error('it did not fail')), resolve)
  return promise
}

test('a database that cannot be used is passing trouble, and a wrong statement is not', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const { pool } = db
  const asked = (sql: string) => () =>
    inTransaction(pool, async (client) => {
      await client.query(sql)
    })
  await pool.query('CREATE TABLE held (id int PRIMARY KEY)')
  await pool.query('INSERT INTO held VALUES (1), (2)')
  const holder = await pool.connect()
  await holder.query('BEGIN; LOCK TABLE held')
  const passing = [
    asked('SET LOCAL statement_timeout = 1; SELECT pg_sleep(60)'),
    asked('SET LOCAL lock_timeout = 1; SELECT * FROM held'),
    asked('SELECT pg_terminate_backend(pg_backend_pid())'),
    asked('SET TRANSACTION READ ONLY; DELETE FROM rate_limits'),
  ]
  for (const work of passing) {
    const failure = await failureOf(work)
    assert.equal(isPassingTrouble(failure), true, String(failure))
  }
  await holder.query('ROLLBACK')
  holder.release()
  for (const sql of ['SELECT 1 / 0', 'SELECT * FROM nothing', 'INSERT INTO held VALUES (1)', 'SELECT']) {
    const failure = await failureOf(asked(`${sql}; x`))
    assert.equal(isPassingTrouble(failure), false, String(failure))
  }
  assert.equal(isPassingTrouble(new TypeError('undefined is not a function')), false)
  assert.equal(
    isPassingTrouble(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' })),
    false,
  )
})

test('of two transactions that wait for each other one has passing trouble', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  await db.pool.query('CREATE TABLE held (id int PRIMARY KEY)')
  await db.pool.query('INSERT INTO held VALUES (1), (2)')
  const bothHold = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const update = (first: number, second: number) =>
    inTransaction(db.pool, async (client) => {
      await client.query('UPDATE held SET id = id WHERE id = $1', [first])
      bothHold[first === 1 ? 0 : 1].resolve()
      await Promise.all(bothHold.map(({ promise }) => promise))
      await client.query('UPDATE held SET id = id WHERE id = $1', [second])
    })
  const ends = await Promise.allSettled([update(1, 2), update(2, 1)])
  const [failed, ...others] = ends.filter((end) => end.status === 'rejected')
  assert.deepEqual([isPassingTrouble(failed?.reason), others], [true, []])
})

test('so is a server that is gone, says nothing, or hangs up, for the pool and its queries', async (t) => {
  const gone = createServer()
  await once(gone.listen(0, '127.0.0.1'), 'listening')
  const { port } = gone.address() as { port: number }
  gone.close()
  await once(gone, 'close')
  const silent = await startSilentServer(t, false)
  const rude = createServer((socket) => socket.destroy())
  await once(rude.listen(0, '127.0.0.1'), 'listening')
  t.after(() => rude.close())
  for (const at of [port, silent.port, (rude.address() as { port: number }).port]) {
    const address = { host: '127.0.0.1', port: at, user: 'upbeat', database: 'upbeat', connectTimeoutMs: 1 }
    const db = openDatabase({ ...address, connectTimeoutMs: at === silent.port ? 1 : 60_000 }, () => {})
    t.after(() => db.close())
    const failure = await failureOf(() => db.pool.query('SELECT 1'))
    assert.equal(isPassingTrouble(failure), true, String(failure))
  }
})

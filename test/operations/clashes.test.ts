import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusalAnswer } from '../../src/operations/refusal.ts'
import { inTransaction } from '../../src/postgres/database.ts'
import { openEagerDatabase } from '../support/postgres/deadlocks.ts'
import { suiteScope } from '../support/scope.ts'

/** The answer to a request that fails so, and the bugs that it is reported as. */
function answerTo(error: unknown) {
  const bugs: unknown[] = []
  const answer = refusalAnswer({ docsUrl: 'https://docs.example', onBug: (bug) => bugs.push(bug) }, error)
  return { status: answer.status, retryAfter: answer.headers?.['retry-after'], bugs: bugs.length }
}

/** Reported all the same: two requests that clash have a fault in common, or one that never ends. */
const AGAIN = { status: 503, retryAfter: '1', bugs: 1 }

describe('a request that meets another one which changes the same records', () => {
  const scope = suiteScope()

  it('is to be sent again where a row is gone that it refers to', async () => {
    const { db, close } = await openEagerDatabase()
    scope.after(close)
    const failed = await db.pool
      .query('INSERT INTO members (team_id, user_id, role) VALUES (1, 1, $1)', ['viewer'])
      .catch((error) => error)
    assert.equal(failed.code, '23503')
    assert.deepEqual(answerTo(failed), AGAIN)
  })

  it('is to be sent again where each waits for the other', async () => {
    const { db, close } = await openEagerDatabase()
    scope.after(close)
    await db.pool.query(
      'CREATE TABLE things (id int PRIMARY KEY, size int); INSERT INTO things VALUES (1, 0), (2, 0)',
    )
    const gate = Promise.withResolvers<void>()
    let first = 0
    const change = (ids: [number, number]) =>
      inTransaction(db.pool, async (client) => {
        await client.query('UPDATE things SET size = size + 1 WHERE id = $1', [ids[0]])
        if (++first === 2) gate.resolve()
        await gate.promise
        await client.query('UPDATE things SET size = size + 1 WHERE id = $1', [ids[1]])
      })
    const outcomes = await Promise.allSettled([change([1, 2]), change([2, 1])])
    const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    assert.deepEqual(
      failed.map(({ code }) => code),
      ['40P01'],
    )
    assert.deepEqual(answerTo(failed[0]), AGAIN)
    // Its transaction is undone as a whole: to send it again does nothing twice.
    const { rows } = await db.pool.query('SELECT size FROM things ORDER BY id')
    assert.deepEqual(rows, [{ size: 1 }, { size: 1 }])
  })

  it('is a bug where the statement is wrong by itself', async () => {
    const { db, close } = await openEagerDatabase()
    scope.after(close)
    const failed = await db.pool.query('SELECT missing FROM teams').catch((error) => error)
    assert.deepEqual(answerTo(failed), { status: 500, retryAfter: undefined, bugs: 1 })
  })
})

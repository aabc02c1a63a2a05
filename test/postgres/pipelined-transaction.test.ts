import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Connection, inPipelinedTransaction } from '../../src/postgres/database.ts'
import { openTestDatabase, type TestDatabase } from '../support/postgres/database.ts'

let database: TestDatabase

before(async () => {
  database = await openTestDatabase()
  await database.db.pool.query('CREATE TABLE pipelined_numbers (number int CHECK (number > 0))')
})
after(() => database.close())

describe('a transaction whose BEGIN and COMMIT share round trips', () => {
  const insert = (client: Connection, number: number) =>
    client.query('INSERT INTO pipelined_numbers VALUES ($1)', [number])
  const readAll = async () => {
    const { rows } = await database.db.pool.query('SELECT number FROM pipelined_numbers ORDER BY number')
    return rows.map(({ number }) => number)
  }

  it('keeps what was written, and begins before its first statement', async () => {
    const inside = await inPipelinedTransaction(database.db.pipelined, async (client, begun) => {
      const [{ rows }] = await Promise.all([client.query('SELECT txid_current() AS id'), begun])
      const again = await client.query('SELECT txid_current() AS id')
      assert.equal(again.rows[0]?.id, rows[0]?.id)
      return { result: 'done', written: Promise.all([insert(client, 1), insert(client, 2)]) }
    })
    assert.equal(inside, 'done')
    assert.deepEqual(await readAll(), [1, 2])
  })

  it('keeps nothing when one of the last statements fails, and says which', async () => {
    const failing = inPipelinedTransaction(database.db.pipelined, async (client, begun) => {
      await begun
      return {
        result: null,
        written: Promise.all([insert(client, 3), insert(client, -1), insert(client, 4)]),
      }
    })
    await assert.rejects(failing, { code: '23514' })
    assert.deepEqual(await readAll(), [1, 2])
  })

  it('keeps nothing when the work fails, and leaves the connection as it was', async () => {
    const failing = inPipelinedTransaction(database.db.pipelined, async (client, begun) => {
      await begun
      await insert(client, 5)
      throw new Error('changed my mind')
    })
    await assert.rejects(failing, /changed my mind/)
    const { rows } = await database.db.pipelined.query('SELECT count(*) AS count FROM pipelined_numbers')
    assert.equal(rows[0]?.count, 2)
  })
})

import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { readDatabaseUrl } from '../../src/postgres/database-url.ts'
import { listen } from '../../src/postgres/listen.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { checkServer } from '../../src/postgres/server-check.ts'
import { type ExternalServer, startExternalServer } from '../support/postgres/external-server.ts'
import { startPgBouncer } from '../support/postgres/pgbouncer.ts'
import { suiteScope } from '../support/scope.ts'
import { until } from '../support/until.ts'

describe('an external server behind a pooler', () => {
  const scope = suiteScope()
  let server: ExternalServer

  before(async () => {
    server = await startExternalServer(scope)
    await server.createDatabase('main')
  })

  const check = (url: string) => checkServer(readDatabaseUrl(url))

  it('works in session mode', async () => {
    const url = await startPgBouncer(scope, server, 'main', 'session')
    const db = openDatabase(await check(url), () => {})
    scope.after(() => db.close())
    await migrate(db.pool)
    let woken = 0
    const listening = listen(db, { there: () => void woken++ })
    scope.after(() => listening.close())
    await until('it listens', () => woken === 1)
    const named = {
      name: 'named',
      text: `SELECT current_setting('statement_timeout') AS timeout, $1::int AS one`,
    }
    const clients = await Promise.all([1, 2, 3].map(() => db.pool.connect()))
    for (const client of [...clients, ...clients]) {
      assert.deepEqual((await client.query({ ...named, values: [1] })).rows, [{ timeout: '30s', one: 1 }])
    }
    for (const client of clients) client.release()
    await db.pool.query('NOTIFY there')
    await until('a notification', () => woken === 2)
  })

  for (const mode of ['transaction', 'statement'] as const) {
    it(`is refused in ${mode} mode`, async () => {
      const url = await startPgBouncer(scope, server, 'main', mode)
      await assert.rejects(check(url), /a pooler in transaction mode.* set pool_mode = session/)
    })
  }
})

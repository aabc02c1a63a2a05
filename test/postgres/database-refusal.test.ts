import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { namingServer } from '../../src/postgres/database-refusal.ts'
import type { DatabaseAddress } from '../../src/postgres/database-url.ts'
import { openTestDatabase } from '../support/postgres/database.ts'
import { startSilentServer } from '../support/servers/silent-server.ts'

const ADDRESS: DatabaseAddress = {
  host: 'db.example',
  port: 5432,
  user: 'upbeat',
  password: '',
  database: 'upbeat',
}

test('a connection that is lost is said with the server that it was to', async (t) => {
  const { db: other, close } = await openTestDatabase()
  t.after(close)
  const { port } = await startSilentServer(t, false)
  const silent = openDatabase({ ...ADDRESS, host: '127.0.0.1', port, connectTimeoutMs: 50 }, () => {})
  t.after(() => silent.close())
  const killed = openDatabase({ ...other.connection }, () => {})
  t.after(() => killed.close())
  const said: [work: () => Promise<unknown>, words: RegExp][] = [
    [
      () => silent.pool.query('SELECT 1'),
      /^cannot use PostgreSQL at db\.example:5432 as upbeat: no answer in time$/,
    ],
    [
      () => killed.pool.query('SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(60)'),
      /^cannot use PostgreSQL at db\.example:5432 as upbeat: it has ended the connection$/,
    ],
    [
      () => other.pool.query('SET statement_timeout = 1; SELECT pg_sleep(60)'),
      /^canceling statement due to statement timeout$/,
    ],
    [() => readFile('/nowhere/at/all'), /^ENOENT: no such file or directory, open/],
    [() => Promise.reject(new TypeError('undefined is not a function')), /^undefined is not a function$/],
  ]
  for (const [work, message] of said) await assert.rejects(namingServer(ADDRESS, work()), { message })
})

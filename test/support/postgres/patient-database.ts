import { type Database, openDatabase } from '../../../src/postgres/database.ts'
import type { DatabaseAddress } from '../../../src/postgres/database-url.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'

/** For the address of a database: the longest time that a connection may take. */
export const PATIENCE = 'connect_timeout=60'

/** An address for what runs in a process of tests: starved, it may wait long for one of its own connections. */
export function patientUrl(url: string): string {
  if (url.includes('connect_timeout')) return url
  return `${url}${url.includes('?') ? '&' : '?'}${PATIENCE}`
}

/**
 * A service gives up on a database that stands still for some seconds. A test keeps waiting, because on a slow machine
 * any database stands still at times.
 */
export function openPatient(address: DatabaseAddress): Database {
  // Some tests break connections on purpose; to the others the query that fails says enough.
  const db = openDatabase({ ...address, connectTimeoutMs: HANG_GUARD_MS }, () => {})
  for (const { options } of [db.pool, db.pipelined]) {
    options.onConnect = async (client) => {
      await client.query(`SET statement_timeout = ${HANG_GUARD_MS}`)
    }
  }
  return db
}

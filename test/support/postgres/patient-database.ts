import { type Database, openDatabase } from '../../../src/postgres/database.ts'
import type { DatabaseAddress } from '../../../src/postgres/database-url.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'

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

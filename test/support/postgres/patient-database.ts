import { type Database, openDatabase } from '../../../src/postgres/database.ts'
import type { DatabaseAddress } from '../../../src/postgres/database-address.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'

/**
 * What a service gives up after seconds, so that nobody waits for one that stands still, a test goes on with: on a slow
 * machine it stands still, too.
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

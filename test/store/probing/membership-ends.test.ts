import { describe, it } from 'node:test'
import type { Database } from '../../../src/postgres/database.ts'
import { leaveProbers } from '../../../src/store/probing/memberships.ts'
import { openEagerDatabase, workAtOnce } from '../../support/postgres/deadlocks.ts'
import { addMonitors } from '../../support/records/monitors.ts'
import { addProber } from '../../support/records/probing.ts'
import { addRow } from '../../support/records/rows.ts'
import { addPerson, addTeam } from '../../support/records/teams.ts'
import { until } from '../../support/until.ts'

const SOON = new Date(Date.now() + 3_600_000)

/** Everything that foreign keys to a membership change when it ends: two rows of each, whose keys ascend. */
const TAKEN_ALONG = {
  overruns: {
    key: 'monitor_id',
    owner: 'prober',
    async add(db: Database, prober: number) {
      for (const { id } of await addMonitors(db, 2))
        await addRow(db, 'overruns', { monitor_id: id, prober, until: SOON })
    },
  },
  confirmations: {
    key: 'id',
    owner: 'asked_by',
    async add(db: Database, prober: number) {
      for (const { id, revision } of await addMonitors(db, 2)) {
        const asked = { monitor_id: id, revision, region: '', asked_by: prober, expires_at: SOON }
        await addRow(db, 'confirmations', asked)
      }
    },
  },
  trial_checks: {
    key: 'id',
    owner: 'claimed_by',
    async add(db: Database, prober: number) {
      const [team_id, user_id] = [await addTeam(db), await addPerson(db)]
      for (let count = 0; count < 2; count++)
        await addRow(db, 'trial_checks', { team_id, user_id, claimed_by: prober, expires_at: SOON })
    },
  },
} as const

describe('a membership that ends', () => {
  for (const [table, { key, owner, add }] of Object.entries(TAKEN_ALONG)) {
    it(`takes its rows of ${table} in the order of their keys, as others lock them`, async () => {
      const database = await openEagerDatabase()
      const { db } = database
      const own = await addProber(db, { expires_at: SOON })
      await add(db, await addProber(db, { expires_at: SOON }))
      const { rows } = await db.pool.query<{ key: number }>(
        `SELECT ${key} AS key FROM ${table} ORDER BY ${key}`,
      )
      const [first, last] = rows.map((row) => row.key)
      // In the order in which they become its own, which is the order in which the server finds them.
      for (const row of [last, first])
        await db.pool.query(`UPDATE ${table} SET ${owner} = $1 WHERE ${key} = $2`, [own, row])
      const rival = db.newClient('rival')
      await rival.connect()
      const lock = (row: number | undefined) =>
        rival.query(`SELECT FROM ${table} WHERE ${key} = $1 FOR UPDATE`, [row])
      await rival.query('BEGIN')
      await lock(first)
      const leaving = leaveProbers(db, own)
      await until('it to wait for the rival', () => isWaiting(db))
      await lock(last)
      await rival.query('COMMIT')
      await rival.end()
      await leaving
      await workAtOnce(database, [])
    })
  }
})

async function isWaiting({ pool }: Database): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
  )
  return rowCount === 1
}

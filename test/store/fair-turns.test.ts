import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { SHARED } from '../../src/core/sharing/shared.ts'
import { createTally } from '../../src/metrics/tally.ts'
import { createLimits } from '../../src/roles/rate-limits.ts'
import type { RateLimit } from '../../src/store/rate-limits.ts'
import { listDueReports } from '../../src/store/reports/editions.ts'
import { openTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { addRow } from '../support/records/rows.ts'
import { addTeam } from '../support/records/teams.ts'

describe('what is done by turns', () => {
  let database: TestDatabase
  let hostile: number
  let quiet: number
  before(async () => {
    database = await openTestDatabase()
    hostile = await addTeam(database.db)
    quiet = await addTeam(database.db)
  })
  after(() => database?.close())

  it('makes the report of a team with one beside those of a team with many older ones', async () => {
    const add = (team_id: number, day: number) =>
      addRow(database.db, 'reports', {
        ...{ team_id, name: 'All', time_zone: 'UTC', all_subjects: true },
        ...{ monitor_ids: [], server_ids: [], site_ids: [], next_mail_at: new Date(Date.UTC(2026, 0, day)) },
      })
    for (let n = 0; n < 60; n++) await add(hostile, 1)
    await add(quiet, 2)
    const due = await listDueReports(database.db.query, new Date(Date.UTC(2026, 1, 1)), 20)
    assert.equal(due.length, 20)
    assert.deepEqual(
      due.slice(0, 2).map(({ teamId }) => teamId),
      [hostile, quiet],
    )
  })

  it('counts one client no further than its part of what all may do', async () => {
    const limits = createLimits(
      database.db,
      createTally(),
      () => new Date(),
      (error) => assert.fail(String(error)),
      'open',
    )
    const take = async (limit: RateLimit, key: string) => (await limit.take(key)).retryAfterSeconds === null
    const { most } = SHARED.programs
    for (let n = 0; n < most; n++) assert.ok(await take(limits.perRegisteringAddress, '192.0.2.1'))
    assert.equal(await take(limits.perRegisteringAddress, '192.0.2.1'), false)
    assert.ok(await take(limits.perRegisteringAddress, '192.0.2.2'))
    assert.ok(most * 10 <= SHARED.programs.size)
    assert.ok(SHARED.serverReports.most < SHARED.serverReports.size / 2)
  })
})

import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { leaveProbers, renewMembership } from '../../../src/store/probing/memberships.ts'
import { endExpiredMemberships } from '../../../src/store/probing/slots.ts'
import {
  createTrialClaims,
  insertTrial,
  readTrial,
  type TrialClaims,
} from '../../../src/store/probing/trials.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { addProber } from '../../support/records/probing.ts'
import { addRow, changeRows } from '../../support/records/rows.ts'
import { addTeam } from '../../support/records/teams.ts'
import { suiteScope } from '../../support/scope.ts'
import { settingsFor } from '../../support/servers/targets-settings.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const SETTINGS = settingsFor('http', { username: 'ada', password: 'a secret word' })
const HOUR_MS = 3_600_000

describe('a test of settings, as a row', () => {
  const scope = suiteScope()
  let database: TestDatabase
  let teamId: number
  let userId: number
  let claims: TrialClaims

  before(async () => {
    database = await openTestDatabase()
    scope.after(database.close)
    teamId = await addTeam(database.db)
    userId = (await addRow(database.db, 'users', { email: 'ada@example.com', name: 'Ada' })).id
    claims = createTrialClaims(database.db, database.vault)
  })

  const join = (region = 'lon') =>
    addProber(database.db, { region, expires_at: new Date(Date.now() + HOUR_MS) })
  const ask = (forMs = HOUR_MS) =>
    insertTrial(database.db.query, database.vault, { teamId, userId, settings: SETTINGS, forMs })
  const read = (id: number, who = userId) => readTrial(database.db.query, { teamId, userId: who, id })

  it('is sealed, claimed by one prober, and forgets the settings with the result', async () => {
    const [first, second] = [await join(), await join()]
    const id = await ask()
    const settingsNow = async () =>
      (await database.db.pool.query('SELECT settings FROM trial_checks WHERE id = $1', [id])).rows[0].settings
    assert.doesNotMatch(await settingsNow(), /secret word/)
    assert.equal(
      (await renewMembership(database.db, first, 600))?.isAsked,
      true,
      'for a prober that was not woken',
    )
    assert.deepEqual(await claims.claim(first, 10), [{ trial: id, teamId, settings: SETTINGS }])
    assert.deepEqual(await claims.claim(second, 10), [])
    assert.equal((await renewMembership(database.db, second, 600))?.isAsked, false)
    await claims.answer(id, second, DOWN)
    assert.deepEqual(await read(id), { isTaken: true, done: null }, 'only its prober answers')
    await claims.answer(id, first, DOWN)
    const found = await read(id)
    assert.deepEqual([found?.done?.region, found?.done?.result], ['lon', DOWN])
    assert.equal(await settingsNow(), null)
    assert.equal(await read(id, userId + 1), null, 'for nobody else')
  })

  it('is taken on by another prober when the first one is gone', async () => {
    const [first, second] = [await join(), await join()]
    const id = await ask()
    await claims.claim(first, 10)
    await leaveProbers(database.db, first)
    assert.deepEqual(
      (await claims.claim(second, 10)).map(({ trial }) => trial),
      [id],
    )
  })

  it('is not for a region that is reserved for another team', async () => {
    await addRow(database.db, 'reserved_regions', { region: 'own', team_ids: [teamId + 1] })
    const prober = await join('own')
    const id = await ask()
    assert.deepEqual(await claims.claim(prober, 10), [])
    await changeRows(database.db, 'reserved_regions', { region: 'own' }, { team_ids: [teamId] })
    assert.deepEqual(
      (await claims.claim(prober, 10)).map(({ trial }) => trial),
      [id],
    )
  })

  it('ends in time: then it is claimed no more, and goes', async () => {
    const prober = await join()
    const id = await ask(0)
    assert.deepEqual(await claims.claim(prober, 10), [])
    assert.equal(await read(id), null)
    const client = await database.db.pool.connect()
    await endExpiredMemberships(client).finally(() => client.release())
    const { rows } = await database.db.pool.query('SELECT FROM trial_checks WHERE id = $1', [id])
    assert.equal(rows.length, 0)
  })
})

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { mostOfOne } from '../../../src/core/sharing/share.ts'
import { sizeOf } from '../../../src/core/sharing/shared.ts'
import { createConfirmationClaims } from '../../../src/store/probing/confirmations.ts'
import { createTrialClaims, insertTrial } from '../../../src/store/probing/trials.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { addMonitors } from '../../support/records/monitors.ts'
import { addProber } from '../../support/records/probing.ts'
import { addPerson, addTeam } from '../../support/records/teams.ts'
import { settingsFor } from '../../support/servers/targets-settings.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

const later = new Date(Date.now() + 3_600_000)

it('tests of one team leave room to one of another team', async () => {
  const { db, vault } = database
  const claims = createTrialClaims(db, vault)
  const prober = await addProber(db, { expires_at: later })
  const ask = async (count: number) => {
    const teamId = await addTeam(db)
    const userId = await addPerson(db, { email: `of-${teamId}@example.com` }, { teamId })
    const trial = { teamId, userId, settings: settingsFor('http', {}), forMs: 600_000 }
    for (let n = 0; n < count; n++) await insertTrial(db.query, vault, trial)
    return teamId
  }
  const places = sizeOf('trials')
  const hostile = await ask(places * 2)
  const held = (await claims.claim(prober, places, [])).map(({ teamId }) => teamId)
  assert.equal(held.length, mostOfOne(places))
  const quiet = await ask(1)
  const next = await claims.claim(prober, places - held.length, held)
  assert.deepEqual(
    next.map(({ teamId }) => teamId),
    [quiet],
  )
  assert.ok(held.every((teamId) => teamId === hostile))
})

it('confirmations of one team leave room to one of another team', async () => {
  const { db } = database
  const claims = createConfirmationClaims(db)
  const prober = await addProber(db, { region: 'far', expires_at: later })
  const asking = await addProber(db, { region: 'near', expires_at: later })
  const ask = async (count: number) => {
    const teamId = await addTeam(db)
    const monitors = await addMonitors(db, count, () => ({ team_id: teamId }))
    await db.pool.query(
      `INSERT INTO confirmations (monitor_id, revision, region, asked_by, expires_at)
       SELECT id, revision, 'far', $2, $3 FROM monitors WHERE id = ANY($1)`,
      [monitors.map(({ id }) => id), asking, later],
    )
    return teamId
  }
  const places = sizeOf('confirmations')
  const hostile = await ask(places * 2)
  const held = (await claims.claim(prober, places, [])).map(({ monitor }) => monitor.team_id)
  assert.equal(held.length, mostOfOne(places))
  const quiet = await ask(1)
  const next = await claims.claim(prober, places - held.length, held)
  assert.deepEqual(
    next.map(({ monitor }) => monitor.team_id),
    [quiet],
  )
  assert.ok(held.every((teamId) => teamId === hostile))
})

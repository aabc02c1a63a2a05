import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { createConfirmationAnswerer } from '../../../src/engine/probing/answer-confirmations.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { listen } from '../../../src/postgres/listen.ts'
import {
  readRecovery,
  readTeamConfirmation,
  updateTeamConfirmation,
} from '../../../src/store/monitors/team-confirmation.ts'
import {
  CONFIRMATIONS_CHANNEL,
  type ConfirmationClaims,
  type ConfirmationRequests,
  createConfirmationClaims,
  createConfirmationRequests,
} from '../../../src/store/probing/confirmations.ts'
import { joinProbers, leaveProbers, renewMembership } from '../../../src/store/probing/memberships.ts'
import { readRecentChanges, readSchedule } from '../../../src/store/probing/schedule.ts'
import { endExpiredMemberships } from '../../../src/store/probing/slots.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addIncident } from '../../support/records/history.ts'
import { type AddedMonitor, addMonitor } from '../../support/records/monitors.ts'
import { addSlots } from '../../support/records/probing.ts'
import { ago, changeRows, countRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { settingsFor } from '../../support/servers/targets-settings.ts'
import { until } from '../../support/until.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const CERTIFIED: CheckResult = {
  ...UP,
  certificate: { expiresAt: new Date('2027-01-01T00:00:00Z'), fingerprint: 'ab' },
}

describe('attempts that are asked of other regions', () => {
  const scope = suiteScope()
  let db: Database
  let teamId: number
  let monitor: AddedMonitor
  let asking: ConfirmationRequests
  let asked: ConfirmationClaims
  let [lon, nyc, sgp]: number[] = []

  beforeEach(async () => {
    const database = await openTestDatabase()
    scope.after(database.close)
    db = database.db
    monitor = await addMonitor(db, { url: 'http://127.0.0.1/shop', state: { status: 'up' } })
    teamId = monitor.teamId
    lon = await join('lon')
    nyc = await join('nyc')
    sgp = await join('sgp')
    asking = createConfirmationRequests(db)
    asked = createConfirmationClaims(db)
  })

  const join = (region: string) => joinProbers(db, { region, host: 'here', pid: 1 }, 600)
  const ask = (regions: string[], changes: Partial<{ revision: number; membership: number }> = {}) =>
    asking.request({
      monitorId: monitor.id,
      revision: monitor.revision,
      membership: lon as number,
      regions,
      forMs: HANG_GUARD_MS,
      ...changes,
    })
  const count = () => countRows(db, 'confirmations')

  it('are taken on by one process of the region, and answered to the prober that asked', async () => {
    const another = await join('nyc')
    const ids = await ask(['nyc', 'sgp'])
    assert.equal(ids.length, 2)
    assert.deepEqual(await asked.claim(lon as number, 10), [])
    const both = await Promise.all([asked.claim(nyc as number, 10), asked.claim(another, 10)])
    assert.equal(both.flat().length, 1)
    const [taken] = both.flat()
    assert.deepEqual([taken?.monitor.id, taken?.monitor.url], [monitor.id, 'http://127.0.0.1/shop'])
    const holder = both[0]?.length === 1 ? (nyc as number) : another
    await asked.answer(taken?.confirmation as number, holder, CERTIFIED)
    assert.deepEqual(
      (await asking.readAttempts(ids))
        .map(({ isTaken, attempt }) => [isTaken, attempt])
        .sort(([isTaken]) => (isTaken ? -1 : 1)),
      [
        [true, { region: 'nyc', result: CERTIFIED }],
        [false, null],
      ],
    )
    await asking.withdraw(ids)
    assert.equal(await count(), 0)
  })

  it('are announced to the regions that are asked, and seen by a prober that missed the announcement', async () => {
    const told: (string | null)[] = []
    const listening = listen(db, { [CONFIRMATIONS_CHANNEL]: (region) => told.push(region) })
    scope.after(listening.close)
    await until('listening', () => told.length > 0)
    await ask(['nyc', 'sgp'])
    await until('told', () => told.length === 3)
    assert.deepEqual(new Set(told), new Set([null, 'nyc', 'sgp']))
    const isAsked = async (id = 0) => (await renewMembership(db, id, 600))?.isAsked
    assert.deepEqual([await isAsked(lon), await isAsked(nyc), await isAsked(sgp)], [false, true, true])
    await asked.claim(nyc as number, 10)
    assert.equal(await isAsked(nyc), false)
  })

  it("are anybody's again when who took them on is gone, whose late answer does not count", async () => {
    const ids = await ask(['nyc'])
    const [taken] = await asked.claim(nyc as number, 10)
    await leaveProbers(db, nyc as number)
    assert.deepEqual(
      (await asking.readAttempts(ids)).map(({ isTaken }) => isTaken),
      [false],
    )
    await asked.answer(taken?.confirmation as number, nyc as number, UP)
    assert.deepEqual(
      (await asking.readAttempts(ids)).map(({ attempt }) => attempt),
      [null],
    )
    const heir = await join('nyc')
    assert.equal((await asked.claim(heir, 10)).length, 1)
    await asked.answer(taken?.confirmation as number, heir, DOWN)
    assert.equal((await asking.readAttempts(ids))[0]?.attempt?.result.status, 'down')
  })

  it('go with the prober that asked, and at the latest when their time is over', async () => {
    await ask(['nyc', 'sgp'])
    await leaveProbers(db, lon as number)
    assert.equal(await count(), 0)
    assert.deepEqual(await ask(['nyc']), [], 'who is gone asks for nothing')
    await ask(['nyc'], { membership: sgp as number })
    await changeRows(db, 'confirmations', {}, { expires_at: ago(1_000) })
    assert.deepEqual(await asked.claim(nyc as number, 10), [])
    const client = await db.pool.connect()
    await endExpiredMemberships(client).finally(() => client.release())
    assert.equal(await count(), 0)
  })

  it('are not made with other settings than those that failed', async () => {
    await ask(['nyc'], { revision: monitor.revision - 1 })
    assert.deepEqual(await asked.claim(nyc as number, 10), [])
  })

  it('are made by a process that is woken, by as many at once as there are', async () => {
    const ids = (await Promise.all(Array.from({ length: 3 }, () => ask(['nyc'])))).flat()
    const tried: string[] = []
    const answerer = createConfirmationAnswerer({
      claims: asked,
      probe: async ({ url }) => {
        tried.push(url)
        return DOWN
      },
      settingsOf: ({ url }) => settingsFor('http', { url: url ?? '' }),
      onTrouble: (error) => assert.fail(error as Error),
    })
    scope.after(answerer.close)
    answerer.wake()
    answerer.assign(nyc as number)
    answerer.wake()
    await until('answers', async () => {
      const found = await asking.readAttempts(ids)
      return found.every(({ attempt }) => attempt?.result.status === 'down')
    })
    assert.deepEqual(new Set(tried), new Set(['http://127.0.0.1/shop']))
    assert.ok(tried.length >= 3)
  })

  it('are needed as long as the monitor is not known to be down', async () => {
    assert.deepEqual(await asking.knownOf(monitor.id), { status: 'up', passing: 0 })
    await changeRows(db, 'monitor_state', {}, { status: 'down', passing: 2 })
    assert.deepEqual(await asking.knownOf(monitor.id), { status: 'down', passing: 2 })
    assert.equal(await asking.knownOf(monitor.id + 1), null)
  })

  it('follow the settings of the team, which probers read with its monitors', async () => {
    const share = { holder: nyc as number, slots: [0] }
    await addSlots(db, [0], { region: 'nyc', holder: nyc as number })
    await changeRows(db, 'monitors', {}, { changed_at: ago(3_600_000) })
    const settingsOf = ([read]: { confirmations: number; recovery_checks: number }[]) =>
      read && [read.confirmations, read.recovery_checks]
    assert.deepEqual(settingsOf(await readSchedule(db, share)), [0, 1])
    assert.deepEqual(await readRecentChanges(db, share, 60), [])

    await updateTeamConfirmation(db, teamId, { confirmations: 2, recovery_checks: 3 })
    assert.deepEqual(await readTeamConfirmation(db.query, teamId), { confirmations: 2, recovery_checks: 3 })
    const changes = await readRecentChanges(db, share, 60)
    assert.deepEqual(settingsOf(changes as never), [2, 3])
    assert.equal(changes[0]?.revision, monitor.revision, 'what is being found counts all the same')

    const recovery = () => readRecovery(db.query, teamId, monitor.id)
    assert.equal(await recovery(), null)
    await changeRows(db, 'monitor_state', {}, { status: 'down', passing: 1 })
    assert.deepEqual(await recovery(), { passing: 1, needed: 3 })
    await changeRows(db, 'monitor_state', {}, { status: 'maintenance', passing: 2 })
    assert.equal(await recovery(), null, 'of a failure that was planned')
    await changeRows(db, 'monitor_state', {}, { status: 'degraded', passing: 2 })
    assert.equal(await recovery(), null, 'of a warning about a certificate')
    await changeRows(db, 'monitor_state', {}, { unmet: true })
    assert.deepEqual(await recovery(), { passing: 2, needed: 3 }, 'of one about an assertion')
    await changeRows(db, 'monitor_state', {}, { status: 'maintenance', unmet: false })
    const open_incident_id = await addIncident(db, { team_id: teamId, monitor_id: monitor.id })
    await changeRows(db, 'monitor_state', {}, { open_incident_id })
    assert.deepEqual(await recovery(), { passing: 2, needed: 3 })
    for (const beyond of ['confirmations = 4', 'recovery_checks = 0', 'recovery_checks = 6']) {
      await assert.rejects(
        db.pool.query(`UPDATE teams SET ${beyond}`),
        /teams_(confirmations|recovery_checks)/,
      )
    }
    await updateTeamConfirmation(db, teamId, { recovery_checks: 1 })
    assert.equal(await recovery(), null)
  })
})

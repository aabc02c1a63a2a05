import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { type ProbeQuestion, probeContract } from '../../../src/contract/remote-probes.ts'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { createConfirmationAnswers } from '../../../src/operations/probing/remote-confirmations.ts'
import type { RemoteProbeMonitor } from '../../../src/operations/probing/remote-probe-answers.ts'
import type { Services } from '../../../src/operations/services.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { createRemoteConfirmations } from '../../../src/remote/confirmations.ts'
import { type Ask, type ServiceLink, Unreachable } from '../../../src/remote/service-link.ts'
import {
  createConfirmationClaims,
  createConfirmationRequests,
} from '../../../src/store/probing/confirmations.ts'
import { joinProbers, leaveProbers } from '../../../src/store/probing/memberships.ts'
import { answeredKey, takeAnswers } from '../../../src/store/probing/remote-confirmations.ts'
import { insertProbeToken, joinRemotely, type ProbeToken } from '../../../src/store/probing/remote-probes.ts'
import { createRateLimit, createUseCounter } from '../../../src/store/rate-limits.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { type AddedMonitor, addMonitor } from '../../support/records/monitors.ts'
import { addSlots } from '../../support/records/probing.ts'
import { changeRows } from '../../support/records/rows.ts'
import { addTeam } from '../../support/records/teams.ts'
import { suiteScope } from '../../support/scope.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
/** Few enough for a test to use up. */
const ASKS_OF_TICK = 3
/** No prober renews it. */
const LEASE_SECONDS = (2 * HANG_GUARD_MS) / 1_000

type Probe = {
  token: ProbeToken
  membership: number
  line: ServiceLink & { reachable: boolean }
} & ReturnType<typeof createRemoteConfirmations>

describe('remote probes that confirm failures', () => {
  const scope = suiteScope()
  const startedAt = new Date()
  /** Stands still, so that no tick of the monitors goes by. */
  const now = () => startedAt
  let db: Database
  /** Its own, and one in a slot that nobody holds. */
  let monitor: AddedMonitor
  let stranger: AddedMonitor
  let nyc: Probe
  let lon: number

  before(async () => {
    const database = await openTestDatabase()
    scope.after(database.close)
    db = database.db
  })

  beforeEach(async () => {
    await db.pool.query('TRUNCATE teams, probe_tokens, probers, slots, confirmations, rate_limits CASCADE')
    const team = await addTeam(db, { confirmations: 1 })
    const shopIn = (slot: number) =>
      addMonitor(db, {
        team_id: team,
        url: 'http://127.0.0.1/shop',
        check_interval_minutes: 60,
        request_timeout_seconds: 300,
        slot,
        state: { status: 'down', passing: 1 },
      })
    ;[monitor, stranger] = [await shopIn(0), await shopIn(1)]
    lon = await joinProbers(db, { region: 'lon', host: 'here', pid: 1 }, LEASE_SECONDS)
    nyc = await join('nyc')
    await addSlots(db, [0], { region: 'nyc', holder: nyc.membership })
  })

  async function join(region: string): Promise<Probe> {
    const made = { region, name: region, tokenHash: Buffer.from(region), ending: 'x', expiresAt: null }
    const { id } = await insertProbeToken(db.query, made)
    const token = { id, region, name: region, expiresAt: null, revokedAt: null }
    const membership = await joinRemotely(db, { region, host: 'there', pid: 1 }, id, LEASE_SECONDS, 16)
    const line = { ask: askAs(token), reachable: true }
    return { token, membership: membership as number, line, ...createRemoteConfirmations(line, () => true) }
  }

  /** As it is on the way: read by the schemas of both sides. */
  function askAs(token: ProbeToken): Ask {
    const limit = { name: 'ticks', limit: ASKS_OF_TICK, windowSeconds: 600, now }
    const take = createRateLimit(db, createUseCounter(db, now), limit)
    const services = { db, now, limits: { perConfirmedTick: take } } as unknown as Services
    const desk = createConfirmationAnswers(services, (one) => [
      { ...one, heartbeat_due_at: null } as RemoteProbeMonitor,
    ])
    return (async (question: ProbeQuestion, input: unknown) => {
      const { input: Input, output: Output } = probeContract[question]
      const answer = desk[question as keyof typeof desk] as (token: ProbeToken, asked: unknown) => unknown
      const asked = Input.parse(JSON.parse(JSON.stringify(input)))
      return Output.parse(JSON.parse(JSON.stringify(await answer(token, asked))))
    }) as Ask
  }

  const wish = (changes: object = {}) => ({
    monitorId: monitor.id,
    revision: monitor.revision,
    membership: nyc.membership,
    regions: ['lon'],
    forMs: 1,
    ...changes,
  })
  const asks = async () =>
    (await db.pool.query('SELECT monitor_id, region FROM confirmations ORDER BY id')).rows

  it('ask another region, and hear what it found', async () => {
    const ids = await nyc.confirmations.request(wish())
    const elsewhere = createConfirmationClaims(db)
    const [claimed] = await elsewhere.claim(lon, 10)
    assert.deepEqual([claimed?.monitor.id, ids.length], [monitor.id, 1])
    const open = await nyc.confirmations.readAttempts(ids)
    assert.deepEqual(open, [{ id: ids[0], isTaken: true, attempt: null }])
    const certificate = { expiresAt: new Date('2027-01-01T00:00:00Z'), fingerprint: 'ab'.repeat(32) }
    await elsewhere.answer(claimed?.confirmation as number, lon, { ...UP, certificate })
    const [found] = await nyc.confirmations.readAttempts(ids)
    assert.deepEqual(found?.attempt, { region: 'lon', result: { ...UP, certificate } })
    await nyc.confirmations.withdraw(ids)

    // A passing answer is kept until the result that it made arrives, and is taken once.
    const seen = { membership: nyc.membership, monitorId: monitor.id, region: 'lon' }
    assert.deepEqual(await takeAnswers(db, [seen]), new Set([answeredKey(seen)]))
    assert.deepEqual(await takeAnswers(db, [seen]), new Set())
    const again = await nyc.confirmations.request(wish())
    await nyc.confirmations.withdraw(again)
    assert.deepEqual(await asks(), [])
  })

  it('take on what their region is asked for, and nothing else', async () => {
    const asking = createConfirmationRequests(db)
    const about = {
      monitorId: stranger.id,
      revision: stranger.revision,
      membership: lon,
      forMs: HANG_GUARD_MS,
    }
    const ids = await asking.request({ ...about, regions: ['nyc', 'sgp'] })
    const claimed = await nyc.claims.claim(nyc.membership, 10)
    assert.deepEqual(
      claimed.map((one) => [one.monitor.id, one.monitor.url]),
      [[stranger.id, 'http://127.0.0.1/shop']],
    )
    const [taken] = claimed
    await nyc.claims.answer(taken?.confirmation as number, nyc.membership, { ...DOWN, address: '127.0.0.1' })
    for (const id of ids) await nyc.claims.answer(id, nyc.membership, UP)
    const answers = (await asking.readAttempts(ids)).map(({ attempt }) => attempt?.region)
    assert.deepEqual(answers.toSorted(), ['nyc', undefined])
    await leaveProbers(db, nyc.membership)
    await assert.rejects(nyc.claims.claim(nyc.membership, 10), /has ended/)
  })

  it('answer with a warning as it is: one about an expectation is none about a certificate', async () => {
    const slow: CheckResult = {
      ...{ ...UP, status: 'degraded', errorMessage: 'response took 900 ms (expected less than 800)' },
      ...{ unmet: true, unmetAt: 0, expiry: 'certificate expires in 3 days' },
    }
    const asking = createConfirmationRequests(db)
    const { id: monitorId, revision } = stranger
    const about = { monitorId, revision, membership: lon, forMs: HANG_GUARD_MS }
    const ids = await asking.request({ ...about, regions: ['nyc'] })
    const [taken] = await nyc.claims.claim(nyc.membership, 10)
    await nyc.claims.answer(taken?.confirmation as number, nyc.membership, slow)
    const [found] = await asking.readAttempts(ids)
    assert.deepEqual(found?.attempt, { region: 'nyc', result: slow })
  })

  it('ask about their own monitors only, as many regions as the team wants, and none too often', async () => {
    assert.deepEqual(await nyc.confirmations.request(wish({ monitorId: stranger.id })), [])
    assert.deepEqual(await nyc.confirmations.request(wish({ regions: ['nyc'] })), [])
    await assert.rejects(nyc.confirmations.request(wish({ membership: lon })), /has ended/)
    assert.deepEqual(await asks(), [])
    for (let asked = 0; asked < ASKS_OF_TICK; asked++) {
      assert.equal((await nyc.confirmations.request(wish({ regions: ['lon', 'sgp'] }))).length, 1)
    }
    assert.deepEqual(await asks(), [{ monitor_id: monitor.id, region: 'lon' }])
    assert.deepEqual(await nyc.confirmations.request(wish()), [])
    await changeRows(db, 'teams', {}, { confirmations: 0 })
    assert.deepEqual(await nyc.confirmations.request(wish()), [])
  })

  it('see and end only what they asked for themselves, and know only what they hold', async () => {
    const sgp = await join('sgp')
    const ids = await nyc.confirmations.request(wish())
    assert.deepEqual(await sgp.confirmations.readAttempts(ids), [])
    await sgp.confirmations.withdraw(ids)
    assert.equal((await asks()).length, 1)
    assert.deepEqual(await nyc.confirmations.knownOf(monitor.id), { status: 'down', passing: 1 })
    await changeRows(db, 'monitor_state', { monitor_id: monitor.id }, { status: 'maintenance', passing: 0 })
    assert.deepEqual(await nyc.confirmations.knownOf(monitor.id), { status: 'pending', passing: 0 })
    assert.equal(await nyc.confirmations.knownOf(stranger.id), null)
    assert.equal(await sgp.confirmations.knownOf(monitor.id), null)
  })

  it('do without others while the service is out of reach', async () => {
    const { line, confirmations, claims } = nyc
    line.ask = async () => {
      line.reachable = false
      throw new Unreachable('cut')
    }
    for (const reachable of [true, false]) {
      line.reachable = reachable
      assert.deepEqual(await confirmations.knownOf(monitor.id), { status: 'down', passing: 0 })
      line.reachable = reachable
      assert.deepEqual(await confirmations.request(wish()), [])
      line.reachable = reachable
      assert.deepEqual(await confirmations.readAttempts([1]), [])
      line.reachable = reachable
      await confirmations.withdraw([1])
      line.reachable = reachable
      assert.deepEqual(await claims.claim(nyc.membership, 1), [])
      line.reachable = reachable
      await claims.answer(1, nyc.membership, DOWN)
    }
    assert.deepEqual(await asks(), [])
  })
})

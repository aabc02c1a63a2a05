// npm test leaves this out: it waits while processes share slots and take turns in real intervals (minutes).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { phaseMs } from '../../src/core/probing/schedule.ts'
import { SLOTS } from '../../src/core/probing/slot.ts'
import { trySignal } from '../support/processes.ts'
import { suiteScope } from '../support/scope.ts'
import { type CountingTarget, startCountingTarget } from '../support/servers/counting-target.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { startTestService, type TestService } from '../support/services/service.ts'
import { startServiceHere } from '../support/services/service-here.ts'
import { type TeamClient, teamClient } from '../support/services/team-client.ts'
import { type StandstillLog, type Standstills, watchStandstills } from '../support/time/standstills.ts'
import { until } from '../support/until.ts'

const MONITORS = 8
const INTERVAL_MS = 1_000
/** A check may be late by this where nobody stands still: slots change hands on the way. */
const SLACK_MS = 2_000
/** A prober that stands still for this long at the wrong moment checks beside another one, or twice in a tick. */
const BLINK_MS = 100
/** A process that is to stop has so much more time than it needs to hand over; whatever then is left, it leaves. */
const SPARE_TO_LEAVE_MS = 4_000
/** Longer than the interval, so that each check goes on into the turn of another region. */
const SLOW_MS = 1_300
const SLOW = 'slow'
const FAILING = 'm0'

type Process = { service: TestService; standstills: StandstillLog }
type Check = { monitorId: number; at: number; region: string | null; judged: boolean }

describe('processes that share a database', () => {
  const scope = suiteScope()
  let target: CountingTarget
  let api: AskedService
  let client: TeamClient
  let standstills: Standstills
  const names = new Map<number, string>()
  let [scheduler, lon, nyc]: (Process | undefined)[] = []

  async function startProcess(ROLES: string, REGION = ''): Promise<Process> {
    const { DATABASE_URL = '', SECRET_KEY = '' } = api.env
    const log = standstills.logOfProcess()
    const service = await startTestService({ DATABASE_URL, SECRET_KEY, ROLES, REGION, ...log.environment })
    scope.after(async () => {
      // At the end all go at once: nobody has to hand over.
      await service.signal('SIGKILL')
      await service.close()
    })
    await service.letGo()
    log.count()
    return { service, standstills: log }
  }

  async function end({ service, standstills: log }: Process, signal: 'SIGTERM' | 'SIGKILL') {
    log.end()
    await service.signal(signal)
  }

  before(async () => {
    target = await startCountingTarget(scope)
    target.takesMs.set(SLOW, SLOW_MS)
    api = await startServiceHere({ ROLES: 'api,alerts' })
    scope.after(() => api.close())
    standstills = watchStandstills(scope, () => query('SELECT 1'))
    client = await teamClient(api)
    for (const name of [...Array.from({ length: MONITORS }, (_, i) => `m${i}`), SLOW]) {
      const monitor = await client.monitor({ name, url: target.url(name) })
      names.set(monitor.id, name)
    }
    // Spread, whatever chance made of so few.
    await query(`UPDATE monitors SET slot = id * 29 % 256 * ${SLOTS / 256}`)
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await api.services.db.pool.query(text, values)).rows

  async function checksSince(at: number): Promise<Check[]> {
    const rows = await query(
      `SELECT monitor_id, checked_at, region, status FROM checks WHERE checked_at >= $1
       ORDER BY checked_at, monitor_id`,
      [new Date(at)],
    )
    return rows.map(({ monitor_id, checked_at, region, status }) => ({
      monitorId: monitor_id,
      at: checked_at.getTime(),
      region,
      // A check that a busy machine could not judge is repeated at once.
      judged: status !== 'pending',
    }))
  }

  /** Until each of the monitors has been checked so since a moment; the regions in the order of its checks. */
  async function untilChecked(since: number, what: string, accept: (regions: string) => boolean) {
    await until(what, async () => {
      const checks = await checksSince(since)
      return [...names].every(
        ([id, name]) =>
          // A check that goes on into the next turn takes that one, too.
          name === SLOW ||
          accept(checks.flatMap(({ monitorId, region }) => (monitorId === id ? [region] : [])).join(' ')),
      )
    })
  }

  const holders = () =>
    query(`SELECT p.id, p.region, p.pid, count(*) AS slots FROM slots s JOIN probers p ON p.id = s.holder
           GROUP BY p.id ORDER BY p.region, p.id`)

  /** Until each process of a region holds so many slots, and nobody else holds any. */
  const untilHeld = (shares: [region: string, slots: number][]) =>
    until(`slots held as ${JSON.stringify(shares)}`, async () =>
      isDeepStrictEqual(
        (await holders()).map(({ region, slots }) => [region, slots]),
        shares,
      ),
    )

  /**
   * No tick of a monitor is checked twice, none is missing for longer than this, and no two checks are made at once; but
   * for what comes of a process, or of the database, that was kept from running.
   */
  async function assertSteady(since: number, longestMs: number) {
    // A delay after this moment is not a wait for a check.
    const readAt = Date.now()
    const checks = await checksSince(since)
    const lostMs = await standstills.until(readAt)
    for (const [id, name] of names) {
      if (name === SLOW) continue
      const own = checks.filter(({ monitorId }) => monitorId === id)
      for (const [i, { at }] of own.entries()) {
        const earlier = own.slice(0, i).findLast(({ judged }) => judged)
        const isAgain = own[i]?.judged && earlier && tickOf(id, earlier.at) === tickOf(id, at)
        const isExcused = lostMs(at - 2 * INTERVAL_MS, at) >= BLINK_MS
        assert.ok(!isAgain || isExcused, `${name} was checked twice at a tick: ${own.map((one) => one.at)}`)
      }
      const times = [since, ...own.map(({ at }) => at), readAt]
      for (const [i, at] of times.entries()) {
        const from = times[i - 1] ?? at
        const waited = at - from - lostMs(from, at, 0)
        assert.ok(waited <= longestMs, `${name} waited ${waited} ms until ${at === readAt ? 'now' : at}`)
      }
    }
    const overlaps = target.overlaps.filter(
      ({ earlierMs, atMs }) => lostMs(earlierMs - INTERVAL_MS, atMs) < BLINK_MS,
    )
    assert.deepEqual(overlaps, [], 'no two checks of a monitor at once')
  }

  it('check nothing until one process schedules and one probes', async () => {
    await until('the process to be well', async () => (await fetch(`${api.url}/health`)).ok)
    scheduler = await startProcess('scheduler')
    await untilWell(scheduler)
    assert.deepEqual([...target.asked.keys()], [])
    lon = await startProcess('probe,scheduler', 'lon')
    await untilChecked(Date.now(), 'checks from lon', (regions) => /lon lon/.test(regions))
    await untilWell(lon)
  })

  it('take turns with a region that joins: consecutive checks come from another one', async () => {
    const at = Date.now()
    nyc = await startProcess('probe,scheduler', 'nyc')
    await untilChecked(at, 'turns', (regions) => /lon nyc lon/.test(regions))
    await assertSteady(at, INTERVAL_MS + SLACK_MS)
    target.failing.add(FAILING)
  })

  it('hand half of the slots to another process of the region: no check is missed or doubled', async () => {
    const at = Date.now()
    const another = await startProcess('probe', 'lon')
    await untilHeld([
      ['lon', SLOTS / 2],
      ['lon', SLOTS / 2],
      ['nyc', SLOTS],
    ])
    await untilChecked(Date.now(), 'turns', (regions) => /lon nyc lon/.test(regions))
    await assertSteady(at, INTERVAL_MS + SLACK_MS)

    // A process that stops in order hands over first.
    const stoppingAt = Date.now()
    await end(lon as Process, 'SIGTERM')
    const stoppedAt = Date.now()
    lon = another
    // A slot that was handed over has a start time; one without a holder was simply reassigned.
    const left = await query("SELECT slot FROM slots WHERE region = 'lon' AND due_from IS NULL")
    const lostMs = await standstills.until(stoppedAt)
    if (lostMs(stoppingAt, stoppedAt) < SPARE_TO_LEAVE_MS) assert.deepEqual(left, [])
    await untilHeld([
      ['lon', SLOTS],
      ['nyc', SLOTS],
    ])
    await untilChecked(Date.now(), 'turns', (regions) => /nyc lon/.test(regions))
    await assertSteady(stoppingAt, INTERVAL_MS + SLACK_MS)
  })

  it('go on from the other region when a process is paused, and take nothing stale from it', async () => {
    const paused = nyc as Process
    const pausedAt = Date.now()
    const [before] = (await holders()).filter(({ region }) => region === 'nyc')
    process.kill(paused.service.pid, 'SIGSTOP')
    await untilHeld([['lon', SLOTS]])
    await untilChecked(Date.now(), 'every check from lon', (regions) => /lon lon lon/.test(regions))
    const aloneAt = Date.now()
    const checksOfNyc = async () => (await checksSince(0)).filter(({ region }) => region === 'nyc')
    const known = await checksOfNyc()
    // A process that is frozen during a check cannot report the check as running.
    target.overlaps.length = 0
    trySignal(paused.service.pid, 'SIGCONT')
    const resumedAt = Date.now()
    await untilChecked(resumedAt, 'turns', (regions) => /lon nyc lon/.test(regions))
    paused.standstills.count()
    const after = await until('it holds slots', async () =>
      (await holders()).find(({ region }) => region === 'nyc'),
    )
    assert.equal(after.pid, before.pid)
    assert.ok(after.id > before.id, 'it joined again')
    assert.match(paused.service.output(), /joins again/)
    const stale = (await checksOfNyc()).filter(({ at }) => at <= aloneAt)
    assert.deepEqual(stale, known)
    await assertSteady(pausedAt, 2 * INTERVAL_MS + SLACK_MS)
  })

  it('go on when the leader and all of a region are killed at once', async () => {
    const killedAt = Date.now()
    await Promise.all([scheduler, lon].map((one) => end(one as Process, 'SIGKILL')))
    const deadAt = Date.now()
    await untilHeld([['nyc', SLOTS]])
    await untilChecked(deadAt, 'every check from nyc', (regions) => /nyc nyc nyc/.test(regions))
    await assertSteady(killedAt, 2 * INTERVAL_MS + SLACK_MS)
    assert.deepEqual(
      (await checksSince(deadAt)).filter(({ region }) => region === 'lon'),
      [],
    )
  })

  it('neither lose nor double an incident over all that', async () => {
    target.failing.delete(FAILING)
    const [id] = [...names].find(([, name]) => name === FAILING) as [number, string]
    await client.untilStatus(id, 'up')
    const incidents = await query(
      'SELECT subject_id AS monitor_id, resolved_at IS NOT NULL AS resolved FROM team_incidents',
    )
    assert.deepEqual(incidents, [{ monitor_id: id, resolved: true }])
    await until('the slow page to be asked', () => (target.asked.get(SLOW)?.length ?? 0) > 10)
  })
})

async function untilWell({ service: { url } }: Process): Promise<void> {
  await until('the process to be well', async () => (await fetch(`${url}/health`)).ok)
}

function tickOf(id: number, at: number): number {
  return Math.floor((at - phaseMs(id, INTERVAL_MS)) / INTERVAL_MS)
}

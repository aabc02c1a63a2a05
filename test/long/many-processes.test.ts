import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { phaseMs } from '../../src/core/schedule.ts'
import { type CountingTarget, startCountingTarget } from '../support/counting-target.ts'
import { suiteScope } from '../support/scope.ts'
import { databaseOf, startTestService, type TestService } from '../support/service.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'
import { until } from '../support/until.ts'

const MONITORS = 8
const INTERVAL_MS = 1_000
/** Slots move within so long when a process comes, goes, dies or is paused. */
const MOVE_MS = 10_000
/** What a busy machine may add to the wait for a check. */
const SLACK_MS = 2_000
/** Longer than the interval, so that each check goes on into the turn of another region. */
const SLOW_MS = 1_300
const SLOW = 'slow'
const FAILING = 'm0'

type Check = { monitorId: number; at: number; region: string | null; judged: boolean }

describe('processes that share a database', () => {
  const scope = suiteScope()
  let target: CountingTarget
  let api: TestService
  let client: TeamClient
  const names = new Map<number, string>()
  let [scheduler, lon, nyc]: (TestService | undefined)[] = []

  const startProcess = async (ROLES: string, REGION = '') => {
    const started = await startTestService({ ...databaseOf(api), ROLES, REGION })
    await started.letGo()
    // At the end all go at once: nobody has to hand over.
    scope.after(() => started.signal('SIGKILL'))
    return started
  }

  before(async () => {
    target = await startCountingTarget(scope)
    target.takesMs.set(SLOW, SLOW_MS)
    api = await startTestService({ ROLES: 'api,alerts' })
    scope.after(() => api.close())
    client = await teamClient(api)
    for (const name of [...Array.from({ length: MONITORS }, (_, i) => `m${i}`), SLOW]) {
      const monitor = await client.monitor({ name, url: target.url(name) })
      names.set(monitor.id, name)
    }
    // Spread, whatever chance made of so few.
    await query('UPDATE monitors SET slot = id * 29 % 256')
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await api.services.db.pool.query(text, values)).rows

  async function checksSince(at: number): Promise<Check[]> {
    const rows = await query(
      `SELECT monitor_id, checked_at, region, status FROM checks WHERE checked_at >= $1 ORDER BY checked_at`,
      [new Date(at)],
    )
    return rows.map(({ monitor_id, checked_at, region, status }) => ({
      monitorId: monitor_id,
      at: checked_at.getTime(),
      region,
      // What a busy machine could not judge is tried again at once.
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
    return Date.now() - since
  }

  const holders = () =>
    query(`SELECT p.id, p.region, p.pid, count(*) AS slots FROM slots s JOIN probers p ON p.id = s.holder
           GROUP BY p.id ORDER BY p.region, p.id`)

  /** No tick of a monitor is checked twice, and none is missing for longer than this. */
  async function assertSteady(since: number, longestMs: number) {
    // What takes its time after this is no wait for a check.
    const readAt = Date.now()
    const checks = await checksSince(since)
    for (const [id, name] of names) {
      if (name === SLOW) continue
      const own = checks.filter(({ monitorId }) => monitorId === id)
      const times = own.map(({ at }) => at)
      const ticks = own.filter(({ judged }) => judged).map(({ at }) => tickOf(id, at))
      assert.equal(new Set(ticks).size, ticks.length, `${name} was checked twice at a tick: ${times}`)
      for (const [i, at] of times.entries()) {
        const waited = at - (times[i - 1] ?? since)
        assert.ok(waited <= longestMs, `${name} waited ${waited} ms`)
      }
      assert.ok(readAt - (times.at(-1) ?? since) <= longestMs, `${name} is not checked any more`)
    }
    assert.deepEqual([...target.overlaps], [], 'no two checks of a monitor at once')
  }

  it('check nothing until somebody schedules and somebody probes', async () => {
    assert.equal((await fetch(`${api.url}/health`)).status, 200)
    scheduler = await startProcess('scheduler')
    assert.equal((await fetch(`${scheduler.url}/health`)).status, 200)
    assert.deepEqual([...target.asked.keys()], [])
    lon = await startProcess('probe,scheduler', 'lon')
    const at = Date.now()
    const tookMs = await untilChecked(at, 'checks from lon', (regions) => /lon lon/.test(regions))
    assert.ok(tookMs <= MOVE_MS, `${tookMs} ms`)
    assert.equal((await fetch(`${lon.url}/health`)).status, 200)
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
    const startedAt = Date.now()
    await until('fair shares', async () =>
      (await holders()).every(({ slots, region }) => slots === (region === 'lon' ? 128 : 256)),
    )
    assert.ok(Date.now() - startedAt <= MOVE_MS)
    assert.equal((await holders()).length, 3)
    await untilChecked(Date.now(), 'turns', (regions) => /lon nyc lon/.test(regions))
    await assertSteady(at, INTERVAL_MS + SLACK_MS)

    // A process that stops in order hands over first.
    const stopping = lon as TestService
    const stoppingAt = Date.now()
    await stopping.signal('SIGTERM')
    assert.deepEqual(
      (await holders()).map(({ region, slots }) => [region, slots]),
      [
        ['lon', 256],
        ['nyc', 256],
      ],
    )
    lon = another
    await untilChecked(Date.now(), 'turns', (regions) => /nyc lon/.test(regions))
    await assertSteady(stoppingAt, INTERVAL_MS + SLACK_MS)
  })

  it('go on from the other region when a process is paused, and take nothing stale from it', async () => {
    const pausedAt = Date.now()
    const [before] = (await holders()).filter(({ region }) => region === 'nyc')
    process.kill(nyc?.pid as number, 'SIGSTOP')
    await untilChecked(pausedAt, 'every check from lon', (regions) => /lon lon lon/.test(regions))
    const aloneAt = Date.now()
    // What stands still in the middle of a check cannot say that it is at it.
    target.overlaps.clear()
    process.kill(nyc?.pid as number, 'SIGCONT')
    const resumedAt = Date.now()
    await untilChecked(resumedAt, 'turns', (regions) => /lon nyc lon/.test(regions))
    const [after] = (await holders()).filter(({ region }) => region === 'nyc')
    assert.equal(after.pid, before.pid)
    assert.ok(after.id > before.id, 'it joined again')
    assert.match(nyc?.output() ?? '', /joins again/)
    const stale = (await checksSince(pausedAt + 1_000)).filter(
      ({ at, region }) => region === 'nyc' && at <= aloneAt,
    )
    assert.deepEqual(stale, [])
    await assertSteady(pausedAt, 2 * INTERVAL_MS + SLACK_MS)
  })

  it('go on when whoever leads and all of a region are killed at once', async () => {
    const killedAt = Date.now()
    await Promise.all([scheduler?.signal('SIGKILL'), lon?.signal('SIGKILL')])
    await untilChecked(killedAt, 'every check from nyc', (regions) => /nyc nyc nyc/.test(regions))
    await assertSteady(killedAt, 2 * INTERVAL_MS + SLACK_MS)
    const [first] = (await checksSince(killedAt)).filter(({ region }) => region === 'lon')
    assert.ok(first === undefined || first.at < killedAt + INTERVAL_MS)
  })

  it('neither lose nor double an incident over all that', async () => {
    target.failing.delete(FAILING)
    const [id] = [...names].find(([, name]) => name === FAILING) as [number, string]
    await client.untilStatus(id, 'up')
    const incidents = await query('SELECT monitor_id, resolved_at IS NOT NULL AS resolved FROM incidents')
    assert.deepEqual(incidents, [{ monitor_id: id, resolved: true }])
    const asked = target.asked.get(SLOW)?.length ?? 0
    assert.ok(asked > 10, `the slow page was asked ${asked} times`)
  })
})

function tickOf(id: number, at: number): number {
  return Math.floor((at - phaseMs(id, INTERVAL_MS)) / INTERVAL_MS)
}

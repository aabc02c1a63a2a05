import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Incident } from '../../src/core/incident.ts'
import type { Monitor } from '../../src/core/monitor.ts'
import { deliveriesOf } from '../support/deliveries.ts'
import { documented, documentedFetch } from '../support/documented.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type SwitchTarget, startSwitchTarget } from '../support/switch-target.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'
import { until } from '../support/until.ts'

const JOB_INTERVAL_SECONDS = 2
const JOB_PERIOD_MS = 400

describe('a database in trouble', () => {
  const scope = suiteScope()
  let service: TestService
  let client: TeamClient

  before(async () => {
    service = await startTestService()
    scope.after(() => service.close())
    client = await teamClient(service)
  })

  it('that stands still opens nothing, loses nothing, and makes no job late', async (t) => {
    const scene = await setScene(t)
    // Longer than the scheduler holds its lease.
    const pauseMs = 4_000
    const stoppedAt = Date.now()
    await standStill(async () => {
      await until('the pause to be over', () => Date.now() > stoppedAt + pauseMs)
      assert.equal((await fetch(`${service.url}/health`)).status, 503)
    })
    await assertUnharmed(scene)
  })

  it('that is slow to write a ping which came in time does not make its job late', async () => {
    const intervalMs = JOB_INTERVAL_SECONDS * 1_000
    const job = await client.monitor({ type: 'heartbeat', check_interval_seconds: JOB_INTERVAL_SECONDS })
    const ping = () => documentedFetch(`${service.url}/ping/${job.heartbeat_token}`)
    assert.equal((await ping()).status, 204)
    // A second ping, so that the scheduler has met the first deadline and knows the next one before the pause.
    const createdAt = Date.parse(job.created_at)
    await until('most of the interval to pass', () => Date.now() > createdAt + 0.8 * intervalMs)
    assert.equal((await ping()).status, 204)
    const { last_checked_at } = await client.show(job.id)
    const deadline = Date.parse(last_checked_at ?? '') + intervalMs
    await until('the deadline to be near', () => Date.now() > deadline - 1_000)
    let inTime: Promise<Response> | undefined
    await standStill(async () => {
      inTime = ping()
      await until('the deadline to pass', () => Date.now() > deadline + 600)
    })
    assert.equal((await inTime)?.status, 204)
    await client.untilStatus(job.id, 'down')
    const checks = await client.checks(job.id)
    assert.deepEqual(
      checks.map(({ status }) => status),
      ['down', 'up', 'up', 'up'],
      'late only when the last ping is followed by none',
    )
  })

  it('that is killed comes back, and nothing is opened, lost or doubled by it', async (t) => {
    const scene = await setScene(t)
    const pid = postmaster()
    await service.letGo()
    process.kill(pid, 'SIGKILL')
    await until('another server', () => postmaster() !== pid)
    await until('the service to be well', async () => (await fetch(`${service.url}/health`)).ok)
    await service.takeUp()
    await assertUnharmed(scene)
  })

  type Scene = {
    healthy: SwitchTarget
    failing: SwitchTarget
    up: Monitor
    down: Monitor
    job: Monitor
    incident: Incident
    stopJob: () => Promise<void>
  }

  /** A monitor that is up, one that is down, and a job that pings all the time. */
  async function setScene(t: Scope): Promise<Scene> {
    const healthy = await startSwitchTarget(t)
    const failing = await startSwitchTarget(t, 503)
    const up = await client.monitor({ url: healthy.url })
    const down = await client.monitor({ url: failing.url })
    const job = await client.monitor({ type: 'heartbeat', check_interval_seconds: JOB_INTERVAL_SECONDS })
    const stopJob = startJob(t, `${service.url}/ping/${job.heartbeat_token}`)
    await client.untilStatus(up.id, 'up')
    await client.untilStatus(job.id, 'up')
    const { open_incident } = await client.untilStatus(down.id, 'down')
    return { healthy, failing, up, down, job, incident: open_incident as Incident, stopJob }
  }

  async function assertUnharmed({ healthy, failing, up, down, job, incident, stopJob }: Scene) {
    for (const target of [healthy, failing]) {
      const before = target.asked
      await until('checks to go on', () => target.asked >= before + 3)
    }
    await stopJob()
    for (const { id } of [up, down]) await client.data('PATCH', `/monitors/${id}`, { is_active: false })
    for (const [{ id }, target, status] of [
      [up, healthy, 'up'],
      [down, failing, 'down'],
    ] as const) {
      const checks = await client.checks(id)
      assert.deepEqual(new Set(checks.map((check) => check.status)), new Set([status]))
      assert.equal(new Set(checks.map(({ checked_at }) => checked_at)).size, checks.length, 'none is doubled')
      const missing = target.asked - checks.length
      assert.ok(missing === 0 || missing === 1, `${missing} checks lost; one may be under way when it ends`)
    }
    assert.deepEqual(await client.incidents(up.id), [])
    const incidents = await client.incidents(down.id)
    assert.deepEqual(
      incidents.map(({ id, started_at }) => [id, started_at]),
      [[incident.id, incident.started_at]],
    )
    const pings = await client.checks(job.id)
    const lastPing = pings.findLast(({ status }) => status === 'down')
    assert.equal(lastPing, undefined, `the job was found late: ${JSON.stringify(pings.slice(0, 20))}`)
    assert.deepEqual(await deliveriesOf(service, job.id), [])
    await client.data('DELETE', `/monitors/${job.id}`)
  }

  /** Stops the server and everything it has started for as long as `meanwhile` lasts. */
  async function standStill(meanwhile: () => Promise<void>) {
    const connection = await service.services.db.pool.connect()
    const stopped = [postmaster()]
    try {
      // First the server, so that it starts nobody else meanwhile.
      for (const pid of stopped) process.kill(pid, 'SIGSTOP')
      const { rows } = await connection.query<{ pid: number }>('SELECT pid FROM pg_stat_activity')
      stopped.push(...rows.map(({ pid }) => pid))
      for (const pid of stopped) process.kill(pid, 'SIGSTOP')
      await meanwhile()
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT')
      connection.release()
    }
  }

  function postmaster(): number {
    try {
      return Number.parseInt(readFileSync(join(service.dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
    } catch {
      return 0
    }
  }
})

/** Pings again and again, each time once the ping before is answered or refused; ends when it is told to. */
function startJob(scope: Scope, url: string): () => Promise<void> {
  const stop = new AbortController()
  const running = (async () => {
    while (!stop.signal.aborted) {
      const response = await fetch(url, { method: 'POST' }).catch(() => null)
      if (response) await (await documented('POST', url, response)).arrayBuffer()
      await new Promise((resolve) => setTimeout(resolve, JOB_PERIOD_MS))
    }
  })()
  const end = async () => {
    stop.abort()
    await running
  }
  scope.after(end)
  return end
}

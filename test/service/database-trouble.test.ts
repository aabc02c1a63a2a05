import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { documentedFetch } from '../support/documented.ts'
import { suiteScope } from '../support/scope.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'
import { assertUnharmed, JOB_INTERVAL_SECONDS, setScene } from '../support/trouble-scene.ts'
import { until } from '../support/until.ts'

describe('a database in trouble', () => {
  const scope = suiteScope()
  let service: TestService
  let client: TeamClient

  before(async () => {
    service = await startTestService({ DATABASE_URL: '' })
    scope.after(() => service.close())
    client = await teamClient(service)
  })

  it('that stands still opens nothing, loses nothing, and makes no job late', async (t) => {
    const scene = await setScene(t, service, client)
    // Longer than the scheduler holds its lease.
    const pauseMs = 4_000
    const stoppedAt = Date.now()
    await standStill(async () => {
      await until('the pause to be over', () => Date.now() > stoppedAt + pauseMs)
      assert.equal((await fetch(`${service.url}/health`)).status, 503)
    })
    await assertUnharmed(scene, service, client)
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
    const scene = await setScene(t, service, client)
    const pid = postmaster()
    await service.letGo()
    process.kill(pid, 'SIGKILL')
    await until('another server', () => postmaster() !== pid)
    await until('the service to be well', async () => (await fetch(`${service.url}/health`)).ok)
    await service.takeUp()
    await assertUnharmed(scene, service, client)
  })

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

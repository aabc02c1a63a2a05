import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Check } from '../../src/core/check.ts'
import { documentedFetch } from '../support/documented.ts'
import { suiteScope } from '../support/scope.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'
import { assertUnharmed, JOB_INTERVAL_SECONDS, setScene } from '../support/trouble-scene.ts'
import { until } from '../support/until.ts'

/** What a ping takes to be read where the machine is busy. */
const LONGEST_WAY_MS = 300

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
    const checks = await until('a job that pings in time, however busy this machine is', pingThroughPause)
    assert.deepEqual(
      checks.slice(-4).map(({ status }) => status),
      ['down', 'up', 'up', 'up'],
      'late only when the last ping is followed by none',
    )
  })

  /** The checks of a job that pings three times, at last into a pause; null when one of them was not in time. */
  async function pingThroughPause(): Promise<Check[] | null> {
    const intervalMs = JOB_INTERVAL_SECONDS * 1_000
    const startedAt = Date.now()
    const job = await client.monitor({ type: 'heartbeat', check_interval_seconds: JOB_INTERVAL_SECONDS })
    const url = `${service.url}/ping/${job.heartbeat_token}`
    const ping = async () => assert.equal((await documentedFetch(url)).status, 204)
    await ping()
    // A second ping, so that the scheduler has met the first deadline and knows the next one before the pause.
    await until('most of the interval to pass', () => Date.now() > startedAt + 0.7 * intervalMs)
    const [earliest, latest] = await spanOf(ping)
    await until('the deadline to be near', () => Date.now() > earliest + intervalMs - 1_000)
    let isInTime = latest < startedAt + intervalMs
    let answered: Promise<void> | undefined
    await standStill(async () => {
      answered = ping()
      isInTime &&= Date.now() < earliest + intervalMs - LONGEST_WAY_MS
      await until('the deadline to pass', () => Date.now() > latest + intervalMs + 600)
    })
    await answered
    await client.untilStatus(job.id, 'down')
    return isInTime ? await client.checks(job.id) : null
  }

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

/** When something began and when it was done. */
async function spanOf(work: () => Promise<void>): Promise<[fromMs: number, toMs: number]> {
  const fromMs = Date.now()
  await work()
  return [fromMs, Date.now()]
}

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type PausedJob, startPausedJob, untilInTime } from '../../support/probing/paused-job.ts'
import type { Span } from '../../support/probing/steady-job.ts'
import { assertUnharmed, type Scene, setScene } from '../../support/probing/trouble-scene.ts'
import { childrenOf, trySignal } from '../../support/processes.ts'
import { keptChecks } from '../../support/records/recorded-checks.ts'
import { suiteScope } from '../../support/scope.ts'
import { startTestService, type TestService } from '../../support/services/service.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

/** The interval of the job that pings all the time: it is over some time before the long pause ends, and not within the short one. */
const JOB_INTERVAL_SECONDS = 3
/** Longer than the scheduler holds its lease, too. */
const LONG_PAUSE_MS = 4_000
/** A job of 8 s, and a pause that begins at half of it: the service waits longer than that for its database. */
const MAX_ROOM = 4

/** Top to bottom: what has been up, down and pinging since the beginning is looked at again in the end. */
export function describeDatabaseTrouble(): void {
  describe('a database in trouble', { concurrency: 1 }, () => {
    const scope = suiteScope()
    const trouble: Span[] = []
    let service: TestService
    let client: TeamClient
    let scene: Scene

    before(async () => {
      service = await startTestService({ DATABASE_URL: '' })
      scope.after(() => service.close())
      // The disk belongs to all tests: a ping must not wait for what the others write.
      await service.services.db.pool.query('ALTER SYSTEM SET fsync = off')
      await service.services.db.pool.query('SELECT pg_reload_conf()')
      client = await teamClient(service)
      scene = await setScene(scope, service, client, JOB_INTERVAL_SECONDS)
    })

    const health = () => fetch(`${service.url}/health`)

    it('that stands still is no secret of the service', async () => {
      await standStill(async () => {
        const stoppedMs = Date.now()
        assert.equal((await health()).status, 503)
        await until('the pause to be over', () => Date.now() > stoppedMs + LONG_PAUSE_MS)
      })
      await until('the service to be well', async () => (await health()).ok)
    })

    it('that is slow to write a ping which came in time does not make its job late', async () => {
      const { monitorId } = await untilInTime(MAX_ROOM, pauseInTime)
      await client.untilStatus(monitorId, 'down')
      assert.deepEqual(
        (await keptChecks(service, monitorId)).slice(0, 4).map(({ status }) => status),
        ['up', 'up', 'up', 'down'],
        'late only when the last ping is followed by none',
      )
    })

    /** A job that has pinged three times, at last into a pause; null when that was not in time. */
    async function pauseInTime(room: number): Promise<PausedJob | null> {
      const job = await startPausedJob(service, client, room)
      await job.ping()
      // A second ping, so that the scheduler has met the first deadline and knows the next one before the pause.
      await until('most of the interval to pass', () => job.isNear(0.3))
      await job.ping()
      await until('the deadline to be near', () => job.isNear(0.5))
      const { toMs } = await standStill(async () => {
        await job.pingIntoPause()
        await until('the deadline to pass', job.isOverdue)
      })
      return (await job.wasInTime(toMs)) ? job : null
    }

    it('that is killed comes back', async () => {
      const pid = postmaster()
      const fromMs = Date.now()
      await service.letGo()
      process.kill(pid, 'SIGKILL')
      await until('another server', () => postmaster() !== pid)
      await until('the service to be well', async () => (await health()).ok)
      await service.takeUp()
      const { rows } = await service.services.db.pool.query('SELECT pg_postmaster_start_time() AS at')
      trouble.push({ fromMs, toMs: rows[0].at.getTime() })
    })

    it('opens nothing, loses nothing, doubles nothing, and makes no job late', async () => {
      await assertUnharmed(scene, service, client, trouble)
    })

    /** Stops the server and everything it has started for as long as `meanwhile` lasts. */
    async function standStill(meanwhile: () => Promise<void>): Promise<Span> {
      const server = postmaster()
      const stopped = [server]
      const fromMs = Date.now()
      try {
        // First the server, so that it starts nobody else meanwhile.
        process.kill(server, 'SIGSTOP')
        // Also who has just been started, and stands in no list of the server yet. One that ends by itself may be gone now, or as
        // soon as the server goes on: the others must go on all the same.
        stopped.push(...childrenOf(server).filter((pid) => trySignal(pid, 'SIGSTOP')))
        await meanwhile()
      } finally {
        for (const pid of stopped) trySignal(pid, 'SIGCONT')
      }
      const span = { fromMs, toMs: Date.now() }
      trouble.push(span)
      return span
    }

    function postmaster(): number {
      try {
        return Number.parseInt(readFileSync(join(service.dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
      } catch {
        return 0
      }
    }
  })
}

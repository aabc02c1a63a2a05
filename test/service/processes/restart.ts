import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'
import { nextTickMs, phaseMs } from '../../../src/core/probing/schedule.ts'
import { trySignal } from '../../support/processes.ts'
import { attemptsOf, untilDelivered } from '../../support/records/delivery-log.ts'
import { keptChecks } from '../../support/records/recorded-checks.ts'
import { suiteScope } from '../../support/scope.ts'
import { startReceiver } from '../../support/servers/receivers.ts'
import { type SwitchTarget, startSwitchTarget } from '../../support/servers/switch-target.ts'
import { documentedFetch } from '../../support/services/documented.ts'
import { startTestService, type TestService } from '../../support/services/service.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'
import { makeSecrets, type Secrets } from './secrets.ts'

/** Long enough for a check that is not in phase to show: after a restart most of these are not due for seconds. */
const PHASED_INTERVAL_MS = 10_000
const PHASED = 16
/** The number of them that is waited for. */
const SEEN_AGAIN = 4
const JOB_INTERVAL_SECONDS = 3
/** No two clocks agree to better than this. */
const CLOCKS_DIFFER_MS = 50

/** Top to bottom: one service is ended and started again in every way. */
export function describeRestart(): void {
  describe('a restart', { concurrency: 1 }, () => {
    const scope = suiteScope()
    let secrets: Secrets
    let service: TestService
    let client: TeamClient
    let contact: { id: number }
    let failing: SwitchTarget
    let down: Monitor
    let phased: Monitor[]
    let job: Monitor
    /** When the job was to be heard of next, and for how long nobody could hear it. */
    let late = { dueMs: 0, awayMs: 0 }

    before(async () => {
      secrets = await makeSecrets(scope)
      service = await startTestService({ DATABASE_URL: '', ...secrets.settings })
      scope.after(() => service.close())
      client = await teamClient(service)
    })

    const checksSince = async ({ id }: Monitor, ms: number) =>
      (await keptChecks(service, id)).filter(({ checked_at }) => Date.parse(checked_at) > ms)

    /** Checks go on, and each of them is for a tick that came after that: nothing is checked out of its phase. */
    async function assertInPhaseSince(ms: number) {
      const checks = await until('checks after the restart', async () => {
        const all = await Promise.all(phased.map((monitor) => checksSince(monitor, ms)))
        return all.filter(({ length }) => length > 0).length >= SEEN_AGAIN && all
      })
      for (const [i, { id }] of phased.entries()) {
        const phase = phaseMs(id, PHASED_INTERVAL_MS)
        const early = checks[i]?.filter(({ checked_at }) => {
          const tickMs = nextTickMs(Date.parse(checked_at) - PHASED_INTERVAL_MS, PHASED_INTERVAL_MS, phase)
          return tickMs < ms - CLOCKS_DIFFER_MS
        })
        assert.deepEqual(early, [], `monitor ${id} was checked before it was due`)
      }
    }

    async function assertDataKept() {
      const { body } = await client.ask('GET', `/notification-contacts/${contact.id}`)
      assert.deepEqual(body.data, contact)
    }

    it('comes when the service was ready: it answers when it says so', async () => {
      assert.ok([200, 503].includes((await fetch(`${service.url}/health`)).status))
      const body = await until('it to be well', async () => {
        const response = await fetch(`${service.url}/health`)
        return response.ok && response.json()
      })
      assert.deepEqual(body, { status: 'ok' })
    })

    it('finds much to go on with', async () => {
      const [steady] = await Promise.all([startSwitchTarget(scope), secrets.tell(service)])
      failing = await startSwitchTarget(scope, 503)
      down = await client.monitor({ url: failing.url })
      job = await client.monitor({ type: 'heartbeat', check_interval_seconds: JOB_INTERVAL_SECONDS })
      const config = { email: 'ops@example.com' }
      contact = await client.data('POST', '/notification-contacts', { name: 'Ops', type: 'email', config })
      const settings = { url: steady.url, check_interval_seconds: PHASED_INTERVAL_MS / 1_000 }
      phased = await Promise.all(Array.from({ length: PHASED }, () => client.monitor(settings)))
      await Promise.all(phased.map(({ id }) => client.untilChecks(id, 1)))
    })

    it('in order: what was down stays down with its incident, and its end is noticed', async () => {
      const { open_incident } = await client.untilStatus(down.id, 'down')
      await service.signal('SIGTERM')
      await service.start()
      const startedMs = Date.now()
      await assertDataKept()
      assert.deepEqual((await client.show(down.id)).open_incident, open_incident)
      await until('a failure after the restart', async () => (await checksSince(down, startedMs)).length > 0)
      assert.deepEqual((await client.show(down.id)).open_incident, open_incident)
      failing.status = 200
      await client.untilStatus(down.id, 'up')
      const incidents = await client.incidents(down.id)
      assert.deepEqual(
        incidents.map((incident) => [incident.id, incident.resolved]),
        [[open_incident?.id, true]],
      )
    })

    it('of the only process after SIGKILL goes on with checks, in the phase they had', async () => {
      const { stoppedMs, dueMs } = await until('a job that is in time in the end', stopInTime)
      await service.signal('SIGKILL')
      await service.letGo()
      const startingMs = Date.now()
      late = { dueMs, awayMs: startingMs - stoppedMs }
      await service.start()
      await service.takeUp()
      await assertDataKept()
      await assertInPhaseSince(startingMs)
    })

    /** Has the job ping, and stops the service; null where that was too slow for the job to be in time still. */
    async function stopInTime() {
      const { status } = await documentedFetch(`${service.url}/ping/${job.heartbeat_token}`)
      assert.equal(status, 204)
      const { checkedMs } = await readJob()
      await until('the scheduler to work since', async () => (await readJob()).workedMs > checkedMs)
      process.kill(service.pid, 'SIGSTOP')
      const stoppedMs = Date.now()
      const left = await readJob()
      if (left.status === 'up' && left.dueMs > stoppedMs) return { stoppedMs, dueMs: left.dueMs }
      trySignal(service.pid, 'SIGCONT')
      return null
    }

    /** The records of the job, and of the process that watches it. */
    async function readJob(): Promise<{
      status: string
      checkedMs: number
      dueMs: number
      workedMs: number
    }> {
      const { rows } = await service.services.db.pool.query(
        `SELECT status, extract(epoch FROM last_checked_at)::float8 * 1000 AS "checkedMs",
                extract(epoch FROM heartbeat_due_at)::float8 * 1000 AS "dueMs",
                extract(epoch FROM alive_at)::float8 * 1000 AS "workedMs"
         FROM monitor_state, scheduler_pulse WHERE monitor_id = $1`,
        [job.id],
      )
      return rows[0]
    }

    it('after SIGKILL is noticed where others use the database, by checks and by deliveries', async (t) => {
      let isKilled = false
      const receiver = await startReceiver(t, (response) => {
        // Messages that the service sends before it is killed get no answer.
        if (isKilled) response.writeHead(204).end()
      })
      const broken = await startSwitchTarget(t, 503)
      const hook = await client.webhook(receiver)
      const { id } = await client.monitor({ url: broken.url, notification_contact_ids: [hook.id] })
      // A job of the team may be late on a slow machine; who has no contacts of its own alerts this one, too.
      const told = () => receiver.requests.filter(({ body }) => JSON.parse(body).id === id)
      await until('the alert to arrive', () => told().length > 0)

      // We hold the database open meanwhile: what the killed process had claimed must lapse by itself.
      await service.signal('SIGKILL')
      isKilled = true
      const startingMs = Date.now()
      await service.start()
      await assertInPhaseSince(startingMs)

      const [delivery, ...others] = await untilDelivered(service, id, 1)
      assert.deepEqual([delivery?.state, others], ['sent', []])
      const messages = told().map(({ headers }) => headers['webhook-id'])
      assert.deepEqual(new Set(messages), new Set([delivery?.messageId]))
      // The one that was cut off is on no record; all others are.
      const attempts = await attemptsOf(service, id)
      assert.ok(messages.length >= 2 && messages.length <= attempts.length + 1, `${messages.length} messages`)
    })

    it('does not count the time without the service against a heartbeat', async () => {
      const { open_incident } = await client.untilStatus(job.id, 'down')
      const laterMs = Date.parse(open_incident?.started_at ?? '') - late.dueMs
      assert.ok(laterMs >= late.awayMs, `down ${laterMs} ms after the deadline, away for ${late.awayMs} ms`)
    })

    it('leaves no secret in the output of the service, nor readable in its database', async () => {
      await secrets.assertHidden(service)
    })
  })
}

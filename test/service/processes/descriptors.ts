import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { MONITORS_CHANNEL } from '../../../src/store/probing/schedule.ts'
import { occupyDescriptors } from '../../support/probing/occupy-descriptors.ts'
import { keptChecks } from '../../support/records/recorded-checks.ts'
import { startSwitchTarget } from '../../support/servers/switch-target.ts'
import type { TestService } from '../../support/services/service.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

/** The service may have `limit` of them. */
export function describeNoDescriptors(serviceOf: () => TestService, limit: number): void {
  describe('a service without a file descriptor left', () => {
    let service: TestService
    let client: TeamClient

    before(async () => {
      service = serviceOf()
      client = await teamClient(service)
    })

    /** The newest checks of a monitor from the database: the API has no descriptor for us either. */
    async function newestChecks(id: number, since: Date) {
      return (await keptChecks(service, id)).filter(({ checked_at }) => new Date(checked_at) > since)
    }

    it('opens and resolves no incident, and recovers by itself', async (t) => {
      const healthy = await startSwitchTarget(t)
      const failing = await startSwitchTarget(t, 503)
      const up = await client.monitor({ url: healthy.url })
      const down = await client.monitor({ url: failing.url })
      await client.untilStatus(up.id, 'up')
      const { open_incident } = await client.untilStatus(down.id, 'down')

      const began = new Date()
      const release = occupyDescriptors(t, service.url, limit)
      for (const { id } of [up, down]) {
        await until(`a check of monitor ${id} without a descriptor`, async () => {
          const checks = await newestChecks(id, began)
          return checks.some(({ error_message }) => error_message === 'out of file descriptors')
        })
      }
      await release()
      const released = new Date()
      for (const { id } of [up, down]) {
        await until(`monitor ${id} to be judged again`, async () => {
          const checks = await newestChecks(id, released)
          return checks.some(({ status }) => status !== 'pending')
        })
      }
      const statuses = async (id: number) =>
        new Set((await newestChecks(id, began)).map(({ status }) => status))
      assert.deepEqual(await statuses(up.id), new Set(['pending', 'up']))
      assert.deepEqual(await statuses(down.id), new Set(['pending', 'down']))
      assert.deepEqual([(await client.show(up.id)).status, await client.incidents(up.id)], ['up', []])
      assert.deepEqual(await client.incidents(down.id), [open_incident])

      healthy.status = 503
      failing.status = 200
      await client.untilStatus(up.id, 'down')
      await client.untilStatus(down.id, 'up')
    })

    it('finds no job late whose pings it could not accept', async (t) => {
      const job = await client.monitor({ type: 'heartbeat', check_interval_seconds: 3_600 })
      assert.equal(
        (await fetch(`${service.url}/ping/${job.heartbeat_token}`, { method: 'POST' })).status,
        204,
      )
      const { pool } = service.services.db
      const release = occupyDescriptors(t, service.url, limit)
      await until('nobody to reach it', async () => {
        const { rows } = await pool.query(
          `SELECT clock_timestamp() > reached_at + interval '3 seconds' AS "isDeaf" FROM scheduler_pulse`,
        )
        return rows[0]?.isDeaf && service.output().includes('no process can be reached by jobs')
      })
      const { rows } = await pool.query<{ dueAt: Date }>(
        `UPDATE monitor_state SET heartbeat_due_at = clock_timestamp() WHERE monitor_id = $1
         RETURNING heartbeat_due_at AS "dueAt"`,
        [job.id],
      )
      const dueAt = rows[0]?.dueAt as Date
      await pool.query('SELECT pg_notify($1, $2)', [MONITORS_CHANNEL, String(job.id)])
      await until('the deadline to pass', async () => {
        const { rows } = await pool.query<{ isOver: boolean }>(
          `SELECT clock_timestamp() > $1::timestamptz + interval '2 seconds' AS "isOver"`,
          [dueAt],
        )
        return rows[0]?.isOver
      })
      assert.deepEqual(
        (await newestChecks(job.id, new Date(0))).map(({ status }) => status),
        ['up'],
      )
      await release()
      // The time in which it could not be heard is added to its deadline, and only after that it is late.
      const { open_incident } = await client.untilStatus(job.id, 'down')
      assert.ok(Date.parse(open_incident?.started_at ?? '') > dueAt.getTime() + 2_000)
      assert.match(
        service.output(),
        /no job could be heard for \d+ s: deadlines of heartbeats moved by as much/,
      )
    })
  })
}

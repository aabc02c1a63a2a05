// npm test leaves this out: it starts three services of its own, whose clocks are wrong (seconds of a core).
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addWindow, keepSpan } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { suiteScope } from '../../support/scope.ts'
import { documentedFetch } from '../../support/services/documented.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { teamClient } from '../../support/services/team-client.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

describe('a service whose machine has its clock set', () => {
  const scope = suiteScope()

  for (const stepMs of [HOUR_MS, 2 * HOUR_MS, -MINUTE_MS * 5]) {
    it(`by ${stepMs / MINUTE_MS} min goes by the database's clock for jobs, and for windows`, async (t) => {
      const service = await startServiceHere()
      scope.after(() => service.close())
      const client = await teamClient(service)
      const job = await client.monitor({ type: 'heartbeat', check_interval_seconds: 600 })
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() + stepMs })
      const ping = await documentedFetch(`${service.url}/ping/${job.heartbeat_token}`)
      assert.equal(ping.status, 204)
      const { rows } = await service.services.db.pool.query<{ aheadMs: number }>(
        `SELECT extract(epoch FROM heartbeat_due_at - clock_timestamp() - interval '600 seconds')::float8 * 1000
           AS "aheadMs" FROM monitor_state WHERE monitor_id = $1`,
        [job.id],
      )
      const aheadMs = rows[0]?.aheadMs ?? Number.NaN
      assert.ok(Math.abs(aheadMs) < Math.abs(stepMs) / 2, `the deadline is ${aheadMs} ms off`)

      const { db } = service.services
      const databaseNow = async () =>
        (await db.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')).rows[0]?.now as Date
      const now = await databaseNow()
      const [start, end] = [-MINUTE_MS, 2 * MINUTE_MS].map((ms) => new Date(now.getTime() + ms)) as [
        Date,
        Date,
      ]
      const window = oneOff(start.toISOString(), end.toISOString())
      const windowId = await addWindow(db, client.teamId, window, start)
      await documentedFetch(`${service.url}/ping/${job.heartbeat_token}/fail`)
      assert.equal((await client.show(job.id)).status, 'maintenance')
      const endedAt = await databaseNow()
      await keepSpan(db, client.teamId, windowId, [start, endedAt], { endedBy: 'person' })
      const { open_incident } = await client.untilStatus(job.id, 'down')
      assert.equal(Date.parse(open_incident?.started_at ?? ''), endedAt.getTime())
    })
  }
})

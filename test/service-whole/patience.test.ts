import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { messagesOf, untilDelivered } from '../support/records/delivery-log.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { SELDOM, type TeamClient, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

describe('the patience with a monitor', { concurrency: true }, () => {
  let service: AskedService
  let client: TeamClient

  before(async () => {
    service = await wholeService()
    client = await teamClient(service)
  })

  it('lets a check fail only after its attempts, and the status stays as it was meanwhile', async (t) => {
    const target = await startSwitchTarget(t)
    const receiver = await startReceiver(t, replyWith(204))
    const contact = await client.webhook(receiver)
    const { id } = await client.monitor({
      ...SELDOM,
      url: target.url,
      notification_contact_ids: [contact.id],
      options: { attempts: 3, retry_seconds: 1 },
    })
    await client.untilStatus(id, 'up')
    target.status = 503
    await client.data('PATCH', `/monitors/${id}`, { http_method: 'HEAD' })
    const down = await client.untilStatus(id, 'down')
    assert.equal(down.open_incident?.cause, 'HTTP 503 (expected 200)')
    const checks = (await client.checks(id)).reverse().slice(1)
    assert.deepEqual(
      checks.slice(0, 3).map(({ status, error_message }) => [status, error_message]),
      [
        ['pending', 'HTTP 503 (expected 200), attempt 1 of 3'],
        ['pending', 'HTTP 503 (expected 200), attempt 2 of 3'],
        ['down', 'HTTP 503 (expected 200)'],
      ],
    )
    const times = checks.slice(0, 3).map(({ checked_at }) => Date.parse(checked_at))
    times.slice(1).forEach((time, index) => {
      assert.ok(time - (times[index] ?? 0) >= 1_000, 'an attempt comes a second after the one before')
    })
    assert.equal(down.open_incident?.started_at, checks[2]?.checked_at)
    await untilDelivered(service, id, 1)
    const told = [...messagesOf(receiver).values()].map(([first]) => JSON.parse(first?.body ?? '{}'))
    assert.deepEqual(
      told.filter((payload) => payload.id === id).map(({ event }) => event),
      ['monitor.down'],
    )
  })

  it('turns a monitor upside down, and says so', async (t) => {
    const target = await startSwitchTarget(t, 503)
    const { id } = await client.monitor({ ...SELDOM, url: target.url, options: { inverted: true } })
    assert.equal((await client.untilStatus(id, 'up')).open_incident, null)
    target.status = 200
    await client.checkNow(id)
    assert.equal((await client.show(id)).open_incident?.cause, 'is up, and should be down')
  })

  it('repeats its alerts though the team has no reminders', async (t) => {
    const target = await startSwitchTarget(t, 503)
    const { id } = await client.monitor({ ...SELDOM, url: target.url, options: { repeat_minutes: 7 } })
    const { open_incident } = await client.untilStatus(id, 'down')
    const steps = await until('the reminder to be planned', async () => {
      const { rows } = await service.services.db.pool.query(
        `SELECT s.kind, extract(epoch FROM s.due_at - e.runs_from)::int AS seconds FROM escalations e
         JOIN escalation_steps s ON s.escalation_id = e.id
         WHERE e.kind = 'monitor' AND e.team_incident_id = $1`,
        [open_incident?.id],
      )
      return rows.length > 0 && rows
    })
    assert.deepEqual(steps, [{ kind: 'reminder', seconds: 420 }])
  })
})

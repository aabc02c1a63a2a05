import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { AskedService } from '../support/asked-service.ts'
import { untilDelivered } from '../support/deliveries.ts'
import { replyWith, startReceiver } from '../support/receivers.ts'
import { startHttp } from '../support/targets.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'
import { wholeService } from '../support/whole-service.ts'

const CHECKS = 7

describe('a target that flaps', () => {
  let service: AskedService
  let client: TeamClient

  before(async () => {
    service = await wholeService()
    client = await teamClient(service)
  })

  it('is followed check by check, with an incident and two alerts for each failure', async (t) => {
    let asked = 0
    const target = await startHttp(t, (_, response) =>
      response.writeHead(++asked % 2 === 0 ? 503 : 200).end(),
    )
    const receiver = await startReceiver(t, replyWith(204))
    const contact = await client.webhook(receiver)
    const { id } = await client.monitor({
      url: `http://127.0.0.1:${target.port}/`,
      notification_contact_ids: [contact.id],
    })
    await client.untilChecks(id, CHECKS)
    await client.data('PATCH', `/monitors/${id}`, { is_active: false })

    const checks = (await client.checks(id)).reverse()
    assert.deepEqual(
      checks.map(({ status }) => status),
      checks.map((_, i) => (i % 2 === 0 ? 'up' : 'down')),
    )
    const incidents = (await client.incidents(id)).reverse()
    const failures = checks.filter(({ status }) => status === 'down')
    assert.deepEqual(
      incidents.map(({ started_at }) => started_at),
      failures.map(({ checked_at }) => checked_at),
    )
    // The last one may have been resolved by the pause.
    const recoveries = checks.slice(1).filter(({ status }) => status === 'up')
    assert.deepEqual(
      incidents.slice(0, recoveries.length).map(({ resolved_at }) => resolved_at),
      recoveries.map(({ checked_at }) => checked_at),
    )
    await untilDelivered(service, id, checks.length - 1)
    assert.deepEqual(
      receiver.requests.map(({ body }) => JSON.parse(body).event),
      checks.slice(1).map(({ status }) => (status === 'down' ? 'monitor.down' : 'monitor.recovery')),
    )
  })
})

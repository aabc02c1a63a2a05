import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { flap, letMinutesPass, saidOf, wantOneAlert } from '../support/alerting/flaps.ts'
import { messagesOf, untilDelivered } from '../support/records/delivery-log.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { SELDOM, type TeamClient, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

const CHECKS = 7

describe('a target that flaps', () => {
  let service: AskedService
  let client: TeamClient

  before(async () => {
    service = await wholeService()
    client = await teamClient(service)
  })

  it('is followed check by check, with an incident and two alerts for each failure', async (t) => {
    const target = await startSwitchTarget(t)
    const receiver = await startReceiver(t, replyWith(204))
    const contact = await client.webhook(receiver)
    const { id } = await client.monitor({
      ...SELDOM,
      url: target.url,
      notification_contact_ids: [contact.id],
    })
    const checks = [await client.untilJudged(id)]
    while (checks.length < CHECKS) {
      target.status = checks.length % 2 === 0 ? 200 : 503
      checks.push(await client.checkNow(id))
    }
    await client.data('PATCH', `/monitors/${id}`, { is_active: false })

    const judged = (await client.checks(id)).filter(({ status }) => status !== 'pending')
    assert.deepEqual(judged.reverse(), checks)
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
    const deliveries = await untilDelivered(service, id, checks.length - 1)
    const messages = messagesOf(receiver)
    assert.equal(messages.size, deliveries.length)
    assert.deepEqual(
      deliveries.map(({ messageId }) => JSON.parse(messages.get(messageId)?.[0]?.body ?? '{}').event),
      checks.slice(1).map(({ status }) => (status === 'down' ? 'monitor.down' : 'monitor.recovery')),
    )
  })

  it('is told of once, and once when it is steady, in a team that wants that; its incidents stay exact', async (t) => {
    const target = await startSwitchTarget(t)
    const receiver = await startReceiver(t, replyWith(204))
    const own = await teamClient(service)
    const { db } = service.services
    await wantOneAlert({ db, teamId: own.teamId })
    const contact = await own.webhook(receiver)
    const { id } = await own.monitor({
      ...SELDOM,
      url: target.url,
      notification_contact_ids: [contact.id],
    })
    await own.untilJudged(id)
    await flap(own, id, target, 8)
    const told = ['monitor.down', 'monitor.recovery', 'monitor.down', 'monitor.flapping']
    assert.deepEqual(await saidOf(db, id), told)
    assert.deepEqual(
      (await own.incidents(id)).map(({ resolved }) => resolved),
      [true, true, true, true],
    )
    await letMinutesPass(db, id)
    await until('it is told steady', async () => (await saidOf(db, id)).length > told.length)
    const deliveries = await untilDelivered(service, id, told.length + 1)
    assert.deepEqual(await saidOf(db, id), [...told, 'monitor.recovery steady'])
    const messages = messagesOf(receiver)
    assert.deepEqual(
      deliveries.map(({ messageId }) => JSON.parse(messages.get(messageId)?.[0]?.body ?? '{}').event),
      [...told, 'monitor.recovery'],
    )
    await flap(own, id, target, 1)
    assert.deepEqual((await saidOf(db, id)).slice(5), ['monitor.down'], 'later outages are told again')
    await own.data('PATCH', `/monitors/${id}`, { is_active: false })
  })
})

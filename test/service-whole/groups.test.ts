import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { messagesOf, untilDelivered } from '../support/records/delivery-log.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { type SignedIn, signIn } from '../support/services/signed-in.ts'
import { SELDOM, type TeamClient, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { storePage } from '../support/status-pages/stored-pages.ts'
import { until } from '../support/until.ts'

describe('a group of monitors, in a whole service', { concurrency: true }, () => {
  let service: AskedService
  let client: TeamClient
  let member: SignedIn

  before(async () => {
    service = await wholeService()
    client = await teamClient(service)
    member = await signIn(service, client.teamId)
  })

  const group = (name: string, options: object, settings: object = {}) =>
    client.data('POST', '/monitors', { name, type: 'group', options, ...settings })

  it('goes down and up with its members, alerts, and stands in badges, pages, reports and lists', async (t) => {
    const [shop, search] = [await startSwitchTarget(t), await startSwitchTarget(t)]
    const receiver = await startReceiver(t, replyWith(204))
    const contact = await client.webhook(receiver)
    const [first, second] = [
      await client.monitor({ ...SELDOM, name: 'Shop', url: shop.url }),
      await client.monitor({ ...SELDOM, name: 'Search', url: search.url }),
    ]
    const { id } = await group(
      'Both of them',
      { members: [first.id, second.id] },
      { notification_contact_ids: [contact.id] },
    )
    await storePage(
      service.services,
      client.teamId,
      { slug: 'of-a-group', name: 'Of a group' },
      { items: [{ component: { name: 'Everything', monitor_id: id } }] },
    )
    const pageSays = (words: RegExp) =>
      until(`the page to say ${words}`, async () =>
        words.test(await (await fetch(`${service.url}/status/of-a-group`)).text()),
      )
    await client.untilStatus(id, 'up')
    await pageSays(/Operational/)
    search.status = 503
    await client.checkNow(second.id)
    const down = await client.untilStatus(id, 'down')
    assert.equal(down.open_incident?.cause, '1 of 2 down: Search')
    await pageSays(/Outage|outage/)
    search.status = 200
    await client.checkNow(second.id)
    assert.equal((await client.untilStatus(id, 'up')).open_incident, null)
    await untilDelivered(service, id, 2)
    const told = [...messagesOf(receiver).values()].map(([one]) => JSON.parse(one?.body ?? '{}'))
    const ofGroup = told.filter((payload) => payload.id === id)
    assert.deepEqual(
      ofGroup.map(({ event }) => event),
      ['monitor.down', 'monitor.recovery'],
    )
    const incidents = await client.incidents(id)
    assert.deepEqual(
      incidents.map(({ cause }) => cause),
      ['1 of 2 down: Search'],
    )
    const { data: report } = await member.ask('GET', `/monitors/${id}/report`)
    assert.ok(report.uptime['24h'] < 1 && report.uptime['24h'] > 0, JSON.stringify(report.uptime))
    const badge = (await (await fetch(`${report.badge_url}/status.json`)).json()) as { message: string }
    assert.equal(badge.message, 'up')
    const now = await client.ask('POST', `/monitors/${id}/check`)
    assert.ok([404, 422].includes(now.status))
  })

  it('follows what people do to its members', async (t) => {
    const target = await startSwitchTarget(t, 503)
    const fine = await startSwitchTarget(t)
    const one = await client.monitor({ ...SELDOM, name: 'Failing', url: target.url })
    const other = await client.monitor({ ...SELDOM, name: 'Fine', url: fine.url })
    const { id } = await group('Followed', { members: [one.id, other.id] })
    const tagged = await group('By tags', { members: { tags: ['of:followed'] }, rule: 'any' })
    await client.untilStatus(id, 'down')
    await client.untilMonitor(tagged.id, 'is pending', ({ last_checked_at }) => last_checked_at !== null)
    await member.ask('PUT', `/monitors/${one.id}/tags`, { tags: ['of:followed'] })
    await client.untilStatus(tagged.id, 'down')
    await member.ask('PUT', `/monitors/${other.id}/tags`, { tags: ['of:followed'] })
    await client.untilStatus(tagged.id, 'up')
    await client.data('PATCH', `/monitors/${one.id}`, { is_active: false })
    await client.untilStatus(id, 'up')
    await client.data('PATCH', `/monitors/${one.id}`, { is_active: true })
    await client.untilStatus(id, 'down')
    await client.data('PATCH', `/monitors/${id}`, { options: { rule: { percent: 50 } } })
    await client.untilStatus(id, 'up')
    await client.data('PATCH', `/monitors/${id}`, { options: { members: [one.id], rule: null } })
    await client.untilStatus(id, 'down')
    await client.data('PATCH', `/monitors/${id}`, { is_active: false })
    await client.data('PATCH', `/monitors/${id}`, { is_active: true })
    await client.untilStatus(id, 'down')
    await client.data('DELETE', `/monitors/${one.id}`)
    assert.equal((await client.untilStatus(id, 'pending')).open_incident, null)
  })
})

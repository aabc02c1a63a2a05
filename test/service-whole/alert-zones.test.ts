import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { changeRows } from '../support/records/rows.ts'
import { type Receiver, replyWith, startReceiver } from '../support/servers/receivers.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { type People, peopleOf } from '../support/services/people.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

/** Zones without clock changes, so that their offsets are the same all the year. */
const OF_TEAM = ['Asia/Kolkata', 'UTC\\+05:30'] as const
const OF_CONTACT = ['America/Phoenix', 'UTC-07:00'] as const

describe('the times of alerts, as receivers see them', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await wholeService()
    people = peopleOf(service)
  })

  it('are in the zone of the contact, else in that of the team, and in UTC for programs', async (t) => {
    const { id, owner } = await people.team()
    const make = (path: string, body?: object) => owner.data(id, 'POST', path, body)
    const chat = await startReceiver(t, replyWith(200, 'ok'))
    const hook = await startReceiver(t, replyWith(204))
    const config = { webhook_url: `${chat.url}/services/x` }
    const slack = await make('/notification-contacts', { name: 'Chat', type: 'slack', config })
    const webhook = await make('/notification-contacts', {
      ...{ name: 'Hook', type: 'webhook', config: { url: `${hook.url}/hook` } },
    })
    /** The text of the next message to a receiver. */
    async function next({ requests }: Receiver, begin: () => Promise<unknown>): Promise<string> {
      const known = requests.length
      await begin()
      const one = await until('a message', () => requests[known])
      return one.body
    }
    const test = (contact: { id: number }) => () => make(`/notification-contacts/${contact.id}/test`)
    const zone = (contact: { id: number }, time_zone: string | null) =>
      owner.data(id, 'PATCH', `/notification-contacts/${contact.id}/time-zone`, { time_zone })
    const saying = (label: string, offset: string) =>
      new RegExp(`${label}:\\*? \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d ${offset}(\\\\n|"|$)`)

    assert.match(await next(chat, test(slack)), saying('Sent at', 'UTC'))
    await owner.data(id, 'PATCH', '/team/language', { time_zone: OF_TEAM[0] })
    assert.match(await next(chat, test(slack)), saying('Sent at', OF_TEAM[1]))
    await zone(slack, OF_CONTACT[0])
    assert.match(await next(chat, test(slack)), saying('Sent at', OF_CONTACT[1]))

    const steps = [{ after_minutes: 0, contact_ids: [slack.id] }]
    const policy = await make('/escalation-policies', { name: 'Primary', steps })
    const drill = () => make(`/escalation-policies/${policy.id}/drills`)
    assert.match(await next(chat, drill), saying('Sent at', OF_CONTACT[1]))

    // Another process may have a newer zone database than the one that sends.
    await changeRows(service.services.db, 'contacts', { id: slack.id }, { time_zone: 'Mars/Olympus' })
    assert.match(await next(chat, test(slack)), saying('Sent at', 'UTC'))
    await zone(slack, null)

    await zone(webhook, OF_CONTACT[0])
    assert.match(await next(hook, test(webhook)), /"timestamp":"[\d-]+T[\d:]+\+00:00"\}$/)

    const target = await startSwitchTarget(t, 503)
    const shop = { name: 'Shop', type: 'http', url: target.url, check_interval_minutes: 1 }
    const down = () => make('/monitors', { ...shop, notification_contact_ids: [slack.id] })
    assert.match(await next(chat, down), saying('Down since', OF_TEAM[1]))
  })
})

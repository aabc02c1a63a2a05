// npm test leaves this out: it needs a service with a mail server of its own, and waits for alerts (seconds).
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Delivery } from '../../../../src/core/alerting/delivery-log.ts'
import { createPartition } from '../../../../src/store/history/partitions.ts'
import { agentText } from '../../../support/records/agent-text.ts'
import { replyWith, startReceiver } from '../../../support/servers/receivers.ts'
import { arrived } from '../../../support/servers/smtp-receiver.ts'
import { startMailedService } from '../../../support/services/mailed-service.ts'
import { until } from '../../../support/until.ts'

it('trouble that a server reports reaches a mailbox and a webhook with host, cause and processes, and so does its end', async (t) => {
  const { smtp, service, people } = await startMailedService(t)
  await service.services.db.pool.query(createPartition('server_samples', new Date()))
  const receiver = await startReceiver(t, replyWith(204))
  const { id: team, owner } = await people.team()
  const contact = async (type: string, config: object): Promise<number> =>
    (await owner.data(team, 'POST', '/notification-contacts', { name: 'Ops', type, config })).id
  const contact_ids = [
    await contact('email', { email: 'ops@example.com' }),
    await contact('webhook', { url: `${receiver.url}/hook` }),
  ]
  const memory = { is_on: true, warns_only: false, enter: 10, leave: 15, minutes: 0 }
  const { id } = await owner.data(team, 'POST', '/servers', {
    name: 'Web of Ada',
    contact_ids,
    thresholds: { memory },
  })
  const { address } = await owner.data(team, 'GET', `/servers/${id}/install`)

  /** As the agent does it, with so much of 8 GB available. */
  async function report(uptime: number, available: number, top = '') {
    const text = agentText({ uptime, padding: top && `@top\n${top}\n` })
    const body = text.replace(/^MemAvailable:.*$/m, `MemAvailable: ${available} kB`)
    const headers = { 'content-type': 'text/plain' }
    const answer = await fetch(`${service.url}${new URL(address).pathname}`, {
      method: 'POST',
      headers,
      body,
    })
    assert.equal(answer.status, 200)
  }
  const mailAbout = async (subject: RegExp) => {
    const { headers, text } = await until(`a mail about ${subject}`, () =>
      arrived(smtp).find((mail) => subject.test(mail.headers.get('subject') ?? '')),
    )
    return { messageId: headers.get('message-id'), inReplyTo: headers.get('in-reply-to'), text }
  }
  const toldOf = (event: string) =>
    until(`${event} at the webhook`, () => {
      const told = receiver.requests.map(({ body }) => JSON.parse(body)).filter((one) => one.event === event)
      return told.length > 0 && told
    })

  await report(1_000, 6_000_000)
  await report(1_060, 400_000, 'took 10 10 4096\n2 100 sh\n5 1500000 postgres: writer')
  const down = await mailAbout(/^Web of Ada is down: /)
  assert.match(down.text, /^Host: web-1\r?$/m)
  assert.match(down.text, /^Cause: .*5 %/m)
  assert.match(down.text, /^Processes: postgres: writer, sh\r?$/m)
  const [told, ...others] = await toldOf('server.down')
  const { timestamp: _, ...said } = told
  assert.deepEqual(said, { event: 'server.down', type: 'server', id, name: 'Web of Ada', target: 'web-1' })
  assert.deepEqual(others, [])

  await report(1_120, 5_000_000)
  const recovery = await mailAbout(/^Web of Ada has recovered$/)
  assert.match(recovery.text, /^Host: web-1\r?$/m)
  assert.equal(recovery.inReplyTo, down.messageId)
  assert.equal((await toldOf('server.recovery')).length, 1)

  const [incident] = await owner.data(team, 'GET', `/server-incidents?server=${id}`)
  const ofIncident = (serverIncident: number): Promise<Delivery[]> =>
    owner.data(team, 'GET', `/deliveries?server_incident=${serverIncident}`)
  const deliveries = await until('all are sent', async () => {
    const all = await ofIncident(incident.id)
    return all.every(({ state }) => state === 'sent') && all
  })
  assert.deepEqual(
    deliveries.map(({ event, contact_id, server_id }) => `${event} ${contact_id} ${server_id}`).sort(),
    ['server.down', 'server.recovery']
      .flatMap((event) => contact_ids.map((one) => `${event} ${one} ${id}`))
      .sort(),
  )
  assert.deepEqual(await ofIncident(incident.id + 1), [])
})

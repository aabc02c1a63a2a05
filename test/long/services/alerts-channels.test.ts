// npm test leaves this out: it sends an outage and its end over every channel from a service of its own (seconds of a core).
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import tls from 'node:tls'
import { readOrCreatePushKeys } from '../../../src/store/alerting/push-keys.ts'
import { atPublicAddress, reachPublicHere } from '../../support/net/public-here.ts'
import { assertSentOnce, attemptsOf, untilDelivered } from '../../support/records/delivery-log.ts'
import { suiteScope } from '../../support/scope.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { likePushService, makeSubscription, messageIn } from '../../support/servers/push-service.ts'
import {
  DISCORD_MESSAGE,
  type Received,
  type Receiver,
  replyWith,
  startReceiver,
} from '../../support/servers/receivers.ts'
import {
  arrived,
  type SmtpReceiver,
  smtpReply,
  startSmtpReceiver,
} from '../../support/servers/smtp-receiver.ts'
import {
  likeVendors,
  STRICT,
  STRICT_VENDORS,
  vendorSettings,
} from '../../support/servers/strict-receivers.ts'
import { startSwitchTarget } from '../../support/servers/switch-target.ts'
import { type ServiceHere, startServiceHere } from '../../support/services/service-here.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

/** The last message about an outage names the first one, where a vendor allows that. */
const ANSWERS: Record<string, RegExp> = {
  discord: new RegExp(`^PATCH \\S+/messages/${DISCORD_MESSAGE} .*Shop by discord was down`),
  telegram: /Shop by telegram has recovered.*"reply_parameters":\{"message_id":1,/s,
  matrix: /Shop by matrix has recovered.*"m\.in_reply_to":\{"event_id":"\$event1:/s,
}
const CAUSE = /HTTP 503 \\*\(expected 200\\*\)/

reachPublicHere()
/** The address of push services is public. */
const PUBLIC = { names: [atPublicAddress('127.0.0.1')] }

describe('every channel is told of an outage and of its end', { concurrency: true }, () => {
  const scope = suiteScope()
  let service: ServiceHere
  let client: TeamClient
  let vendors: Receiver
  let smtp: SmtpReceiver
  /** Whose letters the mail server refuses for good. */
  const refused = new Set(['full@example.com'])

  const authority = createAuthority('Upbeat test authority of push services')
  const trusted = tls.getCACertificates('default')
  after(() => tls.setDefaultCACertificates(trusted))

  before(async () => {
    tls.setDefaultCACertificates([...trusted, authority.pem])
    vendors = await startReceiver(scope, likeVendors)
    smtp = await startSmtpReceiver(scope, {
      onRcptTo: ({ address }, _session, done) =>
        done(refused.has(address) ? smtpReply(550, 'mailbox is full') : null),
    })
    service = await startServiceHere({
      ...vendorSettings(vendors.url),
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'alerts@upbeat.example',
      SITE_URL: 'https://upbeat.example',
    })
    scope.after(() => service.close())
    client = await teamClient(service)
  })

  /**
   * Goes down and up again, with one contact attached; resolves when both alerts are sent, or the first has failed
   * where `between`, which is called then, lets the second pass.
   */
  async function outage(
    t: { after: (close: () => Promise<void>) => void },
    type: string,
    config: unknown,
    between?: () => void,
  ) {
    const target = await startSwitchTarget(t, 503)
    const contact = await client.data('POST', '/notification-contacts', { name: 'Ops', type, config })
    const { id } = await client.monitor({
      name: `Shop by ${type}`,
      url: target.url,
      notification_contact_ids: [contact.id],
    })
    await client.untilStatus(id, 'down')
    if (between) {
      await untilDelivered(service, id, 1)
      between()
    }
    target.status = 200
    await client.untilStatus(id, 'up')
    const deliveries = await untilDelivered(service, id, 2)
    assert.deepEqual(
      deliveries.map(({ event, state }) => [event, state]),
      [
        ['monitor.down', between ? 'failed' : 'sent'],
        ['monitor.recovery', 'sent'],
      ],
    )
    if (!between) assertSentOnce(await attemptsOf(service, id))
    return target
  }

  /**
   * The texts about the outage and its end, without the escapes of JSON, forms and markup. Below `path` only: a service
   * of another test may go on telling a receiver that had this port before.
   */
  function texts({ requests }: Receiver, path: string): [down: string, up: string] {
    // A request may do something else than tell, such as edit.
    const told = requests.filter((request) => request.path.startsWith(path) && request.method !== 'PATCH')
    const bodies = told.map(textOf)
    return downAndUp(new Set(bodies.filter((body) => body.includes('Shop'))), (body) => body)
  }

  function textOf({ body, headers }: Received): string {
    if (headers['content-type'] === 'application/x-www-form-urlencoded') {
      return [...new URLSearchParams(body).values()].join('\n')
    }
    const reference = /&#(\d+);/g
    return body.replaceAll('\\\\', '\\').replace(reference, (_, code) => String.fromCharCode(code))
  }

  function downAndUp<T>(told: Iterable<T>, titleOf: (one: T) => string | undefined): [down: T, up: T] {
    const all = [...told]
    const found = [/ is down/, / has recovered/].map((title) =>
      all.find((one) => title.test(titleOf(one) ?? '')),
    )
    assert.ok(all.length === 2 && found.every((one) => one !== undefined), JSON.stringify(all))
    return found as [T, T]
  }

  const told = { ...STRICT, ...STRICT_VENDORS }
  for (const type of Object.keys(told) as (keyof typeof told)[]) {
    it(type, async (t) => {
      const { answer, config, path } = told[type]
      const receiver = type in STRICT_VENDORS ? vendors : await startReceiver(t, answer)
      await outage(t, type, config(receiver.url))
      const [down, up] = texts(receiver, path)
      assert.match(down, new RegExp(`Shop by ${type} is down`))
      assert.match(down, CAUSE)
      assert.match(up, new RegExp(`Shop by ${type} has recovered`))
      const answers: RegExp | undefined = ANSWERS[type]
      if (answers)
        assert.ok(
          receiver.requests.some(({ method, path, body }) => answers.test(`${method} ${path} ${body}`)),
        )
    })
  }

  it('webpush', async (t) => {
    const browser = makeSubscription()
    const { db, vault } = service.services
    const receiver: Receiver = await startReceiver(
      t,
      likePushService({
        publicKey: async () => (await readOrCreatePushKeys(db.query, vault)).publicKey,
        origin: () => atPublicAddress(receiver.url),
        now: () => new Date(),
      }),
      authority.issue(PUBLIC),
    )
    await outage(t, 'webpush', { endpoint: atPublicAddress(`${receiver.url}/push/1`), ...browser.keys })
    const told = receiver.requests.map((request) => messageIn(request, browser))
    const [down, up] = downAndUp(told, ({ title }) => title)
    assert.equal(down.title, 'Shop by webpush is down')
    assert.match(down.text, CAUSE)
    assert.equal(up.title, 'Shop by webpush has recovered')
    assert.equal(down.tag, up.tag)
    assert.match(down.path, new RegExp(`^/teams/${client.teamId}/incidents/\\d+$`))
  })

  it('webpush, whose contact goes when the browser takes no more', async (t) => {
    const receiver = await startReceiver(t, replyWith(410, 'gone'), authority.issue(PUBLIC))
    const config = { endpoint: atPublicAddress(`${receiver.url}/push/2`), ...makeSubscription().keys }
    const contact = await client.data('POST', '/notification-contacts', {
      name: 'Ada, Chrome on Android',
      type: 'webpush',
      config,
    })
    const target = await startSwitchTarget(t, 503)
    const { id } = await client.monitor({
      name: 'Blog',
      url: target.url,
      notification_contact_ids: [contact.id],
    })
    const [delivery] = await untilDelivered(service, id, 1)
    assert.equal(delivery?.state, 'failed')
    await until('the contact is gone', async () => {
      return (await client.ask('GET', `/notification-contacts/${contact.id}`)).status === 404
    })
    const [attempt] = await attemptsOf(service, id)
    assert.equal(
      attempt?.detail,
      'HTTP 410: gone (the browser takes no more alerts from here, so its contact was deleted)',
    )
    assert.equal(receiver.requests.length, 1)
    assert.equal(service.output().includes('/push/2'), false)
  })

  it('email', async (t) => {
    const target = await outage(t, 'email', { email: 'ops@example.com' })
    const letters = arrived(smtp).filter(({ to }) => to.includes('ops@example.com'))
    const [down, up] = downAndUp(letters, ({ headers }) => headers.get('subject'))
    assert.deepEqual([down.from, down.to], ['alerts@upbeat.example', ['ops@example.com']])
    assert.match(down.headers.get('subject') ?? '', /Shop by email is down/)
    assert.match(up.headers.get('subject') ?? '', /Shop by email has recovered/)
    const outageId = down.headers.get('message-id')
    assert.match(outageId ?? '', /^<[\da-f-]{36}@upbeat\.example>$/)
    assert.deepEqual(
      [down, up].map(({ headers }) => headers.get('in-reply-to')),
      [undefined, outageId],
    )
    const incident = down.headers.get('references')
    assert.match(incident ?? '', /^<monitor-incident-\d+@upbeat\.example>$/)
    assert.equal(up.headers.get('references'), `${incident} ${outageId}`)
    assert.equal(down.headers.get('from'), 'Upbeat <alerts@upbeat.example>')
    for (const body of [down.text, down.html]) {
      assert.ok(CAUSE.test(body) && body.includes(target.url), body)
      assert.match(body, /Answer:.*HTTP\/1\.1 503 Service Unavailable/s)
    }
    assert.doesNotMatch(up.text, /Answer:/)
  })

  it('email, whose letter of the end answers none that was refused', async (t) => {
    await outage(t, 'email', { email: 'full@example.com' }, () => refused.clear())
    const [letter, ...others] = arrived(smtp).filter(({ to }) => to.includes('full@example.com'))
    assert.deepEqual(others, [])
    assert.match(letter?.headers.get('subject') ?? '', /has recovered/)
    assert.equal(letter?.headers.has('in-reply-to'), false)
    assert.match(letter?.headers.get('references') ?? '', /^<monitor-incident-\d+@upbeat\.example>$/)
  })
})

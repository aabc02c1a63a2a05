// npm test leaves this out: it waits for mails and calls to subscribers from a service of its own (seconds).
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { signatureHeaders } from '../../../src/alerts/signature.ts'
import { readLayout } from '../../../src/store/status-pages/layout.ts'
import { listSubscribers } from '../../../src/store/status-pages/subscriber-list.ts'
import { atPublicAddress, reachPublicHere } from '../../support/net/public-here.ts'
import { suiteScope } from '../../support/scope.ts'
import { type Received, startReceiver } from '../../support/servers/receivers.ts'
import {
  arrived,
  type Mail,
  type SmtpReceiver,
  smtpReply,
  startSmtpReceiver,
} from '../../support/servers/smtp-receiver.ts'
import { ask, type Told } from '../../support/services/http.ts'
import { peopleOf, type Team } from '../../support/services/people.ts'
import { type ServiceHere, startServiceHere } from '../../support/services/service-here.ts'
import { storePage } from '../../support/status-pages/stored-pages.ts'
import { until } from '../../support/until.ts'

reachPublicHere()

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('subscribers of status pages', () => {
  const scope = suiteScope()
  const refused = new Set<string>()
  let smtp: SmtpReceiver
  let service: ServiceHere
  let team: Team
  let pages = 0
  let clients = 0

  before(async () => {
    smtp = await startSmtpReceiver(scope, {
      onRcptTo({ address }, _session, done) {
        done(refused.has(address) ? smtpReply(550, '5.1.1 no such mailbox') : null)
      },
    })
    service = await startServiceHere({
      ROLES: 'api,alerts',
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      PRIVATE_TARGETS: 'allow',
      TRUST_PROXY: '1',
    })
    team = await peopleOf(service).team()
  })
  after(() => service.close())

  /** A page with two components, once the service knows it. */
  async function pageOf(settings: object = {}) {
    const slug = `told-${++pages}`
    const items = ['Cart', 'Mail'].map((name) => ({ component: { monitor_id: null, name } }))
    const fields = { slug, name: 'Shop', ...settings }
    const { id } = await storePage(service.services, team.id, fields, { items })
    const { components } = await readLayout(service.services.db.query, id)
    const url = `${service.url}/status/${slug}`
    await until('the page is served', async () => (await ask(`${url}/subscribe`)).status === 200)
    return { id, url, ids: components.map((one) => one.id) }
  }
  type Page = Awaited<ReturnType<typeof pageOf>>

  const post = (url: string, fields: [string, string][], client = `198.51.100.${++clients}`): Promise<Told> =>
    ask(url, {
      method: 'POST',
      headers: { ...FORM, 'x-forwarded-for': client },
      body: new URLSearchParams(fields).toString(),
    })
  const subscribe = (page: Page, email: string, ...more: [string, string][]) =>
    post(`${page.url}/subscribe`, [['email', email], ...more])
  const mailsTo = (email: string): Mail[] => arrived(smtp).filter(({ to }) => to.includes(email))
  const linksIn = ({ text, html, headers }: Mail): string[] => [
    ...new Set(`${text} ${html} ${headers.get('list-unsubscribe')}`.match(/http[^\s"<>]+/g)),
  ]
  const subscribersOf = ({ id }: Page) => {
    const { db, vault } = service.services
    return listSubscribers(db.query, vault, team.id, { pageId: id }, { limit: 10, offset: 0 })
  }
  const write = (page: Page, title: string, impacts: object[] = []) =>
    team.owner.data(team.id, 'POST', `/status-pages/${page.id}/posts`, {
      kind: 'incident',
      title,
      update: { phase: 'investigating', body: 'We **look** into it <b>.', impacts },
    })
  const mailed = async (email: string, count: number): Promise<Mail> => {
    await until(`${count} mails to ${email}`, () => mailsTo(email).length >= count)
    return mailsTo(email)[count - 1] as Mail
  }
  const confirmed = async (page: Page, email: string, ...more: [string, string][]): Promise<string> => {
    assert.equal((await subscribe(page, email, ...more)).status, 200)
    const [link = ''] = (await mailed(email, 1)).text.match(/http\S+subscriptions\S+/) ?? []
    assert.equal((await post(link, [['action', 'confirm']])).status, 200)
    return link
  }
  /** As scanners of mail do: every link, in every harmless way. */
  async function scan(mail: Mail): Promise<void> {
    const links = linksIn(mail)
    assert.ok(links.length > 0)
    for (const link of links) {
      await until(`${link} is served`, async () => (await ask(link)).status === 200)
      assert.equal((await ask(link, { method: 'HEAD' })).status, 200)
      assert.equal((await ask(`${link}?end`)).status, 200)
    }
  }

  it('confirm by a button, are told of what is posted, and end by one click, while scanners change nothing', async () => {
    const page = await pageOf()
    const email = 'ada@example.com'
    const known = await subscribe(page, email)
    const letter = await mailed(email, 1)
    assert.match(letter.text, /Confirm your subscription to “Shop”/)
    await scan(letter)
    assert.deepEqual(
      (await subscribersOf(page)).map(({ state }) => state),
      ['unconfirmed'],
    )
    await write(page, 'Unheard')
    const [link = ''] = letter.text.match(/http\S+subscriptions\S+/) ?? []
    assert.match((await post(link, [['action', 'confirm']])).text, /You are subscribed/)
    const again = await subscribe(page, email)
    assert.deepEqual([again.status, again.text], [known.status, known.text], 'who is known is told the same')
    await scan(await mailed(email, 2))

    await write(page, 'Cart is slow', [{ component_id: page.ids[0], state: 'degraded' }])
    const told = await mailed(email, 3)
    assert.equal(told.headers.get('subject'), '[Shop] Cart is slow – Investigating')
    assert.equal(told.headers.get('list-unsubscribe'), `<${link}>`)
    assert.equal(told.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
    for (const part of [
      'Cart is slow',
      'We **look** into it <b>.',
      'Affected: Cart (Degraded performance)',
      link,
    ])
      assert.ok(told.text.includes(part), `${part} in ${told.text}`)
    assert.match(told.html, /We <strong>look<\/strong> into it &lt;b&gt;/)
    await scan(told)
    assert.deepEqual(
      (await subscribersOf(page)).map(({ state }) => state),
      ['confirmed'],
    )

    assert.equal((await post(link, [])).status, 400)
    assert.equal((await post(link, [['List-Unsubscribe', 'One-Click']])).status, 200)
    assert.deepEqual(await subscribersOf(page), [])
    assert.match((await ask(link)).text, /no longer works/)
    await write(page, 'Nobody hears this')
    const other = 'last@example.com'
    await confirmed(page, other)
    assert.equal(mailsTo(email).length, 3)
  })

  it('hear of the components that they chose, and of the end of what they heard of', async () => {
    const page = await pageOf()
    const [cart, mail] = page.ids as [number, number]
    const email = 'bob@example.com'
    const link = await confirmed(page, email, ['scope', 'chosen'], ['components', String(cart)])
    await write(page, 'Mail is away', [{ component_id: mail, state: 'major_outage' }])
    const { id } = await write(page, 'Cart is away', [{ component_id: cart, state: 'major_outage' }])
    await mailed(email, 2)
    await team.owner.data(team.id, 'POST', `/status-posts/${id}/updates`, {
      phase: 'resolved',
      body: 'Done.',
    })
    const changed = await post(link, [
      ['action', 'change'],
      ['scope', 'chosen'],
      ['components', String(mail)],
    ])
    assert.match(changed.text, /Your choice is saved/)
    await write(page, 'Mail again', [{ component_id: mail, state: 'degraded' }])
    await mailed(email, 4)
    assert.deepEqual(
      mailsTo(email)
        .slice(1)
        .map(({ headers }) => headers.get('subject')?.split('] ')[1]),
      ['Cart is away – Investigating', 'Cart is away – Resolved', 'Mail again – Investigating'],
    )
  })

  it('whose address refuses for good get nothing more, and the team sees it', async () => {
    const page = await pageOf()
    const email = 'gone@example.com'
    await confirmed(page, email)
    refused.add(email)
    const { id } = await write(page, 'First')
    await until('it is refused', async () => (await subscribersOf(page))[0]?.state === 'refused')
    const shown = await team.owner.data(team.id, 'GET', `/status-posts/${id}`)
    assert.deepEqual(shown.updates[0].notices, { pending: 0, sent: 0, failed: 1 })
    const second = await write(page, 'Second')
    assert.deepEqual(second.updates[0].notices, { pending: 0, sent: 0, failed: 0 })
  })

  it('may be programs, which confirm by the same link and get signed documents', async () => {
    const page = await pageOf()
    const receiver = await startReceiver(scope, (response) => response.end())
    const address = atPublicAddress(`${receiver.url}/hook`)
    assert.equal((await post(`${page.url}/subscribe`, [['webhook_url', address]])).status, 200)
    const documents = () => receiver.requests.map(({ body }: Received) => JSON.parse(body))
    await until('it is asked', () => receiver.requests.length === 1)
    const { event, confirm_url: link } = documents()[0]
    assert.equal(event, 'status_page.subscription')
    assert.equal((await post(link, [['action', 'confirm']])).status, 200)
    await write(page, 'Cart is slow', [{ component_id: page.ids[0], state: 'degraded' }])
    await until('it is told', () => receiver.requests.length === 2)
    const told = documents()[1]
    assert.deepEqual(
      [told.event, told.post.title, told.update.phase, told.update.components, told.subscription_url],
      [
        'status_page.update',
        'Cart is slow',
        'investigating',
        [{ id: page.ids[0], name: 'Cart', state: 'degraded' }],
        link,
      ],
    )
    const { headers, body } = receiver.requests[1] as Received
    const secret = `whsec_${Buffer.from(link.split('/').at(-1)).toString('base64')}`
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000)
    const expected = signatureHeaders(secret, String(headers['webhook-id']), sentAt, body)
    assert.equal(headers['webhook-signature'], expected['webhook-signature'])
  })

  it('are refused where the address is none, and when a client asks too often', async () => {
    const page = await pageOf({ language: 'de' })
    const wrong = await subscribe(page, 'nobody')
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /Geben Sie eine E-Mail-Adresse/)
    assert.equal((await post(`${page.url}/subscribe`, [['webhook_url', 'ftp://example.com']])).status, 422)
    const statuses: number[] = []
    for (let tries = 0; tries < 11; tries++) {
      const fields: [string, string][] = [['email', `many${tries}@example.com`]]
      statuses.push((await post(`${page.url}/subscribe`, fields, '203.0.113.9')).status)
    }
    assert.deepEqual(statuses, [...Array(10).fill(200), 429])
    const closed = await pageOf()
    await team.owner.data(team.id, 'PATCH', `/status-pages/${closed.id}`, { allows_subscribers: false })
    await until('the form is gone', async () => (await ask(`${closed.url}/subscribe`)).status === 404)
    assert.equal((await subscribe(closed, 'late@example.com')).status, 404)
  })
})

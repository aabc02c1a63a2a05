// npm test leaves this out: it waits for mails between a service and a mail server of its own (seconds).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { ago, changeRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { arrived, type SmtpReceiver, startSmtpReceiver } from '../../support/servers/smtp-receiver.ts'
import { assertInvalid, assertProblem } from '../../support/services/api-problems.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { startMailedService } from '../../support/services/mailed-service.ts'
import { type People, type Person, peopleOf } from '../../support/services/people.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { until } from '../../support/until.ts'

const REASON = /^this address has not agreed to alerts yet/

describe('an e-mail contact where everybody may sign up', () => {
  const scope = suiteScope()
  let smtp: SmtpReceiver
  let service: AskedService
  let people: People

  before(async () => {
    ;({ smtp, service, people } = await startMailedService(scope, { SIGNUP: 'open' }))
  })

  const bodyOf = (email: string) => ({ name: `To ${email}`, type: 'email', config: { email } })
  const add = (owner: Person, team: number, email: string) =>
    owner.data(team, 'POST', '/notification-contacts', bodyOf(email))
  const mailsTo = (email: string) => arrived(smtp).filter(({ to }) => to.includes(email))

  /** Sends a test alert; returns what became of it. */
  async function test(owner: Person, team: number, contact: number) {
    const { id } = await owner.data(team, 'POST', `/notification-contacts/${contact}/test`)
    return until('the test is settled', async () => {
      const delivery = await owner.data(team, 'GET', `/deliveries/${id}`)
      return delivery.state !== 'pending' && { state: delivery.state, detail: delivery.attempts[0].detail }
    })
  }

  async function pathTo(email: string): Promise<string> {
    const letter = await until(`a letter to ${email}`, () =>
      mailsTo(email).find(({ text }) => text.includes('/agree/')),
    )
    return new URL(/https?:\S+/.exec(letter.text)?.[0] ?? '').pathname
  }

  const summaryOf = async (owner: Person, team: number, contact: number) =>
    (await owner.data(team, 'GET', '/contact-summaries')).find(({ id }: { id: number }) => id === contact)

  const confirm = (person: Person) =>
    changeRows(service.services.db, 'users', { id: person.id }, { email_verified_at: new Date() })

  it('gets one letter and nothing else until it agrees, however many contacts it stands in', async () => {
    const { id, owner } = await people.team()
    const email = 'victim@example.com'
    const contacts = [await add(owner, id, email), await add(owner, id, 'Victim@example.com')]
    const changed = await add(owner, id, 'changed@example.com')
    await owner.data(id, 'PATCH', `/notification-contacts/${changed.id}`, { config: { email } })
    for (const contact of [...contacts, changed]) {
      const { state, detail } = await test(owner, id, contact.id)
      assert.equal(state, 'failed')
      assert.match(detail, REASON)
    }
    const path = await pathTo(email)
    assert.equal(mailsTo(email).length, 1)
    assert.deepEqual(mailsTo('Victim@example.com'), [])
    const summary = await summaryOf(owner, id, contacts[0].id)
    assert.ok(summary.awaits_agreement.asked_at)
    assertInvalid(await owner.ask(id, 'POST', `/notification-contacts/${contacts[0].id}/ask`), ['contact'])

    const page = await fetch(service.url + path)
    assert.deepEqual([page.status, page.headers.get('cache-control')], [200, 'no-store'])
    assert.match((await test(owner, id, contacts[0].id)).detail, REASON, 'opening the link is no answer')
    for (const answer of ['once', 'again']) {
      assert.equal((await fetch(service.url + path, { method: 'POST' })).status, 200, answer)
    }
    for (const contact of [...contacts, changed]) {
      assert.equal((await test(owner, id, contact.id)).state, 'sent')
    }
    assert.equal((await summaryOf(owner, id, contacts[0].id)).awaits_agreement, null)
    assert.equal((await test(owner, id, (await add(owner, id, email)).id)).state, 'sent')

    const other = await people.team()
    const contact = await add(other.owner, other.id, email)
    assert.match((await test(other.owner, other.id, contact.id)).detail, REASON, 'another team asks, too')
  })

  it('waits again when its address changes, and not when only its name does', async () => {
    const { id, owner } = await people.team()
    const email = 'moves@example.com'
    const contact = await add(owner, id, email)
    await fetch(service.url + (await pathTo(email)), { method: 'POST' })
    const patch = (body: unknown) => owner.data(id, 'PATCH', `/notification-contacts/${contact.id}`, body)
    await patch({ name: 'Renamed', config: { email: 'Moves@example.com' } })
    assert.equal((await test(owner, id, contact.id)).state, 'sent')
    await patch({ config: { email: 'elsewhere@example.com' } })
    assert.match((await test(owner, id, contact.id)).detail, REASON)
    await pathTo('elsewhere@example.com')
  })

  it('is asked again only once the link has died', async () => {
    const { id, owner } = await people.team()
    const email = 'slow@example.com'
    const contact = await add(owner, id, email)
    const path = await pathTo(email)
    const ask = () => owner.ask(id, 'POST', `/notification-contacts/${contact.id}/ask`)
    assertInvalid(await ask(), ['contact'])
    await changeRows(service.services.db, 'agreements', { team_id: id }, { expires_at: ago(60_000) })
    assert.equal((await fetch(service.url + path)).status, 404)
    assert.equal((await fetch(service.url + path, { method: 'POST' })).status, 404)
    assert.match((await test(owner, id, contact.id)).detail, REASON)
    assert.equal((await ask()).status, 204)
    await until('a second letter', () => mailsTo(email).length === 2)
  })

  it('of a member whose address is confirmed is mailed at once, and of one who confirms it from then on', async () => {
    const { id, owner, viewer } = await people.team()
    await confirm(viewer)
    assert.equal((await test(owner, id, (await add(owner, id, viewer.email)).id)).state, 'sent')
    const contact = await add(owner, id, owner.email)
    assert.match((await test(owner, id, contact.id)).detail, REASON)
    await confirm(owner)
    assert.equal((await test(owner, id, contact.id)).state, 'sent')
    assert.equal((await summaryOf(owner, id, contact.id)).awaits_agreement, null)
  })

  it("comes with a team, and waits until its owner's address is confirmed", async () => {
    const someone = (await people.team()).viewer
    const { id } = (await someone.send('POST', '/auth/teams', { name: 'Own' })).body.data
    const [contact] = await someone.data(id, 'GET', '/notification-contacts')
    assert.match((await test(someone, id, contact.id)).detail, REASON)
    await confirm(someone)
    assert.equal((await test(someone, id, contact.id)).state, 'sent')
  })

  it('is not asked without end, whatever is put behind its name', async () => {
    const { id, owner } = await people.team()
    const ask = (tag: number) =>
      owner.ask(id, 'POST', '/notification-contacts', bodyOf(`tagged+${tag}@example.com`))
    for (const tag of [1, 2, 3]) assert.equal((await ask(tag)).status, 201)
    assertProblem(await ask(4), 429)
    const listed = await owner.data(id, 'GET', '/notification-contacts')
    assert.ok(!JSON.stringify(listed).includes('tagged+4'), 'nothing is left of what was refused')
  })

  it('asks with no more of what the team wrote than a short, clean name', async () => {
    const { id, owner } = await people.team()
    const name = `Win money: https://evil.example/ now!!! ${'x'.repeat(200)}`
    await owner.data(id, 'PATCH', '/team', { name })
    await add(owner, id, 'named@example.com')
    await pathTo('named@example.com')
    const [letter] = mailsTo('named@example.com')
    assert.match(letter?.text ?? '', /The team “Win money https evil example now x+…” of/)
    assert.ok(!letter?.text.includes(owner.name))
  })
})

describe('an e-mail contact where sign-up is closed', () => {
  it('is alerted without being asked', async (t) => {
    const smtp = await startSmtpReceiver(t)
    const mail = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }
    const service = await startServiceHere({ ROLES: 'api,alerts', TRUST_PROXY: '1', ...mail })
    t.after(() => service.close())
    const { id, owner } = await peopleOf(service).team()
    const config = { email: 'list@example.com' }
    const body = { name: 'List', type: 'email', config }
    const contact = await owner.data(id, 'POST', '/notification-contacts', body)
    await owner.data(id, 'POST', `/notification-contacts/${contact.id}/test`)
    const [mailed] = await until('a mail', () => smtp.mails.length > 0 && smtp.mails)
    assert.equal(mailed?.headers.get('subject'), 'Test alert from Upbeat')
  })
})

// npm test leaves this out: it hashes dozens of passwords, in services with a mail server of their own (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as accounts from '../../../../src/operations/accounts/operator-accounts.ts'
import { ago, changeRows } from '../../../support/records/rows.ts'
import { suiteScope } from '../../../support/scope.ts'
import {
  arrived,
  type Mail,
  type SmtpReceiver,
  startSmtpReceiver,
} from '../../../support/servers/smtp-receiver.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { createQuickAccount } from '../../../support/services/quick-account.ts'
import { startServiceHere } from '../../../support/services/service-here.ts'
import { openBrowser } from '../../../support/sign-in/cookie-browser.ts'
import { until } from '../../../support/until.ts'

const PASSWORD = 'a long password'
const OPERATOR = { email: 'op@example.com', name: 'Op', password: 'the password of the operator' }

/** From an address of its own, unless told otherwise. */
let visitors = 0
const ask = (service: AskedService, body: unknown, address = `203.0.113.${++visitors}`) =>
  openBrowser(service.url).send('POST', '/auth/sign-up', body, { 'x-forwarded-for': address })

const optionsOf = async (service: AskedService) =>
  (await openBrowser(service.url).send('GET', '/auth/options')).body.data

const signIn = async (service: AskedService, email: string, password: string) =>
  (await openBrowser(service.url).send('POST', '/auth/sign-in', { email, password })).status

describe('signing up where everybody may', () => {
  const scope = suiteScope()
  let smtp: SmtpReceiver
  let service: AskedService

  before(async () => {
    smtp = await startSmtpReceiver(scope)
    service = await startServiceHere({
      ROLES: 'api,alerts',
      SIGNUP: 'open',
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      TRUST_PROXY: '1',
    })
    scope.after(() => service.close())
  })

  /** The newest of so many letters to an address. */
  const mailTo = (email: string, count = 1) =>
    until(`${count} letters to ${email}`, () => {
      const mails = arrived(smtp).filter(({ to }) => to.includes(email))
      return mails.length >= count && (mails.at(-1) as Mail)
    })

  const pathIn = (mail: Mail) => new URL(/https?:\S+/.exec(mail.text)?.[0] ?? '').pathname

  const submit = (path: string, password: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { method: 'POST', body: new URLSearchParams({ password }), headers })

  it('waits for the first account, which only the set-up link makes', async () => {
    assert.deepEqual(await optionsOf(service), {
      is_set_up: false,
      oidc: null,
      signup: false,
      mail: true,
      passkeys: true,
      site_url: service.services.siteUrl,
      docs_url: service.services.docsUrl,
    })
    const early = await ask(service, { name: 'Ann', email: 'ann@example.com', password: PASSWORD })
    assert.equal(early.status, 404)
    await createQuickAccount(service.services, OPERATOR)
    const { is_set_up, signup } = await optionsOf(service)
    assert.deepEqual([is_set_up, signup], [true, true])
  })

  it('makes an account with a Free team by a letter and the password, and signs in', async () => {
    const email = 'Ann@example.com'
    const asked = await ask(service, { name: 'Ann', email, password: PASSWORD })
    assert.deepEqual([asked.status, asked.body, asked.headers.get('set-cookie')], [202, '', null])
    const path = pathIn(await mailTo(email))
    assert.equal(await signIn(service, email, PASSWORD), 401, 'there is no account yet')
    const page = await fetch(service.url + path)
    assert.deepEqual([page.status, page.headers.get('cache-control')], [200, 'no-store'])
    assert.match(await page.text(), /Ann@example\.com/)

    assert.equal((await submit(path, 'another password')).status, 422)
    assert.equal((await submit(path, PASSWORD, { origin: 'https://evil.example' })).status, 403)
    const made = await submit(path, PASSWORD)
    assert.equal(made.status, 200)
    const cookie = /^[^;]+/.exec(made.headers.get('set-cookie') ?? '')?.[0] ?? ''
    const shown = await openBrowser(service.url).send('GET', '/auth/session', undefined, { cookie })
    const { user, teams, team_id } = shown.body.data
    assert.deepEqual([user.email, user.name, user.is_email_verified], [email, 'Ann', true])
    assert.deepEqual(teams, [{ id: team_id, name: `Ann's team`, role: 'owner' }])
    const token = await accounts.createToken(service.services, {
      team: team_id,
      email,
      name: 't',
      expires: null,
    })
    assert.equal((await service.call(token.token, 'GET', '/team')).body.data.plan, 'free')
    const [contact] = (await service.call(token.token, 'GET', '/notification-contacts')).body.data
    assert.deepEqual([contact.type, contact.config], ['email', { email }])
    assert.equal(await signIn(service, email, PASSWORD), 204)
    assert.equal((await submit(path, PASSWORD)).status, 404)
  })

  it('answers the same for an address that has an account, and tells its owner by a letter', async () => {
    const asked = await ask(service, { name: 'Eve', email: 'OP@example.com', password: PASSWORD })
    assert.deepEqual([asked.status, asked.body, asked.headers.get('set-cookie')], [202, '', null])
    const mail = await mailTo(OPERATOR.email)
    assert.match(mail.text, /has one already/)
    assert.equal(pathIn(mail), '/')
    assert.equal(await signIn(service, OPERATOR.email, PASSWORD), 401)
    assert.equal(await signIn(service, OPERATOR.email, OPERATOR.password), 204)
  })

  it('makes one account of two letters, by the password that belongs to each', async () => {
    const email = 'bob@example.com'
    await ask(service, { name: 'Bob', email, password: PASSWORD })
    const first = pathIn(await mailTo(email))
    await ask(service, { name: 'Mallory', email: 'BOB@example.com', password: 'of somebody else' })
    const second = pathIn(await mailTo('BOB@example.com'))
    assert.equal((await submit(second, PASSWORD)).status, 422)
    assert.equal((await submit(first, PASSWORD)).status, 200)
    assert.equal((await submit(second, 'of somebody else')).status, 404)
    assert.equal(await signIn(service, email, 'of somebody else'), 401)
  })

  it('keeps neither link nor password readable, and forgets both after a day', async () => {
    const email = 'cleo@example.com'
    await ask(service, { name: 'Cleo', email, password: PASSWORD })
    const path = pathIn(await mailTo(email))
    const { pool } = service.services.db
    const { rows } = await pool.query(
      `SELECT s::text AS row, extract(epoch FROM expires_at - now())::int AS seconds FROM sign_ups s WHERE email = $1`,
      [email],
    )
    assert.ok(rows.length === 1 && rows[0].seconds > 86_000 && rows[0].seconds <= 86_400)
    assert.ok(!rows[0].row.includes(PASSWORD) && !rows[0].row.includes(path.split('/').at(-1)))
    await changeRows(service.services.db, 'sign_ups', {}, { expires_at: ago(60_000) })
    assert.equal((await fetch(service.url + path)).status, 404)
    assert.equal((await submit(path, PASSWORD)).status, 404)
    await ask(service, { name: 'Dan', email: 'dan@example.com', password: PASSWORD })
    await mailTo('dan@example.com')
    assert.deepEqual((await pool.query('SELECT email FROM sign_ups')).rows, [{ email: 'dan@example.com' }])
  })

  it('limits the letters to one address', async () => {
    const wanted = { name: 'Fay', email: 'fay@example.com', password: PASSWORD }
    for (let i = 0; i < 5; i++) assert.equal((await ask(service, wanted)).status, 202)
    await ask(service, { ...wanted, email: 'gil@example.com' })
    await Promise.all([mailTo('gil@example.com'), mailTo('fay@example.com', 3)])
    assert.equal(arrived(smtp).filter(({ to }) => to.includes('fay@example.com')).length, 3)
  })

  it('names what is wrong', async () => {
    const answer = await ask(service, { name: '', email: 'x', password: 'short' })
    assert.equal(answer.status, 422)
    assert.deepEqual(Object.keys(answer.body.errors).sort(), ['email', 'name', 'password'])
    assert.ok(!JSON.stringify(answer.body).includes('short"'))
    const common = await ask(service, { name: 'Hal', email: 'hal@example.com', password: 'qwertyuiop' })
    assert.deepEqual([common.status, Object.keys(common.body.errors)], [422, ['password']])
  })

  it('is slowed down per address', async () => {
    // Each that is let through costs the hash of a password.
    const { perSignInAddress } = service.services.limits
    for (let i = 0; i < 29; i++) await perSignInAddress.take('192.0.2.9')
    const wanted = { name: 'X', email: OPERATOR.email, password: PASSWORD }
    const statuses = []
    for (let i = 0; i < 2; i++) statuses.push((await ask(service, wanted, '192.0.2.9')).status)
    assert.deepEqual(statuses, [202, 429])
  })
})

describe('signing up without a mail server', () => {
  const scope = suiteScope()
  let service: AskedService

  before(async () => {
    service = await startServiceHere({ ROLES: 'api', SIGNUP: 'open', TRUST_PROXY: '1' })
    scope.after(() => service.close())
    await createQuickAccount(service.services, OPERATOR)
  })

  it('makes the account and signs in at once, its address unconfirmed', async () => {
    const browser = openBrowser(service.url)
    const body = { name: 'x'.repeat(255), email: 'ann@example.com', password: PASSWORD }
    assert.equal((await browser.send('POST', '/auth/sign-up', body)).status, 204)
    const { user, teams } = (await browser.send('GET', '/auth/session')).body.data
    assert.deepEqual([user.email, user.is_email_verified], ['ann@example.com', false])
    assert.equal(teams[0].name.length, 255, 'the name of the team is cut')
    assert.equal((await optionsOf(service)).mail, false)
  })

  it('says that an address has an account: no letter could', async () => {
    const answer = await ask(service, { name: 'Op', email: 'OP@example.com', password: PASSWORD })
    assert.deepEqual(
      [answer.status, answer.body.errors],
      [422, { email: ['email OP@example.com has an account already'] }],
    )
    assert.equal(await signIn(service, OPERATOR.email, OPERATOR.password), 204)
  })
})

describe('signing up where sign-up is closed', () => {
  const scope = suiteScope()
  let service: AskedService

  before(async () => {
    service = await startServiceHere({ ROLES: 'api' })
    scope.after(() => service.close())
    await createQuickAccount(service.services, OPERATOR)
  })

  it('is refused as if there were no such thing, whatever is sent', async () => {
    for (const body of [{ name: 'Ann', email: 'ann@example.com', password: PASSWORD }, {}]) {
      const answer = await ask(service, body)
      assert.deepEqual([answer.status, answer.body.title], [404, 'Not Found'])
      assert.equal(answer.headers.get('content-type'), 'application/problem+json')
    }
    assert.equal((await optionsOf(service)).signup, false)
    assert.equal((await fetch(`${service.url}/confirm-sign-up/nonsense`)).status, 404)
  })
})

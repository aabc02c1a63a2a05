// npm test leaves this out: it hashes dozens of passwords, in a service with a mail server of its own (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as accounts from '../../../../src/operations/accounts/operator-accounts.ts'
import { ago, changeRows, storedText } from '../../../support/records/rows.ts'
import { suiteScope } from '../../../support/scope.ts'
import { arrived, type SmtpReceiver, startSmtpReceiver } from '../../../support/servers/smtp-receiver.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { createQuickAccount } from '../../../support/services/quick-account.ts'
import { startServiceHere } from '../../../support/services/service-here.ts'
import { type Browser, openBrowser } from '../../../support/sign-in/cookie-browser.ts'
import { until } from '../../../support/until.ts'

const OLD = 'a long password'
const ANEW = 'another password'

describe('passwords and addresses', () => {
  const scope = suiteScope()
  let smtp: SmtpReceiver
  let service: AskedService

  before(async () => {
    smtp = await startSmtpReceiver(scope)
    service = await startServiceHere({
      ROLES: 'api,alerts',
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      PRIVATE_TARGETS: 'deny',
    })
    scope.after(() => service.close())
  })

  const create = (email: string) =>
    createQuickAccount(service.services, { email, name: 'Somebody', password: OLD })

  async function signIn(email: string, password: string, status = 204): Promise<Browser> {
    const browser = openBrowser(service.url)
    assert.equal((await browser.send('POST', '/auth/sign-in', { email, password })).status, status)
    return browser
  }

  const isSignedIn = async (browser: Browser) => (await browser.send('GET', '/auth/session')).status === 200

  /** The path of the link in the newest of so many letters to an address. */
  const mailedPath = (email: string, count = 1) =>
    until(`${count} letters to ${email}`, () => {
      const mails = arrived(smtp).filter(({ to }) => to.includes(email))
      return mails.length >= count && new URL(/https?:\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? '').pathname
    })

  const submit = (path: string, form: Record<string, string> = {}) =>
    fetch(service.url + path, { method: 'POST', body: new URLSearchParams(form) })

  it('a password is changed by who knows it, which ends all other sessions', async () => {
    await create('ann@example.com')
    const [here, there] = [await signIn('ann@example.com', OLD), await signIn('ann@example.com', OLD)]
    const change = (current_password: string, password: string) =>
      here.send('POST', '/auth/password', { current_password, password })
    const wrong = await change('hunter2hunter2', ANEW)
    assert.deepEqual(
      [wrong.status, wrong.body.errors],
      [422, { current_password: ['current_password is not the password of this account'] }],
    )
    assert.equal((await change(OLD, 'short')).status, 422)
    assert.ok(await isSignedIn(there))
    assert.equal((await change(OLD, ANEW)).status, 204)
    assert.deepEqual([await isSignedIn(here), await isSignedIn(there)], [true, false])
    await signIn('ann@example.com', OLD, 401)
    await signIn('ann@example.com', ANEW)
    const nobody = await openBrowser(service.url).send('POST', '/auth/password', { password: ANEW })
    assert.equal(nobody.status, 401)
  })

  it('a password that is easy to guess is refused at every door, and nothing is used up', async () => {
    const email = 'guessed@example.com'
    await create(email)
    const browser = await signIn(email, OLD)
    await openBrowser(service.url).send('POST', '/auth/password-reset', { email })
    const path = await mailedPath(email)
    const { services } = service
    const invited = 'invited@example.com'
    const team = await accounts.createTeam(services, { name: 'T', owner: email, plan: 'free' })
    const invitation = { email: invited, role: 'viewer' }
    await browser.send('POST', `/app/teams/${team.id}/invitations`, invitation)
    const letter = await until('the invitation', () => arrived(smtp).find(({ to }) => to.includes(invited)))
    const token = /invitations#(\S+)/.exec(letter.text)?.[1]
    const doors: [whose: string, door: (password: string) => Promise<string>][] = [
      [
        email,
        async (password) => {
          const change = { current_password: OLD, password }
          return (await browser.send('POST', '/auth/password', change)).body.detail
        },
      ],
      [email, async (password) => (await submit(path, { password })).text()],
      [
        invited,
        async (password) => {
          const body = { token, name: 'Somebody', password }
          return (await openBrowser(service.url).send('POST', '/auth/invitations/join', body)).body.detail
        },
      ],
      [
        'made@example.com',
        (password) =>
          accounts.createUser(services, { email: 'made@example.com', name: 'Made', password }).then(
            () => 'taken',
            (error) => error.message,
          ),
      ],
    ]
    for (const [whose, door] of doors) {
      assert.match(await door('Password1'), /it is a common password/)
      assert.match(await door(whose), /without names that others know/)
    }
    assert.equal((await submit(path, { password: ANEW })).status, 200)
  })

  it('a forgotten password is reset by a mailed link, once, which ends all sessions', async () => {
    const email = 'bob@example.com'
    await create(email)
    const browser = await signIn(email, OLD)
    const ask = (address: string) =>
      openBrowser(service.url).send('POST', '/auth/password-reset', { email: address })
    const [known, unknown] = [await ask(email.toUpperCase()), await ask('nobody@example.com')]
    assert.deepEqual([known.status, known.body], [202, ''])
    assert.deepEqual([unknown.status, unknown.body], [202, ''])

    const path = await mailedPath(email)
    const token = path.split('/').at(-1) ?? ''
    const stored = await storedText(service.services.db, 'password_links')
    assert.ok(stored !== '' && !stored.includes(token))
    assert.ok(!service.output().includes(token))
    assert.ok(await isSignedIn(browser), 'asking changes nothing')
    assert.equal((await submit(path, { password: ANEW })).status, 200)
    assert.equal((await submit(path, { password: OLD })).status, 404)
    assert.ok(!(await isSignedIn(browser)))
    await signIn(email, OLD, 401)
    await signIn(email, ANEW)
    assert.deepEqual(
      arrived(smtp)
        .flatMap(({ to }) => to)
        .filter((to) => to === 'nobody@example.com'),
      [],
    )
  })

  it('a link to a new password dies after an hour, and when the password is changed', async () => {
    const email = 'cleo@example.com'
    await create(email)
    const ask = () => openBrowser(service.url).send('POST', '/auth/password-reset', { email })
    await ask()
    const first = await mailedPath(email)
    const pool = service.services.db.pool
    const { rows } = await pool.query(
      'SELECT extract(epoch FROM expires_at - now())::int AS s FROM password_links',
    )
    assert.ok(rows[0].s > 3_000 && rows[0].s <= 3_600, String(rows[0].s))
    await changeRows(service.services.db, 'password_links', {}, { expires_at: ago(1_000) })
    assert.equal((await submit(first, { password: ANEW })).status, 404)

    await ask()
    const second = await mailedPath(email, 2)
    const browser = await signIn(email, OLD)
    const body = { current_password: OLD, password: ANEW }
    assert.equal((await browser.send('POST', '/auth/password', body)).status, 204)
    assert.equal((await submit(second, { password: OLD })).status, 404)
  })

  it('letters to one address are limited', async () => {
    const email = 'dan@example.com'
    await create(email)
    const browser = await signIn(email, OLD)
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await browser.send('POST', '/auth/email-verification')).status)
    assert.deepEqual(statuses, [202, 202, 202, 429, 429])
    await mailedPath(email, 3)
  })

  it('an address is confirmed by a link that is mailed, once, after a question', async () => {
    const email = 'eve@example.com'
    await create(email)
    const browser = await signIn(email, OLD)
    const verified = async () => (await browser.send('GET', '/auth/session')).body.data.user.is_email_verified
    assert.equal((await browser.send('POST', '/auth/email-verification')).status, 202)
    const path = await mailedPath(email)
    const page = await fetch(service.url + path)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /eve@example\.com/)
    assert.equal(await verified(), false, 'mail filters open links')
    assert.equal((await browser.send('GET', path)).status, 200)
    const kept = await fetch(service.url + path, {
      method: 'POST',
      body: new URLSearchParams({ mine: 'yes' }),
      headers: { cookie: browser.cookie() },
    })
    assert.equal(kept.status, 200)
    assert.equal(await verified(), true)
    assert.equal((await submit(path)).status, 404)
    assert.equal((await fetch(service.url + path)).status, 404)
  })
})

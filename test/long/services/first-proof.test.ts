// npm test leaves this out: it needs a service with a provider of identities of its own, and hashes passwords (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { changeRows, countRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { CLIENT, type OidcTestProvider, startOidcProvider } from '../../support/servers/oidc-provider.ts'
import { arrived, type SmtpReceiver } from '../../support/servers/smtp-receiver.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { startMailedService } from '../../support/services/mailed-service.ts'
import { PASSWORD, type People, type Person, peopleOf } from '../../support/services/people.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { openBrowser } from '../../support/sign-in/cookie-browser.ts'
import { setTrap, WHOLE_TRAP } from '../../support/sign-in/trapped-account.ts'
import { until } from '../../support/until.ts'

const ANEW = 'a password of her own'

describe('the first proof of an address, by a provider of identities', () => {
  const scope = suiteScope()
  let provider: OidcTestProvider
  let service: AskedService
  let people: People

  before(async () => {
    provider = await startOidcProvider(scope)
    service = await startServiceHere({
      ROLES: 'api',
      TRUST_PROXY: '1',
      SIGNUP: 'open',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
    })
    scope.after(() => service.close())
    people = peopleOf(service)
  })

  /** A person who was signed in by the provider. */
  async function comeAs(email: string) {
    provider.person = { sub: `sub of ${email}`, email, email_verified: true }
    const browser = openBrowser(service.url)
    const begun = await browser.send('GET', '/auth/oidc')
    const { pathname, search } = await provider.visit(begun.headers.get('location') ?? '')
    assert.equal((await browser.send('GET', pathname + search)).status, 303)
    return { browser, user: (await browser.send('GET', '/auth/session')).body.data.user }
  }

  it('locks out a stranger who made the account by the link that an inviter is shown', async () => {
    const team = await people.team()
    const invitation = { email: 'victim@example.com', role: 'admin' }
    const { link } = await team.owner.data(team.id, 'POST', '/invitations', invitation)
    const mallory = people.stranger(invitation.email)
    const body = { token: new URL(link).hash.slice(1), name: 'Mallory', password: PASSWORD }
    assert.equal((await mallory.send('POST', '/auth/invitations/join', body)).status, 204)
    const made = (await mallory.send('GET', '/auth/session')).body.data.user
    assert.equal(made.is_email_verified, false)
    const trap = await setTrap(service, mallory, team.id)

    const { browser, user } = await comeAs(invitation.email)
    assert.deepEqual([user.id, user.is_email_verified, user.uses_totp], [made.id, true, false])
    assert.deepEqual(await trap.left(), [])
    assert.equal((await browser.send('GET', '/auth/session')).status, 200)
  })

  it('locks out a stranger who signed up with the address, and never its holder', async () => {
    const email = 'squatted@example.com'
    const mallory = people.stranger(email)
    const wanted = { name: 'Mallory', email, password: PASSWORD }
    assert.equal((await mallory.send('POST', '/auth/sign-up', wanted)).status, 204)
    const { team_id } = (await mallory.send('GET', '/auth/session')).body.data
    const trap = await setTrap(service, mallory, team_id)
    const { user } = await comeAs(email)
    assert.equal(user.email, email)
    assert.deepEqual(await trap.left(), [])
  })

  it('is not outlived by a token that is made in that moment', async () => {
    const { id, owner } = await people.team()
    const { pool } = service.services.db
    await owner.signIn()
    const proof = await pool.connect()
    try {
      await proof.query('BEGIN')
      await proof.query('UPDATE users SET password_hash = NULL WHERE email = $1', [owner.email])
      const making = owner.ask(id, 'POST', '/api-tokens', { name: 'In that moment' })
      let isMade = false
      void making.then(() => (isMade = true))
      await until('the token waits', async () => {
        const { rows } = await pool.query(
          `SELECT pid FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%"users"%for share%'`,
        )
        return rows.length > 0 || isMade
      })
      await proof.query('DELETE FROM sessions USING users u WHERE user_id = u.id AND u.email = $1', [
        owner.email,
      ])
      await proof.query('COMMIT')
      assert.equal((await making).status, 401)
    } finally {
      proof.release()
    }
    assert.equal(await countRows(service.services.db, 'tokens', { name: 'In that moment' }), 0)
  })

  it('ends nothing the second time', async () => {
    const person = await people.person()
    const team = await accounts.createTeam(service.services, { name: 'T', owner: person.email, plan: 'free' })
    await comeAs(person.email)
    await service.services.db.pool.query(
      `UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = $2) WHERE email = $1`,
      [person.email, (await people.person()).email],
    )
    await person.signIn()
    const trap = await setTrap(service, person, team.id)
    await service.services.db.pool.query('DELETE FROM identities')
    await comeAs(person.email)
    assert.deepEqual(await trap.left(), WHOLE_TRAP)
  })
})

describe('the first proof of an address, by mail', () => {
  const scope = suiteScope()
  let smtp: SmtpReceiver
  let service: AskedService
  let people: People

  before(async () => {
    ;({ smtp, service, people } = await startMailedService(scope))
  })

  /** An account that somebody made for an address, full of ways back into it. */
  async function trapped() {
    const person = await people.person()
    const { id } = await accounts.createTeam(service.services, {
      name: 'T',
      owner: person.email,
      plan: 'free',
    })
    return { person, teamId: id, trap: await setTrap(service, person, id) }
  }

  /** The path of the newest link that was mailed to an address and begins like that. */
  const mailedPath = (email: string, start: string) =>
    until(`a letter to ${email}`, () => {
      const texts = arrived(smtp).filter(({ to }) => to.includes(email))
      const paths = texts.map(({ text }) => new URL(/https?:\S+/.exec(text)?.[0] ?? 'http://x').pathname)
      return paths.findLast((path) => path.startsWith(start)) ?? false
    })

  const submit = async (path: string, form: Record<string, string>, headers = {}) => {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
    })
    return { status: answer.status, page: await answer.text() }
  }

  async function reset(email: string) {
    const asked = await openBrowser(service.url).send('POST', '/auth/password-reset', { email })
    assert.equal(asked.status, 202)
    return mailedPath(email, '/set-password/')
  }

  /** Whether the password alone signs in, and the address is confirmed then. */
  async function signsIn(email: string, password: string) {
    const browser = openBrowser(service.url)
    const { status } = await browser.send('POST', '/auth/sign-in', { email, password })
    if (status !== 204) return status
    return (await browser.send('GET', '/auth/session')).body.data.user.is_email_verified
      ? 'proven'
      : 'not proven'
  }

  it('is a password set by a mailed link, which ends everything older and says so', async () => {
    const { person, trap } = await trapped()
    const path = await reset(person.email)
    assert.match(await (await fetch(service.url + path)).text(), /sessions, passkeys, API tokens/)
    assert.deepEqual(await trap.left(), WHOLE_TRAP, 'asking ends nothing')
    assert.equal((await submit(path, { password: ANEW })).status, 200)
    assert.deepEqual(await trap.left(), [])
    assert.equal(await signsIn(person.email, ANEW), 'proven')
  })

  it('is followed by resets that end passkeys, and keep API tokens and the app, as their page says', async () => {
    const { person, trap } = await trapped()
    await changeRows(service.services.db, 'users', { email: person.email }, { email_verified_at: new Date() })
    const path = await reset(person.email)
    const page = await (await fetch(service.url + path)).text()
    assert.match(page, /ends every session, passkey and connected program/)
    assert.match(page, /API tokens keep working/)
    assert.equal((await submit(path, { password: ANEW })).status, 200)
    assert.deepEqual(await trap.left(), ['app', 'invitation', 'token'])
  })

  it('is no link that an operator hands over: it ends passkeys, and proves nothing', async () => {
    const email = 'handed@example.com'
    const made = await accounts.createUser(service.services, { email, name: 'Handed', password: null })
    const path = new URL(made.set_password_url ?? '').pathname
    assert.equal((await submit(path, { password: ANEW })).status, 200)
    assert.equal(await signsIn(email, ANEW), 'not proven')
  })

  it('is a link that confirms, wherever it is opened: everything older ends, and a password is chosen', async () => {
    const { person, trap } = await trapped()
    assert.equal((await person.send('POST', '/auth/email-verification')).status, 202)
    const path = await mailedPath(person.email, '/verify-email/')
    assert.match(await (await fetch(service.url + path)).text(), /This address has not been confirmed before/)
    assert.deepEqual(await trap.left(), WHOLE_TRAP, 'mail filters open links')
    const { status, page } = await submit(path, {})
    assert.equal(status, 200)
    assert.deepEqual(await trap.left(), [])
    const action = /action="(\/set-password\/[\w-]+)"/.exec(page)?.[1] ?? ''
    assert.equal((await submit(action, { password: ANEW })).status, 200)
    assert.equal(await signsIn(person.email, ANEW), 'proven')
  })

  it('keeps everything for a person who is signed in where the link is opened, and says that it is theirs', async () => {
    const { person, trap } = await trapped()
    const stranger = await people.person()
    await person.send('POST', '/auth/email-verification')
    const path = await mailedPath(person.email, '/verify-email/')
    const mine = (who: Person) => who.send('GET', path).then(({ body }) => body.includes('keep everything'))
    assert.deepEqual([await mine(stranger), await mine(person)], [false, true])
    const refused = await submit(path, { mine: 'yes' })
    assert.equal(refused.status, 422)
    assert.match(refused.page, /Is <strong>/, 'nothing is done to who only seemed signed in')
    const { status } = await submit(path, { mine: 'yes' }, { cookie: person.cookie() })
    assert.equal(status, 200)
    assert.deepEqual(await trap.left(), WHOLE_TRAP)
    assert.equal((await person.send('GET', '/auth/session')).body.data.user.is_email_verified, true)
  })

  it('is no invitation accepted with an existing account', async () => {
    const { person, trap } = await trapped()
    const team = await people.team()
    await team.owner.data(team.id, 'POST', '/invitations', { email: person.email, role: 'viewer' })
    const letter = await until('the invitation', () =>
      arrived(smtp).findLast(({ to, text }) => to.includes(person.email) && text.includes('/invitations#')),
    )
    const token = /invitations#(\S+)/.exec(letter.text)?.[1]
    assert.equal((await person.send('POST', '/auth/invitations/accept', { token })).status, 200)
    assert.equal((await person.send('GET', '/auth/session')).body.data.user.is_email_verified, false)
    assert.deepEqual(await trap.left(), WHOLE_TRAP)
  })
})

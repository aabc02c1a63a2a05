import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { run } from '../../../src/operations/run.ts'
import { actorOf, authenticateSession } from '../../../src/operations/sign-in/sessions.ts'
import { storedText } from '../../support/records/rows.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { ask } from '../../support/services/http.ts'
import { createQuickAccount } from '../../support/services/quick-account.ts'
import { type Browser, clientAddress, openBrowser } from '../../support/sign-in/cookie-browser.ts'

const PASSWORD = 'a long password'

describe('signing in', () => {
  let service: AskedService
  let people = 0

  before(async () => {
    service = await apiService()
  })

  /** A person with a team of their own, at an address that no one else uses. */
  async function newPerson(
    create: (...given: Parameters<typeof createQuickAccount>) => Promise<unknown> = createQuickAccount,
  ) {
    const email = `Signer${++people}@example.com`
    await create(service.services, { email, name: `Person ${people}`, password: PASSWORD })
    const team = await accounts.createTeam(service.services, {
      name: `T${people}`,
      owner: email,
      plan: 'free',
    })
    return { email, teamId: team.id, address: clientAddress() }
  }

  const from = (address: string) => ({ 'x-forwarded-for': address })

  async function signedIn(person: { email: string; address: string }, userAgent?: string): Promise<Browser> {
    const browser = openBrowser(service.url, userAgent)
    const body = { email: person.email, password: PASSWORD }
    const answer = await browser.send('POST', '/auth/sign-in', body, from(person.address))
    assert.equal(answer.status, 204)
    return browser
  }

  const isSignedIn = async (browser: Browser) => (await browser.send('GET', '/auth/session')).status === 200

  it('gives a cookie that scripts cannot read, kept as a hash, and says who one is', async () => {
    const person = await newPerson(accounts.createUser)
    const browser = openBrowser(service.url)
    const body = { email: person.email.toLowerCase(), password: PASSWORD }
    const { status, headers } = await browser.send('POST', '/auth/sign-in', body, from(person.address))
    assert.equal(status, 204)
    const [session = '', device = ''] = headers.getSetCookie()
    assert.match(session, /^upbeat_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    assert.match(device, /^upbeat_device=v1\.[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    assert.equal(headers.get('cache-control'), 'no-store')
    const stored = await storedText(service.services.db, 'sessions')
    const token = /upbeat_session=([^;]+)/.exec(browser.cookie())?.[1] ?? 'none'
    assert.ok(stored !== '' && !stored.includes(token))

    const shown = (await browser.send('GET', '/auth/session')).body.data
    assert.deepEqual(shown.user, {
      id: shown.user.id,
      email: person.email,
      name: `Person ${people}`,
      language: 'en',
      phone: null,
      is_email_verified: false,
      uses_totp: false,
      has_password: true,
      // The first account of the service is one, whose ever that is.
      is_operator: shown.user.is_operator,
    })
    assert.equal(shown.team_id, person.teamId)
    assert.deepEqual(shown.teams, [{ id: person.teamId, name: `T${people}`, role: 'owner' }])
  })

  it('refuses in the same words a wrong password, an unknown account and one without a password', async () => {
    const person = await newPerson()
    const bare = 'bare@example.com'
    await accounts.createUser(service.services, { email: bare, name: 'Bare', password: null })
    const refusals = []
    for (const email of [person.email, 'nobody@example.com', bare]) {
      const browser = openBrowser(service.url)
      const body = { email, password: 'another password' }
      const answer = await browser.send('POST', '/auth/sign-in', body, from(person.address))
      assert.deepEqual([answer.status, browser.cookie()], [401, ''])
      refusals.push(answer.body)
    }
    assert.deepEqual(refusals[1], refusals[0])
    assert.deepEqual(refusals[2], refusals[0])
  })

  it('is refused to pages of other sites, and so is everything else that changes something', async () => {
    const person = await newPerson()
    const browser = await signedIn(person)
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: service.url.replace('http:', 'https:') },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign) {
      for (const path of ['/auth/sign-in', '/auth/sign-out', '/auth/password']) {
        const body = { email: person.email, password: PASSWORD }
        assert.equal((await browser.send('POST', path, body, headers as Record<string, string>)).status, 403)
      }
    }
    assert.ok(await isSignedIn(browser))
    const site = { origin: new URL(service.services.siteUrl).origin }
    assert.equal((await browser.send('POST', '/auth/sign-out', undefined, site)).status, 204)
  })

  it('takes JSON of its shape only', async () => {
    const browser = openBrowser(service.url)
    const address = from(clientAddress())
    assert.equal((await browser.send('POST', '/auth/sign-in', {}, address)).status, 422)
    const form = { 'content-type': 'text/plain', ...address }
    assert.equal((await browser.send('POST', '/auth/sign-in', {}, form)).status, 415)
    assert.equal((await browser.send('PUT', '/auth/sign-in', {}, address)).status, 405)
  })

  it('ends with signing out, for that browser alone', async () => {
    const person = await newPerson()
    const [here, there] = [await signedIn(person), await signedIn(person)]
    const cookie = here.cookie()
    const { status, headers } = await here.send('POST', '/auth/sign-out')
    assert.equal(status, 204)
    assert.match(headers.get('set-cookie') ?? '', /^upbeat_session=; .*Max-Age=0$/)
    const again = await ask(`${service.url}/auth/session`, { headers: { cookie } })
    assert.equal(again.status, 401)
    assert.ok(await isSignedIn(there))
  })

  it('shows the sessions of the account, and ends one or all others', async () => {
    const person = await newPerson()
    const other = await signedIn(await newPerson())
    const browsers = [await signedIn(person, 'A'), await signedIn(person, 'B'), await signedIn(person, 'C')]
    const [a, b, c] = browsers as [Browser, Browser, Browser]
    const listed = (await a.send('GET', '/auth/sessions')).body.data
    const byAgent = new Map(listed.map((session: { user_agent: string }) => [session.user_agent, session]))
    assert.deepEqual([...byAgent.keys()].sort(), ['A', 'B', 'C'])
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what is asserted
    const [ofA, ofB] = [byAgent.get('A') as any, byAgent.get('B') as any]
    assert.deepEqual([ofA.is_current, ofB.is_current, ofB.address], [true, false, person.address])

    assert.equal((await other.send('DELETE', `/auth/sessions/${ofB.id}`)).status, 404)
    assert.equal((await a.send('DELETE', '/auth/sessions/x')).status, 404)
    assert.ok(await isSignedIn(b))
    assert.equal((await a.send('DELETE', `/auth/sessions/${ofB.id}`)).status, 204)
    assert.deepEqual([await isSignedIn(b), await isSignedIn(c)], [false, true])
    assert.equal((await a.send('DELETE', '/auth/sessions')).status, 204)
    assert.deepEqual([await isSignedIn(a), await isSignedIn(c), await isSignedIn(other)], [true, false, true])
  })

  it('ends when a role changes and when a membership ends, and not when nothing changed', async () => {
    const [person, owner] = [await newPerson(), await newPerson()]
    const member = (role: string) =>
      accounts.addMember(service.services, { team: owner.teamId, email: person.email, role })
    await member('viewer')
    let browser = await signedIn(person)
    await member('viewer')
    assert.ok(await isSignedIn(browser))
    await member('admin')
    assert.ok(!(await isSignedIn(browser)))
    browser = await signedIn(person)
    await accounts.removeMember(service.services, { team: owner.teamId, email: person.email })
    assert.ok(!(await isSignedIn(browser)))
  })

  it('ends a session that is unused for two weeks, and any after 90 days', async () => {
    const browser = await signedIn(await newPerson())
    const age = (days: number, idleDays: number) =>
      service.services.db.pool.query(
        `UPDATE sessions SET created_at = now() - $1 * interval '1 day', last_used_at = now() - $2 * interval '1 day',
           expires_at = now() + (14 - $2) * interval '1 day' WHERE id = $3`,
        [days, idleDays, id],
      )
    const id = (await browser.send('GET', '/auth/session')).body.data.session_id
    const lasts = async () => {
      const [session] = (await browser.send('GET', '/auth/sessions')).body.data
      return Math.round((Date.parse(session.expires_at) - Date.now()) / 86_400_000)
    }
    await age(20, 13)
    assert.equal(await lasts(), 14)
    await age(85, 1)
    assert.equal(await lasts(), 5)
    await age(20, 15)
    assert.ok(!(await isSignedIn(browser)))
  })

  it('lets a session choose among its teams, and act there with the role of the moment', async () => {
    const [person, owner] = [await newPerson(), await newPerson()]
    await accounts.addMember(service.services, { team: owner.teamId, email: person.email, role: 'viewer' })
    const browser = await signedIn(person)
    const actor = async () => {
      const session = await authenticateSession(service.services, browser.cookie())
      return session && actorOf(service.services, session)
    }
    const first = await actor()
    assert.deepEqual([first?.teamId, first?.role, first?.plan], [person.teamId, 'owner', 'free'])
    assert.equal((await browser.send('POST', '/auth/session/team', { team_id: 999_999 })).status, 404)
    assert.equal((await browser.send('POST', '/auth/session/team', { team_id: owner.teamId })).status, 204)
    const second = await actor()
    assert.ok(second)
    assert.deepEqual([second.teamId, second.role], [owner.teamId, 'viewer'])

    const readBody = async () => ({})
    const ask = (id: 'getTeam' | 'createMonitor') =>
      run(service.services, id, { actor: second, params: {}, query: {}, readBody })
    const team = await ask('getTeam')
    assert.deepEqual([team.status, (team.body as { data: { id: number } }).data.id], [200, owner.teamId])
    assert.equal((await ask('createMonitor')).status, 403)
    assert.equal(await authenticateSession(service.services, 'upbeat_session=nonsense'), null)
    assert.equal(await authenticateSession(service.services, undefined), null)
  })
})

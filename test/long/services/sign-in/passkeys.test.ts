// npm test leaves this out: it needs a service of its own, and signs in and hashes passwords many times (seconds of a core).
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { suiteScope } from '../../../support/scope.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { createQuickAccount } from '../../../support/services/quick-account.ts'
import { startServiceHere } from '../../../support/services/service-here.ts'
import { openBrowser } from '../../../support/sign-in/cookie-browser.ts'
import {
  type Authenticator,
  createAuthenticator,
  type Manner,
} from '../../../support/sign-in/passkey-authenticator.ts'
import { codeOf } from '../../../support/sign-in/totp.ts'

const SITE_URL = 'https://up.example.com'
const PASSWORD = 'a long password'
const headers = { origin: SITE_URL }

describe('a passkey', () => {
  const scope = suiteScope()
  let service: AskedService
  let people = 0

  before(async () => {
    service = await startServiceHere({ ROLES: 'api', SITE_URL, TRUST_PROXY: '1' })
    scope.after(() => service.close())
  })

  /** A person with a passkey, who always comes from an address of their own. */
  async function newPerson() {
    const email = `person${++people}@example.com`
    await createQuickAccount(service.services, { email, name: 'Person', password: PASSWORD })
    const browser = openBrowser(service.url)
    const from = { ...headers, 'x-forwarded-for': `203.0.113.${people}` }
    const send = (method: string, path: string, body?: unknown) => browser.send(method, path, body, from)
    assert.equal((await send('POST', '/auth/sign-in', { email, password: PASSWORD })).status, 204)
    const authenticator = createAuthenticator(SITE_URL)
    const begin = async () => (await send('POST', '/auth/passkeys/options', { password: PASSWORD })).body.data
    const response = authenticator.register(await begin())
    const added = await send('POST', '/auth/passkeys', { name: 'Laptop', response })
    assert.equal(added.status, 201, JSON.stringify(added.body))
    return { email, send, from, authenticator, begin, id: added.body.data.id as number }
  }

  const challenge = async (from: Record<string, string>) =>
    (await openBrowser(service.url).send('POST', '/auth/sign-in/passkey/options', undefined, from)).body.data

  async function signIn(
    authenticator: Authenticator,
    from: Record<string, string>,
    changes?: Partial<Manner>,
  ) {
    const response = authenticator.signIn(await challenge(from), changes)
    const browser = openBrowser(service.url)
    const send = () => browser.send('POST', '/auth/sign-in/passkey', { response }, from)
    return { answer: await send(), again: send, browser }
  }

  it('is made by who gives the password again, once for each challenge', async () => {
    const { send, begin, id } = await newPerson()
    assert.equal((await send('POST', '/auth/passkeys/options', { password: 'wrong' })).status, 422)
    const listed = (await send('GET', '/auth/passkeys')).body.data
    assert.deepEqual(
      [listed.length, listed[0].id, listed[0].name, listed[0].last_used_at],
      [1, id, 'Laptop', null],
    )
    const options = await begin()
    assert.equal(options.rp.id, 'up.example.com')
    assert.equal(options.excludeCredentials.length, 1)
    const foreign = createAuthenticator('https://evil.example').register(options)
    assert.equal((await send('POST', '/auth/passkeys', { name: 'x', response: foreign })).status, 422)
    const late = createAuthenticator(SITE_URL).register(options)
    assert.equal((await send('POST', '/auth/passkeys', { name: 'x', response: late })).status, 422)
    assert.equal((await send('POST', '/auth/passkeys', { name: 'x', response: {} })).status, 422)
  })

  it('wants a code as well where there is an authenticator app', async () => {
    const { send } = await newPerson()
    const { secret } = (await send('POST', '/auth/totp', { password: PASSWORD })).body.data
    const confirmed = await send('POST', '/auth/totp/confirm', { code: codeOf(secret) })
    const [recovery] = confirmed.body.data.recovery_codes
    const ask = (code?: string) => send('POST', '/auth/passkeys/options', { password: PASSWORD, code })
    const missing = await ask()
    assert.deepEqual(
      [missing.status, missing.body.errors],
      [422, { code: ['code is required: the account has an authenticator app'] }],
    )
    assert.equal((await ask('000')).status, 422)
    const next = codeOf(secret, 1)
    assert.equal((await ask(next)).status, 200)
    assert.equal((await ask(next)).status, 422, 'a code is taken once')
    const response = createAuthenticator(SITE_URL).register((await ask(recovery)).body.data)
    assert.equal((await send('POST', '/auth/passkeys', { name: 'Phone', response })).status, 201)
  })

  it('signs in by itself, each answer once', async () => {
    const { email, authenticator, from, send } = await newPerson()
    const { answer, again, browser } = await signIn(authenticator, from)
    assert.equal(answer.status, 204, JSON.stringify(answer.body))
    assert.match(browser.cookie(), /^__Host-upbeat_session=/)
    const shown = await browser.send('GET', '/auth/session')
    assert.equal(shown.body.data.user.email, email)
    assert.equal((await again()).status, 401)
    assert.ok((await send('GET', '/auth/passkeys')).body.data[0].last_used_at)
  })

  it('does not sign in from another site, unverified, with another key, or with a counter that went back', async () => {
    const { authenticator, from } = await newPerson()
    assert.equal((await signIn(authenticator, from, { counter: 5 })).answer.status, 204)
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const wrong: Partial<Manner>[] = [
      { origin: 'https://evil.example', counter: 6 },
      { isVerified: false, counter: 7 },
      { key, counter: 8 },
      { counter: 5 },
    ]
    for (const changes of wrong) {
      const { answer } = await signIn(authenticator, from, changes)
      assert.equal(answer.status, 401, JSON.stringify(changes))
    }
    assert.equal((await signIn(authenticator, from, { counter: 9 })).answer.status, 204)
    assert.equal((await signIn(createAuthenticator(SITE_URL), from)).answer.status, 401)
  })

  it('signs in no more once its owner has removed it', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    assert.equal((await other.send('DELETE', `/auth/passkeys/${person.id}`)).status, 404)
    assert.equal((await signIn(person.authenticator, person.from)).answer.status, 204)
    assert.equal((await person.send('DELETE', `/auth/passkeys/${person.id}`)).status, 204)
    assert.equal((await signIn(person.authenticator, person.from)).answer.status, 401)
  })
})

// npm test leaves this out: it needs a provider and services of its own, and signs in dozens of times (seconds of a core).
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { unreachable } from '../../../../src/operations/sign-in/oidc-failure.ts'
import { createOidcProvider } from '../../../../src/operations/sign-in/oidc-provider.ts'
import { freePort } from '../../../support/free-port.ts'
import { changeRows, countRows } from '../../../support/records/rows.ts'
import { suiteScope } from '../../../support/scope.ts'
import {
  CLIENT,
  type Manner,
  type OidcTestProvider,
  startOidcProvider,
} from '../../../support/servers/oidc-provider.ts'
import type { Answer, AskedService } from '../../../support/services/asked-service.ts'
import { createQuickAccount } from '../../../support/services/quick-account.ts'
import { startServiceHere } from '../../../support/services/service-here.ts'
import { type Browser, openBrowser } from '../../../support/sign-in/cookie-browser.ts'
import { until } from '../../../support/until.ts'

const PASSWORD = 'a long password'

const settingsFor = (issuer: string) => ({
  ROLES: 'api',
  TRUST_PROXY: '1',
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
})

let visitors = 0

/** A browser at an address of its own. */
function newBrowser(service: AskedService): Browser {
  const browser = openBrowser(service.url)
  const from = { 'x-forwarded-for': `203.0.113.${++visitors}` }
  return { ...browser, send: (method, path, body) => browser.send(method, path, body, from) }
}

/** Goes to the provider and back; returns the address to which the provider sent it. */
async function goToProvider(browser: Browser, provider: OidcTestProvider, query = ''): Promise<URL> {
  const begun = await browser.send('GET', `/auth/oidc${query}`)
  assert.equal(begun.status, 303, begun.body)
  return provider.visit(begun.headers.get('location') ?? '')
}

const comeBack = (browser: Browser, { pathname, search }: URL) => browser.send('GET', pathname + search)

async function signIn(browser: Browser, provider: OidcTestProvider, query?: string): Promise<Answer> {
  return comeBack(browser, await goToProvider(browser, provider, query))
}

const userOf = async (browser: Browser) =>
  (await browser.send('GET', '/auth/session')).body.data?.user ?? null

async function assertRefused(browser: Browser, answer: Answer, status: number, why: RegExp) {
  assert.equal(answer.status, status, answer.body)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(answer.body, /You are not signed in/)
  assert.match(answer.body, why)
  assert.equal(browser.cookie(), '')
}

describe('signing in by a provider of identities', () => {
  const scope = suiteScope()
  let provider: OidcTestProvider
  let service: AskedService
  let people = 0

  before(async () => {
    provider = await startOidcProvider(scope)
    service = await startServiceHere({ ...settingsFor(provider.issuer), OIDC_NAME: 'Example <SSO>' })
    scope.after(() => service.close())
  })

  /** A person with an account, who signs in at the provider. */
  async function newPerson() {
    const email = `person${++people}@example.com`
    await createQuickAccount(service.services, { email, name: `Person ${people}`, password: PASSWORD })
    provider.person = { sub: `sub-${people}`, email, email_verified: true }
    provider.manner = {}
    return { email, browser: newBrowser(service) }
  }

  it('is offered by name', async () => {
    const { body } = await newBrowser(service).send('GET', '/auth/options')
    const { is_set_up: _, ...offered } = body.data
    assert.deepEqual(offered, {
      oidc: { name: 'Example <SSO>' },
      signup: false,
      mail: false,
      passkeys: true,
      site_url: service.services.siteUrl,
      docs_url: service.services.docsUrl,
    })
  })

  it('leads to the account with the address, which counts as confirmed, and on to where one wanted', async () => {
    const { email, browser } = await newPerson()
    provider.person.email = email.toUpperCase()
    const callback = await goToProvider(browser, provider, '?return_to=/monitors/7?tab=checks')
    assert.equal(callback.origin + callback.pathname, `${service.services.siteUrl}/auth/oidc/callback`)
    assert.match(browser.cookie(), /^upbeat_oidc=v1\.[\w.-]+$/)
    const { status, headers } = await comeBack(browser, callback)
    assert.deepEqual(
      [status, headers.get('location'), headers.get('cache-control')],
      [303, `${service.services.siteUrl}/monitors/7?tab=checks`, 'no-store'],
    )
    for (const cookie of headers.getSetCookie()) {
      assert.match(cookie, /^upbeat_(session|oidc)=[\w-]*; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    }
    assert.match(browser.cookie(), /^upbeat_session=[\w-]{43}$/)
    const user = await userOf(browser)
    assert.deepEqual([user.email, user.is_email_verified], [email, true])
  })

  it('leads nowhere but to this service', async () => {
    const { browser } = await newPerson()
    for (const elsewhere of ['https://evil.example/', '//evil.example', '/%5Cevil.example', '']) {
      const answer = await signIn(browser, provider, `?return_to=${elsewhere}`)
      assert.equal(answer.headers.get('location'), `${service.services.siteUrl}/`)
    }
  })

  it('asks for no second factor of ours, which the password still does', async () => {
    const { email, browser } = await newPerson()
    await service.services.db.pool.query(
      `INSERT INTO authenticators (user_id, secret, confirmed_at) SELECT id, $2, now() FROM users WHERE email = $1`,
      [email, service.services.vault.seal('JBSWY3DPEHPK3PXP', 'authenticators.secret', null)],
    )
    const byPassword = await browser.send('POST', '/auth/sign-in', { email, password: PASSWORD })
    assert.equal(byPassword.body.second_factor, 'required')
    assert.equal((await signIn(browser, provider)).status, 303)
    assert.equal((await userOf(browser)).email, email)
  })

  it('keeps to the account when an address changes, there or here', async () => {
    const { email, browser } = await newPerson()
    await signIn(browser, provider)
    const { id } = await userOf(browser)
    const other = await newPerson()
    provider.person = { sub: `sub-${people - 1}`, email: other.email, email_verified: true }
    assert.equal((await signIn(browser, provider)).status, 303)
    assert.deepEqual([(await userOf(browser)).id, (await userOf(browser)).email], [id, email])
    provider.person = { sub: `sub-${people - 1}` }
    await changeRows(service.services.db, 'users', { id }, { email: 'moved@example.com' })
    assert.equal((await signIn(browser, provider)).status, 303)
    assert.deepEqual([(await userOf(browser)).id, (await userOf(browser)).email], [id, 'moved@example.com'])
  })

  it('asks for the address once more where the ID token does not tell it', async () => {
    const { email, browser } = await newPerson()
    provider.manner = { hasSilentToken: true }
    assert.equal((await signIn(browser, provider)).status, 303)
    assert.equal((await userOf(browser)).email, email)
  })

  it('is refused with another state, in another browser, when it is too late and a second time', async () => {
    const { browser } = await newPerson()
    const wrong = await goToProvider(browser, provider)
    wrong.searchParams.set('state', 'another')
    await assertRefused(browser, await comeBack(browser, wrong), 410, /Begin again/)

    const german = { 'accept-language': 'de', 'x-forwarded-for': '198.51.100.8' }
    const told = await openBrowser(service.url).send('GET', '/auth/oidc/callback', undefined, german)
    assert.match(
      told.body,
      /<h1>Sie sind nicht angemeldet<\/h1><p>Diese Anmeldung wurde in einem anderen Browser/,
    )

    const beganMs = Date.now()
    const callback = await goToProvider(browser, provider)
    const other = newBrowser(service)
    await assertRefused(other, await comeBack(other, callback), 410, /begun in another browser/)

    const { vault } = service.services
    const cookie = browser.cookie().slice('upbeat_oidc='.length)
    const attempt = JSON.parse(vault.open(cookie, 'oidc.attempt', null))
    const givenMs = attempt.expiresAtMs - 10 * 60_000
    assert.ok(givenMs >= beganMs && givenMs <= Date.now(), `begun at ${beganMs}, ten minutes from ${givenMs}`)
    const late = vault.seal(JSON.stringify({ ...attempt, expiresAtMs: Date.now() }), 'oidc.attempt', null)
    const send = (value: string) =>
      openBrowser(service.url).send('GET', callback.pathname + callback.search, undefined, {
        cookie: `upbeat_oidc=${value}`,
        'x-forwarded-for': '198.51.100.7',
      })
    for (const value of [late, cookie.slice(0, -2), 'nonsense', '']) {
      assert.equal((await send(value)).status, 410)
    }
    assert.equal((await send(cookie)).status, 303)
    const again = await send(cookie)
    assert.deepEqual([again.status, again.headers.getSetCookie().length], [401, 1], 'the code is used up')
  })

  const untrue: [what: string, manner: () => Partial<Manner>][] = [
    ['with the nonce of another sign-in', () => ({ claims: { nonce: 'another' } })],
    [
      'signed by another key',
      () => ({ key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }),
    ],
    ['for another client', () => ({ claims: { aud: 'another' } })],
    ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
    ['that has expired', () => ({ claims: { exp: 1 } })],
    ['without a subject', () => ({ claims: { sub: undefined } })],
    ['with a subject that no database holds', () => ({ claims: { sub: 'a\0b' } })],
  ]
  for (const [what, manner] of untrue) {
    it(`is refused an ID token ${what}`, async () => {
      const { browser } = await newPerson()
      provider.manner = manner()
      await assertRefused(browser, await signIn(browser, provider), 401, /does not prove who you are/)
    })
  }

  it('is refused an address that the provider does not vouch for, or none', async () => {
    const { email, browser } = await newPerson()
    for (const told of [{ email }, { email, email_verified: false }, { email_verified: true }]) {
      provider.person = { sub: 'unverified', ...told }
      await assertRefused(browser, await signIn(browser, provider), 403, /does not say that your e-mail/)
    }
  })

  it('is refused where no account has the address, and where one declines', async () => {
    const { browser } = await newPerson()
    provider.person = { sub: 'stranger', email: "o'neil@example.com", email_verified: true }
    const before = await countUsers(service)
    await assertRefused(
      browser,
      await signIn(browser, provider),
      403,
      /No account has the address o&#39;neil@example\.com/,
    )
    assert.equal(await countUsers(service), before)
    provider.manner = { declines: true }
    await assertRefused(
      browser,
      await signIn(browser, provider),
      403,
      /Example &lt;SSO&gt; did not sign you in/,
    )
  })

  it('is slowed down per address', async () => {
    const { browser } = await newPerson()
    provider.manner = { declines: true }
    const statuses = []
    for (let i = 0; i < 30; i++) statuses.push((await signIn(browser, provider)).status)
    assert.deepEqual(statuses, Array(30).fill(403))
    const refused = await browser.send('GET', '/auth/oidc')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    await assertRefused(browser, refused, 429, /Too many attempts/)
  })

  it('cannot be closed by pages that make a browser load its addresses', async () => {
    const { email, browser } = await newPerson()
    const loads: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' },
    ]
    const address = '192.0.2.77'
    for (const headers of loads) {
      const victim = openBrowser(service.url)
      const load = async (path: string) =>
        (await victim.send('GET', path, undefined, { ...headers, 'x-forwarded-for': address })).status
      const isSeen = headers['sec-fetch-dest'] === 'document'
      for (let i = 0; i < 31; i++) {
        assert.equal(await load('/auth/oidc'), isSeen ? 303 : 403)
        assert.equal(await load('/auth/oidc/callback?code=x&state=y'), 410)
      }
    }
    const from = { 'x-forwarded-for': address }
    const body = { email, password: PASSWORD }
    assert.equal((await openBrowser(service.url).send('POST', '/auth/sign-in', body, from)).status, 204)
    const begun = await openBrowser(service.url).send('GET', '/auth/oidc', undefined, from)
    assert.equal(begun.status, 303)
    assert.equal((await signIn(browser, provider)).status, 303)
  })

  it('leaves no secret in the log', () => {
    assert.match(service.output(), /sign-in by the provider failed/)
    for (const secret of [CLIENT.secret, encodeURIComponent(CLIENT.secret), 'code='])
      assert.ok(!service.output().includes(secret), secret)
    // A token of the provider (RFC 7519): random ids in the log may begin alike, but have no parts.
    assert.doesNotMatch(service.output(), /eyJ[\w-]*\.[\w-]/)
  })
})

describe('signing in by a provider where everybody may have an account', () => {
  const scope = suiteScope()
  let provider: OidcTestProvider
  let service: AskedService

  before(async () => {
    provider = await startOidcProvider(scope)
    service = await startServiceHere({ ...settingsFor(provider.issuer), SIGNUP: 'open' })
    scope.after(() => service.close())
  })

  it('makes no account before the operator has one', async () => {
    provider.person = { sub: 'ann', email: 'ann@example.com', email_verified: true, name: 'Ann' }
    const browser = newBrowser(service)
    await assertRefused(browser, await signIn(browser, provider), 403, /No account has the address/)
    await createQuickAccount(service.services, { email: 'op@example.com', name: 'Op', password: PASSWORD })
  })

  it('makes an account with a Free team for a person without one, once', async () => {
    const browsers = [newBrowser(service), newBrowser(service), newBrowser(service)]
    const callbacks = await Promise.all(browsers.map((browser) => goToProvider(browser, provider)))
    const answers = await Promise.all(browsers.map((browser, i) => comeBack(browser, callbacks[i] as URL)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303, 303],
    )
    for (const browser of browsers) {
      const { user, teams } = (await browser.send('GET', '/auth/session')).body.data
      assert.deepEqual([user.email, user.name, user.is_email_verified], ['ann@example.com', 'Ann', true])
      assert.deepEqual([teams.length, teams[0].name, teams[0].role], [1, "Ann's team", 'owner'])
    }
    const { rows } = await service.services.db.pool.query('SELECT name, plan FROM teams')
    assert.deepEqual(rows, [{ name: "Ann's team", plan: 'free' }])
    assert.equal(await countUsers(service), 2)
  })
})

describe('a provider of identities that is not there', () => {
  const scope = suiteScope()
  let port: number
  let service: AskedService

  before(async () => {
    port = await freePort()
    service = await startServiceHere(settingsFor(`http://127.0.0.1:${port}`))
    scope.after(() => service.close())
    await createQuickAccount(service.services, { email: 'ann@example.com', name: 'Ann', password: PASSWORD })
    // The first proof of her address would end her sessions.
    await changeRows(service.services.db, 'users', {}, { email_verified_at: new Date() })
  })

  it('breaks nothing else, and is asked again by the next person who tries', async () => {
    const browser = newBrowser(service)
    await assertRefused(
      browser,
      await browser.send('GET', '/auth/oidc'),
      503,
      /127\.0\.0\.1 cannot be reached at the moment/,
    )
    await until('the log says why', () => service.output().includes('ECONNREFUSED'))
    const credentials = { email: 'ann@example.com', password: PASSWORD }
    assert.equal((await browser.send('POST', '/auth/sign-in', credentials)).status, 204)
    assert.deepEqual((await browser.send('GET', '/auth/options')).body.data.oidc, { name: '127.0.0.1' })

    const provider = await startOidcProvider(scope, port)
    provider.person = { sub: 'ann', email: 'ann@example.com', email_verified: true }
    assert.equal((await signIn(newBrowser(service), provider)).status, 303)

    const callback = await goToProvider(browser, provider)
    provider.manner.answer = (response) => response.writeHead(500).end('oops')
    const answer = await comeBack(browser, callback)
    assert.equal(answer.status, 503)
    assert.equal((await userOf(browser)).email, 'ann@example.com', 'who is signed in stays so')
  })

  it('has no pages where the operator has set up none', async (t) => {
    const plain = await startServiceHere({ ROLES: 'api' })
    t.after(() => plain.close())
    for (const path of ['/auth/oidc', '/auth/oidc/callback?code=1&state=2']) {
      const { status, body } = await openBrowser(plain.url).send('GET', path)
      assert.deepEqual([status, body.title], [404, 'Not Found'])
    }
  })
})

describe('a provider of identities that does not answer as it should', () => {
  const scope = suiteScope()
  let provider: OidcTestProvider
  let service: AskedService

  before(async () => {
    provider = await startOidcProvider(scope)
    service = await startServiceHere(settingsFor(provider.issuer))
    scope.after(() => service.close())
  })

  const broken: [what: string, answer: Manner['answer']][] = [
    ['answers nonsense', (response) => json(response, '<')],
    ['says that it is another', (response) => json(response, '{"issuer":"https://evil.example"}')],
    ['never stops talking', (response) => json(response, `{"x":"${'x'.repeat(2_000_000)}"}`)],
  ]
  for (const [what, answer] of broken) {
    it(`is refused when it ${what}`, async () => {
      provider.manner.answer = answer
      const browser = newBrowser(service)
      const refused = await browser.send('GET', '/auth/oidc')
      await assertRefused(browser, refused, 503, /does not answer as it should/)
    })
  }

  it('is refused when it never answers', async () => {
    provider.manner.answer = () => {}
    const failures: string[] = []
    const settings = {
      issuer: provider.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      name: 'SSO',
    }
    const deps = { now: () => new Date(), note: (failure: string) => failures.push(failure) }
    const impatient = createOidcProvider(settings, { ...deps, timeoutSeconds: 0.1 })
    await assert.rejects(impatient.begin(`${service.url}/auth/oidc/callback`), unreachable('SSO'))
    assert.match(failures.join(), /^OAUTH_TIMEOUT: /)
  })
})

function json(response: Parameters<NonNullable<Manner['answer']>>[0], body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)
}

async function countUsers({ services }: AskedService): Promise<number> {
  return countRows(services.db, 'users')
}

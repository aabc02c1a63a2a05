import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { suiteScope } from '../../support/scope.ts'
import {
  arrived,
  type SmtpReceiver,
  smtpReply,
  startSmtpReceiver,
} from '../../support/servers/smtp-receiver.ts'
import { closedPort } from '../../support/servers/targets.ts'
import { assertInvalid, assertProblem } from '../../support/services/api-problems.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { PASSWORD, type Person, peopleOf } from '../../support/services/people.ts'
import { type ServiceHere, startServiceHere } from '../../support/services/service-here.ts'
import { openBrowser } from '../../support/sign-in/cookie-browser.ts'
import { until } from '../../support/until.ts'

const PATH = '/auth/service-settings'
const TESTS = '/auth/mail-tests'
const SECRET = 'p@ss/wörd of the relay'
const SITE = 'http://up.example.com:8080'

describe('the settings that operators change', () => {
  const scope = suiteScope()
  let asked: ServiceHere
  let other: ServiceHere
  let smtp: SmtpReceiver
  let operator: Person

  before(async () => {
    smtp = await startSmtpReceiver(scope, {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        if (password === SECRET) done(null, { user: username ?? '' })
        else done(smtpReply(535, `no such login: ${username} ${password}`))
      },
    })
    asked = await startServiceHere({ ROLES: 'api', TRUST_PROXY: '1' })
    scope.after(() => asked.close())
    other = await besideIt({ ROLES: 'api,alerts' })
    operator = await peopleOf(asked).person()
  })

  /** Another process of the same service. */
  async function besideIt(settings: Record<string, string>): Promise<ServiceHere> {
    const { DATABASE_URL = '', SECRET_KEY = '' } = asked.env
    const service = await startServiceHere({ TRUST_PROXY: '1', ...settings, DATABASE_URL, SECRET_KEY })
    scope.after(() => service.close())
    return service
  }

  async function operatorAt(service: AskedService) {
    const browser = openBrowser(service.url)
    const { status } = await browser.send('POST', '/auth/sign-in', {
      email: operator.email,
      password: PASSWORD,
    })
    assert.equal(status, 204)
    return browser
  }

  const server = (changes = {}) => ({
    ...{ host: '127.0.0.1', port: smtp.port, security: 'off', verifies_certificate: false },
    ...{ user: 'relay', password: SECRET as string | null, ...changes },
  })
  const show = async (by: Pick<Person, 'send'> = operator) => (await by.send('GET', PATH)).body.data
  const save = (body: unknown) => operator.send('PATCH', PATH, body)

  async function tested(body: unknown) {
    const { status, body: answer } = await operator.send('POST', TESTS, body)
    assert.equal(status, 201, JSON.stringify(answer))
    const { id } = answer.data
    return until('the test to end', async () => {
      const { data } = (await operator.send('GET', `${TESTS}/${id}`)).body
      return ['sent', 'failed', 'gone'].includes(data.state) && data
    })
  }

  it('are seen, changed and tested by operators alone', async () => {
    const people = peopleOf(asked)
    const { id: team, owner } = await people.team()
    await accounts.addMember(asked.services, { team, email: operator.email, role: 'admin' })
    const { token } = await operator.data(team, 'POST', '/api-tokens', { name: 'of an operator' })
    const withToken = (method: string, path: string, body?: object) =>
      fetch(asked.url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    for (const [method, path, body] of [
      ['GET', PATH],
      ['PATCH', PATH, { mail_from: 'a@example.com' }],
      ['POST', TESTS, { mail_server: null, mail_from: null }],
      ['GET', `${TESTS}/1`],
    ] as const) {
      assertProblem(await owner.send(method, path, body), 403)
      assert.equal((await people.stranger().send(method, path, body)).status, 401)
      assert.equal((await withToken(method, path, body)).status, 401, 'a token of an operator')
    }
    const { site_url, mail_server, mail_from } = await show()
    assert.deepEqual(site_url, {
      value: asked.services.siteUrl,
      source: 'default',
      default: asked.services.siteUrl,
    })
    assert.deepEqual(mail_server, { value: null, source: 'default' })
    assert.equal(mail_from.source, 'default')
  })

  it('are refused with the field that is wrong', async () => {
    for (const [body, field] of [
      [{ site_url: 'up.example.com' }, 'site_url'],
      [{ site_url: 'https://up.example.com/below' }, 'site_url'],
      [{ mail_from: 'nobody' }, 'mail_from'],
      [{ mail_server: server({ host: 'smtp.example.com/x' }) }, 'mail_server.host'],
      [{ mail_server: server({ host: 'smtp.example.com:25' }) }, 'mail_server.host'],
      [{ mail_server: server({ port: 0 }) }, 'mail_server.port'],
    ] as const) {
      assertInvalid(await save(body), [field])
    }
    assertInvalid(await operator.send('POST', TESTS, { mail_server: null, mail_from: null }), ['mail_server'])
  })

  it('are tried by a mail to the operator before they are saved, which another process sends', async () => {
    const result = await tested({ mail_server: server(), mail_from: 'Tests <tests@example.com>' })
    assert.equal(result.state, 'sent', result.detail)
    const [mail] = arrived(smtp)
    assert.deepEqual([mail?.to, mail?.from, mail?.user], [[operator.email], 'tests@example.com', 'relay'])
    assert.equal((await show()).mail_server.value, null)
    const { rows } = await asked.services.db.pool.query('SELECT settings FROM mail_tests')
    assert.deepEqual(rows, [{ settings: null }])
  })

  it('say why a test failed, in the words of the server but for the password', async (t) => {
    const wrong = 'another password'
    const refused = await tested({ mail_server: server({ password: wrong }), mail_from: null })
    assert.deepEqual([refused.state, refused.status_code], ['failed', 535])
    assert.match(refused.detail, /no such login: relay \*{8}/)
    const nobody = await tested({ mail_server: server({ port: await closedPort(t) }), mail_from: null })
    assert.match(nobody.detail, /connection refused by 127\.0\.0\.1/)
    const log = asked.output() + other.output()
    assert.ok(!log.includes(wrong) && log.includes('mail settings tested'))
  })

  it('reach every process at once, with all that is made of them', async () => {
    const elsewhere = await operatorAt(other)
    const text = async (path: string) => (await fetch(other.url + path)).text()
    const before = await text('/api/v1/openapi.json')
    assert.ok(!before.includes(SITE))
    const saved = await save({ site_url: `${SITE}/`, mail_server: server() })
    assert.equal(saved.status, 200, JSON.stringify(saved.body))
    assert.ok(!JSON.stringify(saved.body).includes(SECRET))
    const seen = await until('the other process to go by it', async () => {
      const found = await show(elsewhere)
      return found.site_url.value === SITE && found
    })
    const { value, source } = saved.body.data.site_url
    assert.deepEqual([value, source], [SITE, 'saved'])
    assert.deepEqual(seen.mail_server, saved.body.data.mail_server)
    assert.deepEqual(seen.mail_server, {
      value: {
        ...{ host: '127.0.0.1', port: smtp.port, security: 'off', verifies_certificate: false },
        ...{ user: 'relay', has_password: true },
      },
      source: 'saved',
    })
    assert.equal(seen.mail_from.value, 'Upbeat <upbeat@up.example.com>')
    const options = (await elsewhere.send('GET', '/auth/options')).body.data
    assert.deepEqual([options.mail, options.site_url, options.docs_url], [true, SITE, `${SITE}/docs`])
    const oauth = JSON.parse(await text('/.well-known/oauth-authorization-server'))
    assert.equal(oauth.issuer, SITE)
    assert.ok((await text('/api/v1/openapi.json')).includes(SITE))
    assert.ok((await text('/docs/llms.txt')).includes(SITE))
    await openBrowser(other.url).send('POST', '/auth/password-reset', { email: operator.email })
    const letter = await until('a letter by the new server', () =>
      arrived(smtp).find(({ from }) => from === 'upbeat@up.example.com'),
    )
    assert.ok(letter.text.includes(`${SITE}/set-password/`), letter.text)
  })

  it('are sealed in the database, and in no log', async () => {
    const { rows } = await asked.services.db.pool.query('SELECT s::text AS row FROM service_settings s')
    assert.match(rows[0].row, /v2\./)
    assert.ok(![SECRET, encodeURIComponent(SECRET), 'relay'].some((text) => rows[0].row.includes(text)))
    const log = asked.output() + other.output()
    assert.ok(log.includes(`settings changed: the public address is ${SITE}`))
    assert.ok(![SECRET, encodeURIComponent(SECRET)].some((text) => log.includes(text)))
  })

  it('keep a password for its own server and user alone', async () => {
    assert.equal(
      (await save({ mail_server: server({ password: null, security: 'opportunistic' }) })).status,
      200,
    )
    assert.equal((await tested({ mail_server: server({ password: null }), mail_from: null })).state, 'sent')
    for (const changes of [{ host: 'localhost' }, { user: 'ada' }, { port: 25 }]) {
      const elsewhere = server({ password: null, ...changes })
      assertInvalid(await save({ mail_server: elsewhere }), ['mail_server.password'])
      assertInvalid(await operator.send('POST', TESTS, { mail_server: elsewhere, mail_from: null }), [
        'mail_server.password',
      ])
    }
  })

  it('stay over a restart, and are of no weight where the environment has them', async () => {
    await other.stop()
    await other.start()
    assert.equal((await show(await operatorAt(other))).site_url.value, SITE)
    const given = {
      SITE_URL: 'http://given.example.com',
      SMTP_URL: 'smtp://ada:a-given-secret@127.0.0.1:2525',
    }
    const fixed = await operatorAt(await besideIt({ ROLES: 'api', ...given }))
    const shown = await show(fixed)
    assert.deepEqual(shown.site_url, {
      ...{ value: given.SITE_URL, source: 'environment', default: given.SITE_URL },
    })
    assert.deepEqual([shown.mail_server.source, shown.mail_server.value.user], ['environment', 'ada'])
    assert.ok(!JSON.stringify(shown).includes('a-given-secret'))
    assertInvalid(await fixed.send('PATCH', PATH, { site_url: SITE }), ['site_url'])
    assertInvalid(await fixed.send('PATCH', PATH, { mail_server: server() }), ['mail_server'])
    assert.equal((await fixed.send('PATCH', PATH, { mail_from: 'Ops <ops@example.com>' })).status, 200)
    assert.equal((await show(fixed)).mail_from.value, 'Ops <ops@example.com>')
  })

  it('are taken away again, which leaves the defaults', async () => {
    const { body } = await save({ site_url: null, mail_server: null, mail_from: null })
    const { site_url, mail_server, mail_from } = body.data
    assert.deepEqual(
      [site_url.source, mail_server, mail_from.source],
      ['default', { value: null, source: 'default' }, 'default'],
    )
    assert.equal((await operator.send('GET', '/auth/options')).body.data.mail, false)
  })
})

// npm test leaves this out: it sends secrets through everything that takes one, and searches the whole database (seconds of a core).
import '../../support/records/invented-option.ts'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { saveSettings } from '../../../src/store/accounts/service-settings.ts'
import { PASSWORD } from '../../support/browser/people.ts'
import { columnsOfKind } from '../../support/postgres/stored-columns.ts'
import { PASSPHRASE } from '../../support/records/invented-option.ts'
import { changeRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { secretsIn } from '../../support/secret-forms.ts'
import { type Receiver, replyWith, startReceiver } from '../../support/servers/receivers.ts'
import { startHttp } from '../../support/servers/targets.ts'
import { ask } from '../../support/services/http.ts'
import { operatorAt } from '../../support/services/remote-command.ts'
import { type ServiceHere, startServiceHere } from '../../support/services/service-here.ts'
import { createWatchedTeam, SECRETS, type WatchedTeam } from '../../support/services/watched-team.ts'
import { type Browser, openBrowser } from '../../support/sign-in/cookie-browser.ts'
import { codeOf } from '../../support/sign-in/totp.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const GIVEN = {
  smtpPassword: 'sMtPpAsSwOrD0123456789',
  oidcSecret: 'oIdCsEcReT0123456789',
  metricsToken: 'mEtRiCsToKeN0123456789',
  phone: '+15558675310',
  query: 'qUeRySeCrEt0123456789',
  echoedQuery: 'eChOeDsEcReT0123456789',
  location: 'lOcAtIoNsEcReT0123456789',
  subscriber: 'subscriber-4711@example.org',
  subscriberHook: 'sUbScRiBeRhOoK0123456789',
  recipient: 'recipient-4711@example.org',
  pushEndpoint: 'pUsHeNdPoInT0123456789',
  pushSecret: 'BTBZMqHH6r4Tts7J_aSIgg',
  pagePassword: 'pAgEpAsSwOrD0123456789',
  trialPassword: 'tRiAlPaSsWoRd0123456789',
  savedSmtpPassword: 'sAvEdSmTpPaSs0123456789',
  option: 'oPtIoNsEcReT0123456789',
  clientSecret: 'cLiEnTsEcReT0123456789',
  bearer: 'bEaReRtOkEn0123456789',
  proxyPassword: 'pRoXyPaSsWoRd0123456789',
}
/** Columns that are empty at the end of this test: tests of settings are made, and their settings go. */
const EMPTIED = ['mail_tests.settings', 'trial_checks.settings']
/** Those that a target repeats, or answers with. */
const URL_SECRETS = ['query', 'echoedQuery', 'location'] as const

describe('planted secrets', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let team: WatchedTeam
  let owner: Browser
  let receiver: Receiver
  const urls: string[] = []
  const secrets: Record<string, string> = { ...GIVEN, ...SECRETS }

  before(async () => {
    service = await startServiceHere({
      SMTP_URL: `smtp://robot:${GIVEN.smtpPassword}@127.0.0.1:1`,
      MAIL_FROM: 'upbeat@example.com',
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'upbeat',
      OIDC_CLIENT_SECRET: GIVEN.oidcSecret,
      METRICS_TOKEN: GIVEN.metricsToken,
      LOG_LEVEL: 'debug',
    })
    scope.after(() => service.close())
    team = await createWatchedTeam(service, scope)
    owner = openBrowser(service.url)
    await send('POST', '/auth/sign-in', { email: team.people.owner.email, password: PASSWORD })
    Object.assign(secrets, {
      session: owner.cookie().replace(/^.*?=/, ''),
      apiToken: team.token,
      signingSecret: team.signingSecret,
      switchAddress: lastOf(team.switchAddress, -2),
      calendarAddress: lastOf(team.calendarAddress),
      scheduleAddress: lastOf(team.scheduleAddress),
      feedsAddress: new URL(team.feedsAddress).searchParams.get('token') ?? lastOf(team.feedsAddress),
    })
    await send('PATCH', '/auth/person', { phone: GIVEN.phone })
    await plantMonitors()
    await plantStatusPage()
    await plantOthers()
    await until('nothing new is sent any more', async () => {
      const open = await rows(`SELECT id FROM deliveries WHERE state = 'pending' AND attempts = 0`)
      return open.length === 0
    })
  })

  const rows = async (text: string) => (await service.services.db.pool.query(text)).rows
  const lastOf = (address: string, at = -1) => new URL(address).pathname.split('/').at(at) ?? ''

  async function send(method: string, path: string, body?: unknown) {
    const answer = await owner.send(method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body?.data
  }
  const make = (method: string, path: string, body?: unknown) =>
    send(method, `/app/teams/${team.id}${path}`, body)
  const api = async (method: string, path: string, body?: unknown) => {
    const answer = await service.call(team.token, method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body?.data
  }

  async function plantMonitors() {
    const redirecting = await startHttp(scope, (request, response) => {
      const location = `http://[not/an/address?token=${GIVEN.location}`
      if (request.url?.startsWith('/redirect')) response.writeHead(302, { location }).end()
      else
        response
          .writeHead(503, { location })
          .end(`no page at ${request.url}, you asked for ${decodeURI(request.url ?? '')}`)
    })
    const at = (path: string) => `http://127.0.0.1:${redirecting.port}${path}`
    receiver = await startReceiver(scope, replyWith(204))
    const config = { url: `${receiver.url}/hook` }
    const hook = await api('POST', '/notification-contacts', { name: 'Hook', type: 'webhook', config })
    const quiet = { check_interval_minutes: 60, notification_contact_ids: [hook.id] }
    urls.push(at(`/echo?key=${GIVEN.echoedQuery}`), at(`/redirect?key=${GIVEN.query}`))
    for (const [index, url] of urls.entries()) {
      const { id } = await api('POST', '/monitors', { name: `Query ${index}`, type: 'http', url, ...quiet })
      await until(
        `monitor ${id} is down`,
        async () => (await api('GET', `/monitors/${id}`)).status === 'down',
      )
    }
    const options = { [PASSPHRASE]: GIVEN.option }
    await api('POST', '/monitors', { name: 'Guarded', type: 'http', url: at('/guarded'), ...quiet, options })
    const oauth2 = {
      type: 'oauth2',
      token_url: at('/token'),
      client_id: 'me',
      client_secret: GIVEN.clientSecret,
    }
    const proxy = `http://me:${GIVEN.proxyPassword}@127.0.0.1:${redirecting.port}`
    const ways = [{ auth: oauth2 }, { auth: { type: 'bearer', token: GIVEN.bearer } }, { proxy }]
    for (const [index, options] of ways.entries()) {
      const body = { name: `Way ${index}`, type: 'http', url: at('/way'), ...quiet, options }
      const { id } = await api('POST', '/monitors', body)
      await until(
        `monitor ${id} is down`,
        async () => (await api('GET', `/monitors/${id}`)).status === 'down',
      )
    }
    const job = await api('POST', '/monitors', { name: 'Pinged', type: 'heartbeat', ...quiet })
    secrets.heartbeat = job.heartbeat_token
    assert.equal((await ask(`${service.url}/ping/${job.heartbeat_token}`, { method: 'POST' })).status, 204)
    const target = { url: at('/trial'), username: 'robot', password: GIVEN.trialPassword }
    const settings = { name: 'Trial', type: 'http', check_interval_minutes: 60, ...target }
    const { id } = await make('POST', '/monitor-trials', settings)
    await until('the test of settings is made', async () => {
      const open = await rows(`SELECT id FROM trial_checks WHERE id = ${id} AND result IS NULL`)
      return open.length === 0
    })
  }

  async function plantStatusPage() {
    const settings = { name: 'Open status', slug: 'planted', allows_subscribers: true }
    const { id } = await make('POST', '/status-pages', settings)
    await make('PUT', `/status-pages/${id}/layout`, {
      items: [{ component: { monitor_id: team.shop, name: 'Shop' } }],
    })
    await make('PUT', `/status-pages/${id}/password`, { password: GIVEN.pagePassword })
    await make('POST', `/status-pages/${id}/publish`)
    const form = `${service.url}/status/planted/subscribe`
    await until('the page is served', async () => (await ask(form)).status === 200)
    const fields = [
      ['email', GIVEN.subscriber],
      ['webhook_url', `https://hooks.example.com/${GIVEN.subscriberHook}`],
    ]
    for (const field of fields) {
      const body = new URLSearchParams([field]).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: service.url }
      assert.equal((await ask(form, { method: 'POST', body, headers })).status, 200)
    }
    await changeRows(service.services.db, 'status_subscribers', {}, { confirmed_at: new Date() })
    const update = { phase: 'investigating', body: 'Orders leave late.' }
    await make('POST', `/status-pages/${id}/posts`, { kind: 'incident', title: 'Late', update }).then(
      (post) => make('POST', `/status-posts/${post.id}/publish`, {}),
    )
  }

  async function plantOthers() {
    await api('POST', '/notification-contacts', {
      ...{ name: 'Browser', type: 'webpush', notify_on_down: false, notify_on_recovery: false },
      config: {
        endpoint: `https://push.example.net/push/${GIVEN.pushEndpoint}`,
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: GIVEN.pushSecret,
      },
    })
    await make('GET', '/push-key')
    const { db, vault } = service.services
    // Where the environment has a mail server, none can be saved by the dashboard.
    await saveSettings(db.query, vault, {
      smtpUrl: `smtp://robot:${GIVEN.savedSmtpPassword}@127.0.0.1:1`,
    })
    await accounts.setOperator(service.services, { email: team.people.owner.email, isOperator: true })
    const tried = await send('POST', '/auth/mail-tests', { mail_server: null, mail_from: null })
    await until('the mail server is tested', async () => {
      const open = await rows(`SELECT id FROM mail_tests WHERE id = ${tried.id} AND result IS NULL`)
      return open.length === 0
    })
    secrets.server = lastOf((await make('POST', `/servers/${team.server}/token`)).address)
    const report = await make('POST', '/reports', { name: 'Month', time_zone: 'UTC', all_subjects: true })
    await make('POST', `/reports/${report.id}/recipients`, { email: GIVEN.recipient })
    const operator = operatorAt(service.env)
    const made = await operator.run(['probe', 'create', '--region', 'nyc', '--name', 'attic'])
    secrets.probeToken = made.out.trim()
    operator.close()
    const invited = await make('POST', '/invitations', { email: 'invited-4711@example.org', role: 'viewer' })
    secrets.invitation = new URL(invited.link).hash.slice(1)
    const begun = await send('POST', '/auth/totp', { password: PASSWORD })
    secrets.totp = begun.secret
    const { recovery_codes: codes } = await send('POST', '/auth/totp/confirm', { code: codeOf(begun.secret) })
    secrets.recoveryCode = codes[0]
  }

  it('are more than fifteen, all different, and found wherever they stand', () => {
    const planted = Object.values(secrets)
    assert.ok(planted.length >= 30, String(planted.length))
    assert.deepEqual(
      planted.filter((secret) => secret.length < 9),
      [],
    )
    assert.equal(new Set(planted).size, planted.length)
    for (const [name, secret] of Object.entries(secrets)) {
      const written = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex')]
      for (const before of ['', 'a', 'ab'])
        written.push(Buffer.from(`${before}${secret}xyz`).toString('base64'))
      for (const text of written)
        assert.deepEqual(secretsIn(`{"a":"${text}"}`, { [name]: secret }), [name], text)
    }
  })

  it('are given as they were given by the API, the dashboard and alerts', async () => {
    const monitors: { name: string; url: string }[] = await api('GET', '/monitors')
    const given = monitors.filter(({ name }) => name.startsWith('Query')).map(({ url }) => url)
    assert.deepEqual(given, urls)
    const shown: { name: string; target: string }[] = await make('GET', '/monitor-rows?search=Query')
    assert.deepEqual(shown.map(({ target }) => target).toSorted(), urls.toSorted())
    const told = receiver.requests.map(({ body }) => JSON.parse(body) as { name: string; target: string })
    const targets = told.filter(({ name }) => name.startsWith('Query')).map(({ target }) => target)
    assert.deepEqual(targets.toSorted(), urls.toSorted())
    assert.equal((await send('GET', '/auth/session')).user.phone, GIVEN.phone)
  })

  it('are in no table', async () => {
    const tables = await rows(
      `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
       AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
    )
    const found: string[] = []
    for (const { name } of tables) {
      const [{ stored }] = await rows(
        `SELECT coalesce(string_agg(row_to_json(t)::text, '\n'), '') AS stored FROM ${name} t`,
      )
      found.push(...secretsIn(stored, secrets).map((secret) => `${secret} in ${name}`))
    }
    assert.deepEqual(found, [])
  })

  it('are sealed in every column that says so, and hashed in the others', async () => {
    const empty: string[] = []
    for (const column of columnsOfKind('sealed')) {
      const [table, name] = column.split('.')
      const values = await rows(`SELECT ${name} AS value FROM ${table} WHERE ${name} IS NOT NULL`)
      if (values.length === 0) empty.push(column)
      for (const { value } of values) assert.match(value, /^v2\.[0-9a-f]{8}\.[\w-]+$/, column)
    }
    assert.deepEqual(empty, EMPTIED, 'plant something in a new sealed column')
    for (const column of columnsOfKind('hashed')) {
      const [table, name] = column.split('.')
      for (const { value } of await rows(`SELECT ${name} AS value FROM ${table} WHERE ${name} IS NOT NULL`)) {
        if (typeof value === 'string') assert.match(value, /^\$argon2id\$|^[\w-]{43}$/, column)
        else assert.equal(value.length, 32, column)
      }
    }
    for (const column of columnsOfKind('vacated')) {
      const [table, name] = column.split('.')
      assert.deepEqual(await rows(`SELECT ${name} FROM ${table} WHERE ${name} IS NOT NULL`), [], column)
    }
  })

  it('are not in the log', () => {
    assert.match(service.output(), /ready at/)
    assert.deepEqual(secretsIn(service.output(), secrets), [])
  })

  it('are not in a backup', async (t) => {
    const folder = await temporaryFolder(t)
    const operator = operatorAt(service.env, folder)
    t.after(() => operator.close())
    const ran = await operator.run(['backup', 'all.upbeat'])
    assert.equal(ran.status, 0, ran.err)
    const backup = gunzipSync(await readFile(join(folder, 'all.upbeat'))).toString('latin1')
    assert.match(backup, /Rack one/, 'it is readable as such')
    assert.deepEqual(secretsIn(backup, secrets), [])
  })

  it('are in an export only as far as monitors and contacts have them, for those who may see them', async (t) => {
    const operator = operatorAt(service.env)
    t.after(() => operator.close())
    const exported = async (token: string) => {
      const ran = await operator.run(['export'], { environment: { url: service.url, token } })
      assert.equal(ran.status, 0, ran.err)
      return secretsIn(ran.out, secrets).toSorted()
    }
    const ofContacts = ['pushEndpoint', 'pushSecret', 'slack', 'telegram', 'webhook']
    const ofMonitors = ['echoedQuery', 'header', 'query']
    assert.deepEqual(await exported(team.token), [...ofContacts, ...ofMonitors].toSorted())
  })

  it('are not in the audit log, in the delivery log, or in the log of an account', async () => {
    const answers = [
      await make('GET', '/audit-log'),
      await make('GET', '/deliveries'),
      await send('GET', '/auth/log'),
    ]
    assert.match(JSON.stringify(answers), /Olga/)
    assert.deepEqual(secretsIn(JSON.stringify(answers), secrets), [])
  })

  it('are in no metrics', async () => {
    const ofService = await ask(`${service.url}/metrics`, {
      headers: { authorization: `Bearer ${GIVEN.metricsToken}` },
    })
    const ofTeam = await ask(`${service.url}/api/v1/metrics`, {
      headers: { authorization: `Bearer ${team.token}` },
    })
    assert.deepEqual([ofService.status, ofTeam.status], [200, 200])
    const metrics = `${ofService.text}\n${ofTeam.text}`
    assert.match(metrics, /upbeat_/)
    assert.deepEqual(secretsIn(metrics, secrets), [])
  })

  it('are in no answer that refuses something', async () => {
    const refused: [string | null, string, string, unknown?][] = [
      [null, 'GET', '/monitors'],
      [`${team.token}x`, 'GET', '/monitors'],
      [team.token, 'GET', '/monitors/999999'],
      [team.token, 'POST', '/monitors', {}],
      [
        team.token,
        'POST',
        '/monitors',
        { name: 'A', type: 'http', url: 'nonsense', notification_contact_ids: [999] },
      ],
      [team.token, 'PATCH', `/monitors/${team.shop}`, { type: 'ssl', http_method: 'SING' }],
      [team.token, 'PATCH', `/notification-contacts/${team.webhook}`, { config: { url: 'nonsense' } }],
      [team.token, 'POST', '/notification-contacts', { name: 'A', type: 'telegram', config: {} }],
      [team.token, 'BREW', '/monitors'],
    ]
    for (const [token, method, path, body] of refused) {
      const answer = await service.call(token, method === 'BREW' ? 'DELETE' : method, path, body)
      assert.ok(answer.status >= 400, `${method} ${path}: ${answer.status}`)
      assert.deepEqual(secretsIn(JSON.stringify(answer.body), secrets), [], `${method} ${path}`)
    }
    const wrong = await openBrowser(service.url).send('POST', '/auth/sign-in', {
      email: team.people.owner.email,
      password: 'wrong',
    })
    assert.equal(wrong.status, 401)
    assert.deepEqual(secretsIn(JSON.stringify(wrong.body), secrets), [])
  })

  it('are masked where a failed check repeats them', async () => {
    const answers = await rows('SELECT answer::text AS answer FROM failing_answers')
    const causes = await rows('SELECT cause FROM team_incidents')
    const text = JSON.stringify([answers, causes])
    assert.match(text, /you asked for \/echo\?\*{8}/)
    assert.match(text, /redirect to an address that cannot be followed: http:\/\/\[not\/an\/address\?\*{8}/)
    assert.deepEqual(
      URL_SECRETS.filter((name) => text.includes(GIVEN[name])),
      [],
    )
  })
})

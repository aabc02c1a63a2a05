import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContactType } from '../../../src/core/alerting/contact-types.ts'
import { createUser, signingSecret } from '../../../src/operations/accounts/operator-accounts.ts'
import { keptChecks } from '../../support/records/recorded-checks.ts'
import type { Scope } from '../../support/scope.ts'
import { makeSubscription } from '../../support/servers/push-service.ts'
import { replyWith, startReceiver } from '../../support/servers/receivers.ts'
import { vendorSettings } from '../../support/servers/strict-receivers.ts'
import { startHttp } from '../../support/servers/targets.ts'
import { documentedFetch } from '../../support/services/documented.ts'
import type { TestService } from '../../support/services/service.ts'
import { teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

const TABLES = [
  'users',
  'tokens',
  'teams',
  'contacts',
  'monitors',
  'deliveries',
  'delivery_attempts',
  'checks',
]

/** Secrets that a service is told, by its settings and by people, and that nobody may read. */
export type Secrets = {
  settings: Record<string, string>
  /** Tells them to the service in all the ways that could make it print them. */
  tell(service: TestService): Promise<void>
  /** Looks for them in all that it has printed and stored; it has gone on with them since they were told. */
  assertHidden(service: TestService): Promise<void>
}

/** Hex, so that it stands in no text by chance and needs no escape in any. */
const secret = (bytes = 12) => randomBytes(bytes).toString('hex')

export async function makeSecrets(scope: Scope): Promise<Secrets> {
  const receiver = await startReceiver(scope, replyWith(500, 'no'))
  const broken = await startHttp(scope, (request) => request.socket.destroy())
  const smtpPassword = secret()
  const secretKey = secret()
  const metricsToken = secret()
  const hook = secret()
  const botToken = `123456:${secret()}`
  const ntfyToken = secret()
  const gotifyToken = secret()
  const matrixToken = secret()
  const routingKey = secret(16)
  const appToken = secret(15)
  const userKey = secret(15)
  const accountSid = `AC${secret(16)}`
  const authToken = secret(16)
  const password = secret()
  const header = secret()
  const browser = makeSubscription()
  const accountPassword = secret()
  const known: Record<string, string> = {
    smtpPassword,
    secretKey,
    metricsToken,
    hook,
    botToken,
    ntfyToken,
    gotifyToken,
    matrixToken,
    routingKey,
    appToken,
    userKey,
    accountSid,
    authToken,
    password,
    header,
    accountPassword,
    browserKey: browser.keys.p256dh,
    browserSecret: browser.keys.auth,
  }
  /** Checks that fail are made with them again and again. */
  let goesOn = async () => {}

  async function tell(service: TestService) {
    const client = await teamClient(service)
    const team = await service.createTeam()
    const configs = {
      webhook: { url: `${receiver.url}/${hook}` },
      slack: { webhook_url: `${receiver.url}/${hook}` },
      discord: { webhook_url: `${receiver.url}/${hook}` },
      telegram: { bot_token: botToken, chat_id: '1' },
      ntfy: { topic_url: `${receiver.url}/${hook}`, token: `tk_${ntfyToken}` },
      gotify: { server_url: receiver.url, app_token: gotifyToken },
      teams: { webhook_url: `${receiver.url}/${hook}` },
      googlechat: { webhook_url: `${receiver.url}/x?key=${hook}` },
      mattermost: { webhook_url: `${receiver.url}/${hook}` },
      matrix: { homeserver_url: receiver.url, access_token: matrixToken, room_id: '!a:example.org' },
      pagerduty: { routing_key: routingKey },
      pushover: { app_token: appToken, user_key: userKey },
      sms: { account_sid: accountSid, auth_token: authToken, from: '+15017122661', to: '+15558675310' },
      // A receiver that nobody is, as below.
      webpush: { endpoint: `https://push.invalid/${hook}`, ...browser.keys },
    } satisfies Record<Exclude<ContactType, 'email'>, Record<string, string>>
    const contacts = [
      ...Object.entries(configs).map(([type, config]) => ({ name: type, type, config })),
      { name: 'nobody', type: 'webhook', config: { url: `http://127.0.0.1:1/${hook}` } },
    ]
    for (const contact of contacts) await client.data('POST', '/notification-contacts', contact)
    // Malformed requests are the ones that programs like to print.
    await client.ask('POST', '/monitors', { password: [password], request_headers: { 'x y': header } })
    await client.ask('POST', '/monitors', `{"password": "${password}`)
    await documentedFetch(`${service.url}/api/v1/team`, {
      headers: { authorization: `Bearer ${team.owner}x` },
    })

    const { id } = await client.monitor({
      url: `http://127.0.0.1:${broken.port}/`,
      request_headers: { 'X-Key': header },
      username: 'ann',
      password,
    })
    const job = await client.monitor({ type: 'heartbeat', check_interval_seconds: 1 })
    await documentedFetch(`${service.url}/ping/${job.heartbeat_token}`)
    await client.untilStatus(id, 'down')
    await client.untilStatus(job.id, 'down')
    const { set_password_url } = await createUser(service.services, {
      email: 'x@example.com',
      name: 'X',
      password: null,
    })
    await fetch(String(set_password_url).replace(/^.*\/set-password/, `${service.url}/set-password`), {
      method: 'POST',
      body: new URLSearchParams({ password: accountPassword }),
    })
    const { signing_secret } = await signingSecret(service.services, client.teamId, false)
    Object.assign(known, {
      token: team.owner,
      signing: signing_secret,
      heartbeatToken: job.heartbeat_token ?? '',
      link: String(set_password_url).slice(-32),
    })
    goesOn = async () => {
      const { length } = await keptChecks(service, id)
      await until('another check', async () => (await keptChecks(service, id)).length > length)
    }
  }

  return {
    settings: {
      LOG_LEVEL: 'trace',
      SECRET_KEY: secretKey,
      METRICS_TOKEN: metricsToken,
      SMTP_URL: `smtp://upbeat:${smtpPassword}@127.0.0.1:1`,
      ...vendorSettings(receiver.url),
    },
    tell,
    async assertHidden(service) {
      await goesOn()
      const { pool } = service.services.db
      const stored = await Promise.all(
        TABLES.map(async (table) => JSON.stringify((await pool.query(`SELECT * FROM ${table}`)).rows)),
      )
      const log = await readFile(join(service.dataDir, 'postgres.log'), 'utf8')
      assert.match(service.output(), /alert not sent/, 'there was something to print')
      for (const [name, value] of Object.entries(known)) {
        assert.ok(value.length >= 12, name)
        assert.ok(!service.output().includes(value), `${name} stands in the output`)
        assert.ok(!stored.join().includes(value), `${name} is readable in the database`)
        assert.ok(!log.includes(value), `${name} stands in the log of the database`)
      }
    },
  }
}

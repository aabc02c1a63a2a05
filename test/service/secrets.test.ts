import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createUser, signingSecret } from '../../src/operations/accounts.ts'
import { documentedFetch } from '../support/documented.ts'
import { replyWith, startReceiver } from '../support/receivers.ts'
import { startTestService } from '../support/service.ts'
import { startHttp } from '../support/targets.ts'
import { teamClient } from '../support/team-client.ts'

/** Hex, so that it stands in no text by chance and needs no escape in any. */
const secret = () => randomBytes(12).toString('hex')

test('no secret stands in the output of the service, nor readable in its database', async (t) => {
  const receiver = await startReceiver(t, replyWith(500, 'no'))
  const smtpPassword = secret()
  const secretKey = secret()
  const metricsToken = secret()
  const service = await startTestService({
    LOG_LEVEL: 'trace',
    SECRET_KEY: secretKey,
    METRICS_TOKEN: metricsToken,
    SMTP_URL: `smtp://upbeat:${smtpPassword}@127.0.0.1:1`,
    TELEGRAM_API_URL: receiver.url,
  })
  t.after(() => service.close())
  const client = await teamClient(service)
  const team = await service.createTeam()
  const hook = secret()
  const botToken = `123456:${secret()}`
  const password = secret()
  const header = secret()
  const accountPassword = secret()
  const contacts = [
    { name: 'a', type: 'webhook', config: { url: `${receiver.url}/${hook}` } },
    { name: 'b', type: 'slack', config: { webhook_url: `${receiver.url}/${hook}` } },
    { name: 'c', type: 'discord', config: { webhook_url: `${receiver.url}/${hook}` } },
    { name: 'd', type: 'telegram', config: { bot_token: botToken, chat_id: '1' } },
    // A receiver that nobody is.
    { name: 'e', type: 'webhook', config: { url: `http://127.0.0.1:1/${hook}` } },
  ]
  for (const contact of contacts) await client.data('POST', '/notification-contacts', contact)
  // Malformed requests are the ones that programs like to print.
  await client.ask('POST', '/monitors', { password: [password], request_headers: { 'x y': header } })
  await client.ask('POST', '/monitors', `{"password": "${password}`)
  await documentedFetch(`${service.url}/api/v1/team`, { headers: { authorization: `Bearer ${team.owner}x` } })

  const broken = await startHttp(t, (request) => request.socket.destroy())
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
  await service.signal('SIGTERM')
  await service.start()
  await client.untilChecks(id, 3)

  const { db } = service.services
  const tables = [
    'users',
    'tokens',
    'teams',
    'contacts',
    'monitors',
    'deliveries',
    'delivery_attempts',
    'checks',
  ]
  const stored = await Promise.all(
    tables.map(async (table) => JSON.stringify((await db.pool.query(`SELECT * FROM ${table}`)).rows)),
  )
  const signing = (await signingSecret(service.services, client.teamId, false)).signing_secret
  const secrets = {
    token: team.owner,
    hook,
    botToken,
    password,
    header,
    accountPassword,
    smtpPassword,
    secretKey,
    metricsToken,
    signing,
    heartbeatToken: job.heartbeat_token ?? '',
    link: String(set_password_url).slice(-32),
  }
  const log = await readFile(join(service.dataDir, 'postgres.log'), 'utf8').catch(() => '')
  assert.match(service.output(), /alert not sent/, 'there was something to print')
  for (const [name, value] of Object.entries(secrets)) {
    assert.ok(value.length >= 12, name)
    assert.ok(!service.output().includes(value), `${name} stands in the output`)
    assert.ok(!stored.join().includes(value), `${name} is readable in the database`)
    assert.ok(!log.includes(value), `${name} stands in the log of the database`)
  }
})

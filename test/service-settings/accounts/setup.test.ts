import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ownAddresses } from '../../../src/roles/own-addresses.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { commander } from '../../support/services/remote-command.ts'
import { type ServiceHere, startServiceHere } from '../../support/services/service-here.ts'
import { until } from '../../support/until.ts'

const ACCOUNT = { email: 'ann@example.com', name: 'Ann', team: 'Acme', password: 'a long password' }

/** The secret of the newest set-up link that was printed. */
const printedLink = (service: AskedService) =>
  until('the set-up link is printed', () => service.output().match(/\/setup#([\w-]+)(?!.*\/setup#)/s)?.[1])

const post = (service: AskedService, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/setup`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
    redirect: 'manual',
  })

describe('the set-up link', () => {
  let service: ServiceHere
  let link: string

  before(async () => {
    service = await startServiceHere({ ROLES: 'api', HOST: '0.0.0.0' })
    link = await printedLink(service)
  })
  after(() => service.close())

  it('is printed with the addresses of the machine, while the service is called localhost', () => {
    const addresses = ownAddresses({ host: '0.0.0.0', port: Number(new URL(service.url).port) })
    assert.ok(addresses.length > 0)
    for (const address of addresses) assert.ok(service.output().includes(`  ${address}`), address)
    assert.match(
      service.output(),
      /alerts.* point to http:\/\/localhost:\d+ until you set the public address/,
    )
  })

  it('leads to a form that runs no script but its own and is not kept', async () => {
    const page = await fetch(`${service.url}/setup`)
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'.*script-src 'self'/)
    assert.doesNotMatch(policy, /unsafe/)
    const text = await page.text()
    for (const field of ['link', ...Object.keys(ACCOUNT)]) assert.match(text, new RegExp(`name="${field}"`))
    assert.doesNotMatch(text, /<script>|<script [^>]*>[^<]/)
    assert.ok(!text.includes(link))
    const [, source = ''] = /<script src="([^"]+)"/.exec(text) ?? []
    const script = await fetch(new URL(source, `${service.url}/setup`))
    assert.deepEqual(
      [script.status, script.headers.get('content-type')],
      [200, 'text/javascript; charset=utf-8'],
    )
  })

  it('alone makes an account, from no page of another site', async () => {
    const wrong = await post(service, { ...ACCOUNT, link: 'x'.repeat(32) })
    assert.equal(wrong.status, 422)
    assert.match(await wrong.text(), /This link does not work/)
    assert.equal((await post(service, { ...ACCOUNT })).status, 422)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      assert.equal((await post(service, { ...ACCOUNT, link }, headers as Record<string, string>)).status, 403)
  })

  it('names each wrong field and keeps what was right, but for the password', async () => {
    const answer = await post(service, { ...ACCOUNT, link, email: 'ann', password: 'short', name: '<b>' })
    assert.equal(answer.status, 422)
    const text = await answer.text()
    assert.match(text, /Must be an e-mail address/)
    assert.match(text, /Must have at least 8 characters/)
    assert.match(text, /value="&lt;b&gt;"/)
    assert.ok(text.includes(link) && !text.includes('"short"'))
    const german = await post(service, { ...ACCOUNT, link, password: 'short' }, { 'accept-language': 'de' })
    assert.match(await german.text(), /role="alert">Muss mindestens 8 Zeichen haben</)
  })

  it('is refused a form that is too large', async () => {
    assert.equal((await post(service, { ...ACCOUNT, link, name: 'x'.repeat(20_000) })).status, 413)
  })

  it('works over restarts, each start printing one of its own', async () => {
    await service.stop()
    await service.start()
    const second = await until('another link is printed', async () => {
      const newest = await printedLink(service)
      return newest !== link && newest
    })
    assert.notEqual(second, link)
  })

  it('makes the operator an account and a team on the business plan once, even when used twice at once', async () => {
    // As it was printed, or its code alone.
    const links = [link, `${service.url}/setup#${link}`, ` ${link} `]
    const answers = await Promise.all(
      links.map((given) => post(service, { ...ACCOUNT, link: given }, { origin: service.url })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404, 404])
    const made = answers.find(({ status }) => status === 303)
    assert.match(made?.headers.get('location') ?? '', /^\/teams\/\d+\/welcome$/)
    const cookie = made?.headers.get('set-cookie') ?? ''
    assert.match(cookie, /^upbeat_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    const { rows } = await service.services.db.pool.query(
      `SELECT u.email, u.name, u.is_operator, t.name AS team, t.plan, m.role, c.type, count(s.id) AS sessions
       FROM users u JOIN members m ON m.user_id = u.id JOIN teams t ON t.id = m.team_id
       JOIN contacts c ON c.team_id = t.id LEFT JOIN sessions s ON s.user_id = u.id AND s.team_id = t.id
       GROUP BY u.id, t.id, m.role, c.type`,
    )
    const { email, name, team } = ACCOUNT
    assert.deepEqual(rows, [
      { email, name, is_operator: true, team, plan: 'business', role: 'owner', type: 'email', sessions: 1 },
    ])
  })

  it('is dead from then on, and no start prints another', async () => {
    assert.equal((await fetch(`${service.url}/setup`)).status, 404)
    assert.equal((await post(service, { ...ACCOUNT, email: 'b@example.com', link })).status, 404)
    const links = () => service.output().match(/\/setup#/g)?.length
    const before = links()
    await service.stop()
    // A start is over once it has printed the link, if there is one.
    await service.start()
    assert.equal(links(), before)
  })
})

it('a set-up link dies when the command line makes an account; under https its cookie is for https only', async (t) => {
  const service = await startServiceHere({
    ROLES: 'api',
    HOST: '0.0.0.0',
    SITE_URL: 'https://up.example.com',
  })
  t.after(() => service.close())
  const link = await printedLink(service)
  assert.match(service.output(), /https:\/\/up\.example\.com\/setup#/)
  assert.doesNotMatch(service.output(), /Other machines/, 'who set it knows it')
  const other = await startServiceHere({ ROLES: 'api', SITE_URL: 'https://up.example.com' })
  t.after(() => other.close())
  const made = await post(
    other,
    { ...ACCOUNT, link: await printedLink(other) },
    { origin: 'https://up.example.com' },
  )
  assert.match(
    made.headers.get('set-cookie') ?? '',
    /^__Host-upbeat_session=.*; Path=\/; HttpOnly; SameSite=Lax; Secure;/,
  )

  const created = [
    'user',
    'create',
    '--email',
    'bob@example.com',
    '--name',
    'Bob',
    '--password',
    'a long password',
  ]
  const operator = commander(service.services)
  t.after(async () => operator.close())
  assert.equal((await operator.run(created)).status, 0)
  assert.equal((await post(service, { ...ACCOUNT, link }, { origin: 'https://up.example.com' })).status, 404)
})

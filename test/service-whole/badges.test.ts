import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { formatUptime } from '../../src/core/percent.ts'
import { HELD_MS, holdWindow, windowOf } from '../support/records/rate-limit-windows.ts'
import { suiteScope } from '../support/scope.ts'
import { type SwitchTarget, startSwitchTarget } from '../support/servers/switch-target.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { assertInvalid, assertProblem } from '../support/services/api-problems.ts'
import type { Answer, AskedService } from '../support/services/asked-service.ts'
import { documentedAsk } from '../support/services/documented.ts'
import type { Sent } from '../support/services/http.ts'
import { type SignedIn, signIn } from '../support/services/signed-in.ts'
import { SELDOM } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { clientAddress } from '../support/sign-in/cookie-browser.ts'
import { until } from '../support/until.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const FILES = ['status', 'uptime', 'response'].flatMap((kind) => [`${kind}.svg`, `${kind}.json`])
const PER_MINUTE = 300

describe('the badges of a monitor', () => {
  const scope = suiteScope()
  let service: AskedService
  let target: SwitchTarget
  let member: SignedIn

  before(async () => {
    service = await wholeService()
    target = await startSwitchTarget(scope)
    member = await signIn(service, (await service.createTeam()).id)
  })

  async function newMonitor(changes: object = {}): Promise<{ id: number; badge: string }> {
    const settings = { ...MONITORS.http, url: target.url, ...SELDOM, ...changes }
    const { id } = (await member.ask('POST', '/monitors', settings)).data
    const { badge_url: url } = (await member.ask('GET', `/monitors/${id}/report`)).data
    return { id, badge: url.replace(service.services.siteUrl, '') }
  }

  /** From an address of its own, so that no limit is used up by looking again and again. */
  async function ask(path: string, options: Sent = {}): Promise<Answer> {
    const headers = { 'x-forwarded-for': clientAddress(), ...options.headers }
    const { text, ...answer } = await documentedAsk(service.url + path, { ...options, headers })
    const isJson = answer.headers.get('content-type')?.includes('json')
    return { ...answer, body: isJson && text ? JSON.parse(text) : text }
  }

  const say = async (badge: string, file: string): Promise<string> =>
    (await ask(`${badge}/${file}`)).body.message
  const untilSaid = (badge: string, file: string, message: string) =>
    until(`${file} says ${message}`, async () => (await say(badge, file)) === message)

  /** A request of its own: as if the one before were long ago. */
  async function checkNow(id: number): Promise<void> {
    await service.services.db.pool.query(
      `UPDATE monitors SET check_requested_at = check_requested_at - interval '1 minute' WHERE id = $1`,
      [id],
    )
    await member.ask('POST', `/monitors/${id}/check-now`)
  }

  it('have an address of their own, which has nothing of the monitor in it', async () => {
    const one = await newMonitor()
    const other = await newMonitor()
    for (const { badge } of [one, other]) assert.match(badge.replace('/badge/', ''), UUID)
    assert.notEqual(one.badge, other.badge)
  })

  it('follow the monitor through its life', async () => {
    target.status = 200
    const { id, badge } = await newMonitor({ is_active: false })
    assert.equal(await say(badge, 'status.json'), 'paused')
    assert.equal(await say(badge, 'uptime.json'), 'no data')
    assert.equal(await say(badge, 'response.json'), 'no data')

    await member.ask('PATCH', `/monitors/${id}`, { is_active: true })
    await untilSaid(badge, 'status.json', 'up')
    assert.equal(await say(badge, 'uptime.json'), '100 %')
    assert.match(await say(badge, 'response.json'), /^\d+ ms$/)

    target.status = 503
    await checkNow(id)
    await untilSaid(badge, 'status.json', 'down')
    for (const window of ['24h', '7d', '30d', '90d']) {
      const { body } = await ask(`${badge}/uptime.json?window=${window}`)
      assert.equal(body.label, `uptime ${window}`)
      assert.match(body.message, /^\d{1,2}\.\d\d %$/)
    }
    target.status = 200
    await checkNow(id)
    await untilSaid(badge, 'status.json', 'up')
    await member.ask('POST', `/monitors/${id}/toggle`)
    assert.equal(await say(badge, 'status.json'), 'paused')
    const { uptime } = (await member.ask('GET', `/monitors/${id}/report`)).data
    assert.ok(uptime['30d'] > 0 && uptime['30d'] < 1)
    assert.equal(await say(badge, 'uptime.json'), formatUptime(uptime['30d']))
  })

  it('are not found while the monitor is deleted, and the same after it is restored', async () => {
    const { id, badge } = await newMonitor()
    await untilSaid(badge, 'status.json', 'up')
    await member.ask('DELETE', `/monitors/${id}`)
    for (const file of FILES) await assertMissing(`${badge}/${file}`)
    await member.ask('POST', `/deleted-monitors/${id}/restore`)
    await untilSaid(badge, 'status.json', 'up')
    assert.equal(await say(badge, 'uptime.json'), '100 %')
  })

  it('are in the schema that shields.io reads', async () => {
    const { badge } = await newMonitor({ is_active: false })
    for (const file of FILES.filter((name) => name.endsWith('.json'))) {
      const { status, headers, body } = await ask(`${badge}/${file}`)
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/json'])
      assert.deepEqual(Object.keys(body), ['schemaVersion', 'label', 'message', 'color'])
      assert.equal(body.schemaVersion, 1)
      assert.match(body.color, /^#[0-9a-f]{6}$/)
    }
  })

  it('are pictures that say what they show to those who do not see them', async () => {
    const { badge } = await newMonitor({ is_active: false })
    const { status, headers, body } = await ask(`${badge}/status.svg`)
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml'])
    assert.match(body, /^<svg [^>]*aria-label="status: paused"/)
    assert.doesNotMatch(body, /<script|<style|\sstyle=|href=/)
  })

  it('may be shown by any page, and are kept for a minute', async () => {
    const { badge } = await newMonitor({ is_active: false })
    for (const file of FILES) {
      const { headers } = await ask(`${badge}/${file}`)
      assert.equal(headers.get('cache-control'), 'public, max-age=60')
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
      assert.equal(headers.get('content-security-policy'), "default-src 'none'")
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('set-cookie'), null)
    }
  })

  it('are not sent again while they say the same', async () => {
    const { id, badge } = await newMonitor({ is_active: false })
    for (const file of ['status.svg', 'status.json']) {
      const etag = (await ask(`${badge}/${file}`)).headers.get('etag') ?? ''
      assert.match(etag, /^"\w+"$/)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const same = await ask(`${badge}/${file}`, { headers: { 'if-none-match': known } })
        assert.deepEqual([same.status, same.body, same.headers.get('etag')], [304, '', etag], known)
        assert.equal(same.headers.get('cache-control'), 'public, max-age=60')
        assert.equal(same.headers.get('access-control-allow-origin'), '*')
      }
      assert.equal((await ask(`${badge}/${file}`, { headers: { 'if-none-match': '"other"' } })).status, 200)
      await member.ask('PATCH', `/monitors/${id}`, { is_active: true })
      await until('it says something else', async () => {
        const { status } = await ask(`${badge}/${file}`, { headers: { 'if-none-match': etag } })
        return status === 200
      })
      await member.ask('PATCH', `/monitors/${id}`, { is_active: false })
    }
  })

  it('can be read by GET and HEAD, and changed by nothing', async () => {
    const { badge } = await newMonitor({ is_active: false })
    for (const file of FILES) {
      const [head, get] = [await ask(`${badge}/${file}`, { method: 'HEAD' }), await ask(`${badge}/${file}`)]
      assert.deepEqual([head.status, head.body], [200, ''])
      for (const name of ['etag', 'content-type', 'cache-control']) {
        assert.equal(head.headers.get(name), get.headers.get(name), name)
      }
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const refused = await ask(`${badge}/${file}`, { method })
        assertProblem(refused, 405)
        assert.equal(refused.headers.get('allow'), 'GET, HEAD')
      }
    }
  })

  it('are not found by an id that is none', async () => {
    const { id } = await newMonitor({ is_active: false })
    for (const wrong of [randomUUID(), id, 'x', '%00', "'", 'x'.repeat(2_000)]) {
      for (const file of FILES) await assertMissing(`/badge/${wrong}/${file}`)
    }
    const { badge } = await newMonitor({ is_active: false })
    for (const path of [badge, `${badge}/other.svg`, `${badge}/status`, `${badge}/status.png`]) {
      assertProblem(await ask(path), 404)
    }
  })

  it('carry the label that is asked for, as text', async () => {
    const { badge } = await newMonitor({ is_active: false })
    const label = `Shop & <script>alert("1")</script>'s 日本 👍`
    const query = `?label=${encodeURIComponent(label)}`
    for (const kind of ['status', 'uptime', 'response']) {
      assert.equal((await ask(`${badge}/${kind}.json${query}`)).body.label, label)
      const { body } = await ask(`${badge}/${kind}.svg${query}`)
      assert.ok(
        body.includes('Shop &amp; &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&apos;s 日本 👍'),
        body,
      )
      assert.doesNotMatch(body, /<script/)
    }
    assert.equal((await ask(`${badge}/status.json?label=`)).body.label, 'status')
  })

  it('refuse what they do not take, by its name', async () => {
    const { badge } = await newMonitor({ is_active: false })
    const table: [query: string, field: string][] = [
      ['window=1y', 'window'],
      [`label=${'x'.repeat(65)}`, 'label'],
      ['label=%20', 'label'],
      ['label=a%0Ab', 'label'],
      ['label=a%EF%BF%BE', 'label'],
    ]
    for (const [query, field] of table) {
      assertInvalid(await ask(`${badge}/uptime.json?${query}`), [field])
      const { status, headers, body } = await ask(`${badge}/uptime.svg?${query}`)
      assert.deepEqual([status, headers.get('cache-control')], [422, 'no-store'])
      assert.match(body, new RegExp(`^<svg [^>]*aria-label="uptime: invalid ${field}"`))
    }
    assert.deepEqual((await ask(`${badge}/uptime.json?window=`)).body.label, 'uptime 30d')
  })

  it('tell nothing of the monitor but what they are for', async () => {
    target.status = 503
    const settings = { name: 'Covert name', username: 'covert-user', password: 'covert-password' }
    const { id, badge } = await newMonitor(settings)
    await untilSaid(badge, 'status.json', 'down')
    const { cause, started_at: startedAt } = (await member.ask('GET', `/monitors/${id}`)).data.open_incident
    const secrets = ['Covert', 'covert', '127.0.0.1', cause, startedAt]
    for (const file of FILES) {
      const { headers, body } = await ask(`${badge}/${file}`)
      const answer = JSON.stringify([...headers]) + JSON.stringify(body)
      for (const secret of secrets) assert.ok(!answer.includes(secret), `${file}: ${secret}`)
    }
    target.status = 200
  })

  it('are limited for each address that asks, apart from its pings', async () => {
    const { badge } = await newMonitor({ is_active: false })
    const from = (address: string, file: string) =>
      ask(`${badge}/${file}`, { headers: { 'x-forwarded-for': address } })
    const key = 'badge-address:203.0.113.7'
    for (let count = 1; count <= 3; count++) {
      assert.equal((await from('203.0.113.7', 'status.json')).status, 200)
      assert.equal((await windowOf(service, key)).used, count)
    }
    await holdWindow(service, key, PER_MINUTE - 2)
    const answers = await Promise.all([1, 2, 3].map(() => from('203.0.113.7', 'status.json')))
    const refused = answers.filter(({ status }) => status !== 200)
    assert.equal(refused.length, 1)
    assertProblem(refused[0] as Answer, 429)
    const picture = await from('203.0.113.7', 'status.svg')
    assert.deepEqual([picture.status, picture.headers.get('cache-control')], [429, 'no-store'])
    assert.match(picture.body, /aria-label="status: too many requests"/)
    for (const { headers } of [refused[0] as Answer, picture]) {
      const wait = Number(headers.get('retry-after'))
      assert.ok(wait >= 1 && wait <= 60 + HELD_MS / 1_000, String(wait))
    }
    assert.equal((await from('203.0.113.8', 'status.svg')).status, 200)
    const ping = await ask(`/ping/${randomUUID()}`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
    assert.equal(ping.status, 404)
  })

  async function assertMissing(path: string): Promise<void> {
    const answer = await ask(path)
    if (path.endsWith('.json')) return assertProblem(answer, 404)
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [404, 'no-store'])
    assert.match(answer.body, /^<svg [^>]*aria-label="[\w ]+: not found"/)
  }
})

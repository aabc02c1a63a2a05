import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Check } from '../../src/core/monitors/check.ts'
import { startHttp, startSaying } from '../support/servers/targets.ts'
import { SELDOM, type TeamClient, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

/** The port of a service that nobody has any more, and below those that programs are given: nobody takes it meanwhile. */
const NOBODYS_PORT = 9
/** Longer than the shortest interval. */
const SLOW_MS = 1_200

describe('checks of web pages', { concurrency: true }, () => {
  let client: TeamClient

  before(async () => {
    const service = await wholeService()
    client = await teamClient(service)
  })

  /** A page's answer, the settings of the monitor, and the result of the check. */
  const table: {
    name: string
    status?: number
    body?: string
    settings?: Record<string, unknown>
    expected: Partial<Check>
  }[] = [
    { name: 'a page that answers 200 is up', expected: { status: 'up', http_status_code: 200 } },
    {
      name: 'another status is down, with what was expected',
      status: 503,
      expected: { status: 'down', http_status_code: 503, error_message: 'HTTP 503 (expected 200)' },
    },
    {
      name: 'every expected status is named',
      status: 503,
      settings: { expected_status_codes: [200, 204] },
      expected: { status: 'down', error_message: 'HTTP 503 (expected 200, 204)' },
    },
    {
      name: 'an expected 503 is up',
      status: 503,
      settings: { expected_status_codes: [503] },
      expected: { status: 'up', http_status_code: 503 },
    },
    {
      name: 'a body that contains the keyword is up',
      body: 'all is OK here',
      settings: { type: 'keyword', expected_keyword: 'OK' },
      expected: { status: 'up', http_status_code: 200 },
    },
    {
      name: 'a body without the keyword is down, with its size',
      body: 'x'.repeat(18_204),
      settings: { type: 'keyword', expected_keyword: 'OK' },
      expected: {
        status: 'down',
        http_status_code: 200,
        error_message: 'keyword "OK" not found in 18,204 bytes',
      },
    },
    {
      name: 'a keyword on a page of another status is down',
      status: 500,
      body: 'OK',
      settings: { type: 'keyword', expected_keyword: 'OK' },
      expected: { status: 'down', http_status_code: 500, error_message: 'HTTP 500 (expected 200)' },
    },
  ]
  for (const { name, status = 200, body = '', settings, expected } of table) {
    it(name, async (t) => {
      const target = await startHttp(t, (_, response) => response.writeHead(status).end(body))
      const { id } = await client.monitor({
        ...SELDOM,
        url: `http://127.0.0.1:${target.port}/`,
        ...settings,
      })
      const check = await client.untilJudged(id)
      assert.deepEqual(check, { ...check, error_message: null, region: 'lon', ...expected })
      assert.ok(Number.isInteger(check.response_time_ms), 'an answer has a time')
      const monitor = await client.untilStatus(id, check.status)
      assert.equal(monitor.open_incident?.cause ?? null, expected.error_message ?? null)
    })
  }

  it('a port without a listener is down, with the address', async () => {
    const { id } = await client.monitor({ ...SELDOM, url: `http://127.0.0.1:${NOBODYS_PORT}/` })
    const check = await client.untilJudged(id)
    assert.deepEqual(check, {
      checked_at: check?.checked_at,
      status: 'down',
      response_time_ms: null,
      http_status_code: null,
      region: 'lon',
      error_message: `connection refused by 127.0.0.1:${NOBODYS_PORT}`,
    })
  })

  it('a page that does not answer in time is down, with what was waited for', async (t) => {
    const target = await startHttp(t, () => {})
    const url = `http://127.0.0.1:${target.port}/`
    const { id } = await client.monitor({ ...SELDOM, url, request_timeout_seconds: 1 })
    const said = 'no answer within 1 s (connected, waiting for the first byte)'
    let check = await client.untilJudged(id)
    while (check.error_message !== said) {
      // For want of a processor, a second may be over before it is connected.
      assert.match(check.error_message ?? '', /^no answer within 1 s \((?!connected)/)
      check = await client.checkNow(id)
    }
    assert.equal(check.status, 'down')
  })

  it('an answer that is not HTTP is down', async (t) => {
    const target = await startSaying(t, 'SSH-2.0-OpenSSH_9.9\r\n')
    const { id } = await client.monitor({ ...SELDOM, url: `http://127.0.0.1:${target.port}/` })
    const check = await client.untilJudged(id)
    assert.equal(check?.status, 'down')
    assert.match(check?.error_message ?? '', /^invalid HTTP answer/)
  })

  it('method, headers and basic authentication reach the page', async (t) => {
    const seen: unknown[] = []
    const target = await startHttp(t, ({ method, headers }, response) => {
      seen.push({ method, authorization: headers.authorization, tenant: headers['x-tenant'] })
      response.end()
    })
    await client.monitor({
      ...SELDOM,
      url: `http://127.0.0.1:${target.port}/`,
      http_method: 'POST',
      request_headers: { 'X-Tenant': 'acme' },
      username: 'ann',
      password: 'pw',
    })
    await until('a request', () => seen.length > 0)
    const authorization = `Basic ${Buffer.from('ann:pw').toString('base64')}`
    assert.deepEqual(seen[0], { method: 'POST', authorization, tenant: 'acme' })
  })

  it('a redirect is followed and its end judged; an expected redirect is up at once', async (t) => {
    const target = await startHttp(t, ({ url }, response) => {
      if (url === '/old') response.writeHead(302, { location: '/new' }).end()
      else response.writeHead(503).end()
    })
    const url = `http://127.0.0.1:${target.port}/old`
    const followed = await client.monitor({ ...SELDOM, url })
    const expected = await client.monitor({ ...SELDOM, url, expected_status_codes: [302] })
    const codeOf = async (id: number) => (await client.untilJudged(id)).http_status_code
    assert.deepEqual([await codeOf(followed.id), await codeOf(expected.id)], [503, 302])
  })

  it('an IPv6 address is checked like any other', async (t) => {
    const target = await startHttp(t, (_, response) => response.end(), '::1')
    const { id } = await client.monitor({ ...SELDOM, url: `http://[::1]:${target.port}/` })
    await client.untilStatus(id, 'up')
  })

  it('the first check comes with the creation and with the resumption, not with the next tick', async (t) => {
    const target = await startHttp(t, (_, response) => response.end())
    const url = `http://127.0.0.1:${target.port}/`
    const { id } = await client.monitor({ ...SELDOM, url })
    await client.untilStatus(id, 'up')
    await client.data('POST', `/monitors/${id}/toggle`)
    const resumed = await client.data('POST', `/monitors/${id}/toggle`)
    assert.deepEqual([resumed.status, resumed.is_active], ['pending', true])
    await client.untilStatus(id, 'up')
  })

  it('the metadata services of clouds are refused even where private addresses are allowed', async () => {
    for (const host of ['169.254.169.254', '[fd00:ec2::254]', '[::ffff:169.254.169.254]', '2852039166']) {
      const url = `http://${host}/latest/meta-data`
      const monitor = { name: 'x', type: 'http', url, check_interval_minutes: 1 }
      const { status, body } = await client.ask('POST', '/monitors', monitor)
      assert.equal(status, 422, host)
      assert.deepEqual(Object.keys(body.errors), ['url'])
    }
  })

  it('two checks of one monitor are never under way at once, however slow the target', async (t) => {
    let underWay = 0
    let most = 0
    const target = await startHttp(t, async (_, response) => {
      most = Math.max(most, ++underWay)
      response.once('close', () => underWay--)
      await delay(SLOW_MS)
      response.end()
    })
    const { id } = await client.monitor({ url: `http://127.0.0.1:${target.port}/` })
    const checks = await client.untilChecks(id, 2)
    assert.ok(checks.every(({ status }) => status !== 'down'))
    assert.equal(most, 1)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Hono } from 'hono'
import { addMetrics } from '../../src/pages/metrics.ts'
import { parseExposition } from '../support/documents/exposition.ts'

const TOKEN = 'a token of the operator'.replaceAll(' ', '-')
const LEVEL = { name: 'level', help: 'One.', type: 'gauge' as const, samples: [{ labels: '', value: 1 }] }

function ask(
  token: string | null,
  peer: string,
  headers: Record<string, string> = {},
  method = 'GET',
  host = 'localhost',
) {
  const app = new Hono()
  const services = { docsUrl: '/docs', onBug: (error: unknown) => assert.fail(String(error)) }
  addMetrics(app, services, { token, peerOf: () => peer, read: async () => [LEVEL] })
  return app.request(`http://${host}/metrics`, { method, headers })
}

describe('/metrics', () => {
  for (const [peer, status] of [
    ['127.0.0.1', 200],
    ['127.8.9.10', 200],
    ['::1', 200],
    ['::ffff:127.0.0.1', 200],
    ['::ffff:10.0.0.1', 403],
    ['10.0.0.1', 403],
    ['203.0.113.7', 403],
    ['fe80::1%eth0', 403],
    ['', 403],
  ] as const) {
    it(`answers ${status} to ${peer || 'nobody'} without a token of the operator`, async () => {
      assert.equal((await ask(null, peer)).status, status)
    })
  }

  for (const name of [
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'via',
    'x-forwarded-host',
    'x-forwarded-proto',
  ]) {
    it(`is not for who stands behind a proxy on this machine, which adds ${name}`, async () => {
      const answer = await ask(null, '127.0.0.1', { [name]: '127.0.0.1' })
      assert.equal(answer.status, 403)
      assert.match(JSON.stringify(await answer.json()), /METRICS_TOKEN/)
    })
  }

  for (const [host, status] of [
    ['localhost:3000', 200],
    ['127.0.0.1:3000', 200],
    ['[::1]:3000', 200],
    ['status.example.com', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['10.0.0.1', 403],
  ] as const) {
    it(`answers ${status} to who asks this machine for ${host}`, async () => {
      assert.equal((await ask(null, '127.0.0.1', {}, 'GET', host)).status, status)
      const known = await ask(TOKEN, '127.0.0.1', { authorization: `Bearer ${TOKEN}` }, 'GET', host)
      assert.equal(known.status, 200)
    })
  }

  for (const [authorization, status] of [
    [`Bearer ${TOKEN}`, 200],
    [`bearer  ${TOKEN}`, 200],
    [`Bearer ${TOKEN}x`, 401],
    [`Bearer ${TOKEN.slice(0, -1)}`, 401],
    [`Basic ${TOKEN}`, 401],
    ['Bearer ', 401],
    [undefined, 401],
  ] as const) {
    it(`answers ${status} to ${authorization} where the operator has set a token`, async () => {
      for (const peer of ['127.0.0.1', '203.0.113.7']) {
        const answer = await ask(TOKEN, peer, authorization === undefined ? {} : { authorization })
        assert.equal(answer.status, status)
        if (status === 401) {
          assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
          assert.equal(answer.headers.get('content-type'), 'application/problem+json')
        }
      }
    })
  }

  it('answers in the format that is asked for, and HEAD', async () => {
    const plain = await ask(null, '::1')
    assert.equal(plain.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    assert.equal(plain.headers.get('cache-control'), 'no-store')
    assert.deepEqual([...parseExposition(await plain.text()).keys()], ['level'])
    const open = await ask(null, '::1', { accept: 'application/openmetrics-text; version=1.0.0' })
    const type = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
    assert.equal(open.headers.get('content-type'), type)
    assert.deepEqual([...parseExposition(await open.text(), 'openmetrics').keys()], ['level'])
    const head = await ask(null, '::1', {}, 'HEAD')
    assert.deepEqual([head.status, await head.text()], [200, ''])
  })

  it('refuses other methods', async () => {
    const { status, headers } = await ask(null, '::1', {}, 'POST')
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
  })
})

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import zlib from 'node:zlib'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import { startHttp } from '../support/servers/targets.ts'
import { check } from '../support/servers/targets-settings.ts'

type Reply = { status?: number; headers?: Record<string, string | string[]>; body?: string | Buffer }

const urlOf = ({ port }: { port: number }) => `http://127.0.0.1:${port}/`

/** The answer that a check keeps of one that is sent so. */
async function kept(
  scope: Parameters<typeof startHttp>[0],
  { status = 500, headers = {}, body = '' }: Reply,
  type: 'http' | 'keyword' = 'http',
  settings: Partial<ProbeSettings> = {},
) {
  const target = await startHttp(scope, (_, response: ServerResponse) => {
    response.writeHead(status, headers)
    response.end(body)
  })
  return (await check(type, { url: urlOf(target), ...settings })).answer
}

describe('a check that fails keeps the answer', () => {
  test('with status line, headers and text', async (t) => {
    const answer = await kept(t, {
      status: 503,
      headers: { 'X-Reason': 'deploy' },
      body: 'Back soon, naïve one',
    })
    assert.equal(answer?.status_line, 'HTTP/1.1 503 Service Unavailable')
    assert.ok(answer?.headers.some(({ name, value }) => name === 'X-Reason' && value === 'deploy'))
    assert.deepEqual(answer?.body, { kind: 'text', text: 'Back soon, naïve one', is_cut: false })
  })

  test('of a page without the keyword, decoded', async (t) => {
    const page = Buffer.from('<meta charset="latin1"><p>Café is closed', 'latin1')
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'text/html' }
    const answer = await kept(t, { status: 200, headers, body: zlib.gzipSync(page) }, 'keyword')
    assert.deepEqual(answer?.body, { kind: 'text', text: page.toString('latin1'), is_cut: false })
  })

  test('only up to 4 kB of the text', async (t) => {
    for (const [type, status] of [
      ['http', 500],
      ['keyword', 200],
    ] as const) {
      const answer = await kept(t, { status, body: 'x'.repeat(100_000) }, type)
      assert.deepEqual(answer?.body, { kind: 'text', text: 'x'.repeat(4_096), is_cut: true })
    }
  })

  test('as a test of settings keeps one that passes, and more of it', async (t) => {
    const body = `{"status":"ok","long":"${'x'.repeat(70_000)}"}`
    for (const [type, keyword] of [
      ['http', null],
      ['keyword', 'x"}'],
    ] as const) {
      const settings = { ...(keyword && { expected_keyword: keyword }) }
      assert.equal(await kept(t, { status: 200, body }, type, settings), undefined)
      const shown = await kept(t, { status: 200, body }, type, { ...settings, shows_answer: true })
      assert.deepEqual(shown?.body, { kind: 'text', text: body.slice(0, 65_536), is_cut: true })
    }
    const short = await kept(t, { status: 200, body: '{"a":1}' }, 'http', { shows_answer: true })
    assert.deepEqual(short?.body, { kind: 'text', text: '{"a":1}', is_cut: false })
    const slow = {
      assertions: [{ source: 'status_code', comparison: 'equals', target: 201, severity: 'degraded' }],
    }
    const warned = await kept(t, { status: 200, body: 'a' }, 'http', {
      shows_answer: true,
      options: slow as never,
    })
    assert.equal(warned?.body.text, 'a')
  })

  test('and says that a body is binary, empty or cannot be decoded', async (t) => {
    const binary = await kept(t, {
      headers: { 'Content-Type': 'image/png' },
      body: Buffer.from([137, 80, 0, 1, 2, 3]),
    })
    const empty = await kept(t, {})
    const broken = await kept(t, { headers: { 'Content-Encoding': 'gzip' }, body: 'no gzip' })
    const unknown = await kept(t, { headers: { 'Content-Encoding': 'smoke' }, body: 'x' })
    const tooMany = await kept(t, { headers: { 'Content-Encoding': 'br, br, br, br' }, body: 'x' })
    assert.deepEqual(
      [binary, empty, broken, unknown, tooMany].map((answer) => answer?.body.kind),
      ['binary', 'empty', 'unread', 'text', 'unread'],
    )
  })

  test('without waiting for a body that does not come', async (t) => {
    const target = await startHttp(t, (_, response: ServerResponse) => {
      response.writeHead(500)
      response.write('the beginning')
    })
    const { status, answer } = await check('http', { url: urlOf(target) })
    assert.equal(status, 'down')
    assert.deepEqual(answer?.body, { kind: 'text', text: 'the beginning', is_cut: true })
  })

  test('with the secrets of its monitor masked, however they are written', async (t) => {
    const password = 'p"<ss>&ö word'
    const token = 'tok-1234567890'
    const basic = Buffer.from(`ada:${password}`).toString('base64')
    const forms = [
      password,
      JSON.stringify(password).slice(1, -1),
      'p&quot;&lt;ss&gt;&amp;ö word',
      encodeURIComponent(password),
      encodeURIComponent(password).toLowerCase(),
      token,
      `Bearer ${token}`,
      basic,
    ]
    const settings: Partial<ProbeSettings> = {
      username: 'ada',
      password,
      request_headers: { 'X-Auth': `Bearer ${token}`, Accept: 'text/html' },
    }
    const headers = { Location: `/?t=${token}`, 'Content-Type': 'text/html' }
    for (const type of ['http', 'keyword'] as const) {
      const status = type === 'http' ? 500 : 200
      const answer = await kept(t, { status, headers, body: forms.join('\n') }, type, settings)
      assert.ok(answer)
      assert.deepEqual(answer.body, {
        kind: 'text',
        text: forms.map(() => '********').join('\n'),
        is_cut: false,
      })
      const shown = new Map(answer.headers.map(({ name, value }) => [name, value]))
      assert.deepEqual([shown.get('Location'), shown.get('Content-Type')], ['/?********', 'text/html'])
    }
  })

  test('with the query of its address masked where it is repeated', async (t) => {
    const query = 'key=s3cr3t-4711&q=tea'
    const body = `no /page?${query}, key s3cr3t-4711 is wrong, and so is tea`
    const target = await startHttp(t, (_, response) => response.writeHead(500).end(body))
    const { answer } = await check('http', { url: `${urlOf(target)}?${query}` })
    assert.equal(answer?.body.text, 'no /page?********, key ******** is wrong, and so is tea')
  })

  test('with no part of a secret at its end', async (t) => {
    const password = `${'0123456789'.repeat(90)}end`
    for (const [type, status] of [
      ['http', 500],
      ['keyword', 200],
    ] as const) {
      const answer = await kept(t, { status, body: password.repeat(200) }, type, { username: 'a', password })
      assert.ok(answer?.body.kind === 'text')
      assert.match(answer.body.text, /^(\*{8})*\**$/)
    }
  })
})

describe('a check that passes', () => {
  test('keeps no answer', async (t) => {
    assert.equal(await kept(t, { status: 200, body: 'OK' }), undefined)
    assert.equal(await kept(t, { status: 200, body: 'OK' }, 'keyword'), undefined)
  })
})

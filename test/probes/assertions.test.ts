import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import zlib from 'node:zlib'
import { Assertions } from '../../src/core/expectations/assertion.ts'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import type { ProbedType } from '../../src/core/monitors/monitor-types.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import { startHttp } from '../support/servers/targets.ts'
import { check } from '../support/servers/targets-settings.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const OPEN = { source: 'json', property: '$.open', comparison: 'equals', target: true }

type Reply = { status?: number; headers?: Record<string, string | string[]>; body?: string | Buffer }

/** Checks a server with this answer under assertions. */
async function checked(
  t: TestContext,
  { status = 200, headers = JSON_TYPE, body = '{"open":true}' }: Reply,
  assertions: object[],
  changes: Partial<ProbeSettings> & { type?: ProbedType } = {},
): Promise<CheckResult> {
  const target = await startHttp(t, (_, response) => response.writeHead(status, headers).end(body))
  const { type = 'http', ...settings } = changes
  return check(type, {
    url: `http://127.0.0.1:${target.port}/?key=a-secret-of-theirs`,
    options: { assertions: Assertions.parse(assertions) },
    ...settings,
  })
}

const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]

describe('a check with assertions', () => {
  it('is up when all of them are met', async (t) => {
    const all = [
      OPEN,
      { source: 'status_code', comparison: 'equals', target: 200 },
      { source: 'header', property: 'content-type', comparison: 'contains', target: 'json' },
      { source: 'body', comparison: 'matches', target: '"open": ?true' },
      { source: 'response_time_ms', comparison: 'at_least', target: 0 },
    ]
    assert.deepEqual(said(await checked(t, {}, all)), ['up', null])
  })

  it('is down by the first one that is not, with the answer', async (t) => {
    const result = await checked(t, { body: '{"open":false}' }, [OPEN])
    assert.deepEqual(said(result), ['down', '$.open is false (expected true)'])
    assert.ok(Number.isInteger(result.responseTimeMs))
    assert.deepEqual(result.answer?.body, { kind: 'text', text: '{"open":false}', is_cut: false })
  })

  it('is degraded by one that only warns', async (t) => {
    const result = await checked(t, { body: '{"open":false}' }, [{ ...OPEN, severity: 'degraded' }])
    assert.deepEqual(said(result), ['degraded', '$.open is false (expected true)'])
    assert.equal(result.unmet, true)
  })

  it('judges the status itself where one asks for it, after redirects', async (t) => {
    const failing = [{ source: 'status_code', comparison: 'less_than', target: 600 }]
    assert.deepEqual(said(await checked(t, { status: 503 }, failing)), ['up', null])
    const warning = [{ ...failing[0], target: 500, severity: 'degraded' }]
    assert.deepEqual(said(await checked(t, { status: 503 }, warning)), ['down', 'HTTP 503 (expected 200)'])
    const target = await startHttp(t, ({ url }, response) =>
      url === '/' ? response.writeHead(302, { Location: '/in' }).end() : response.writeHead(418).end(),
    )
    const result = await check('http', {
      url: `http://127.0.0.1:${target.port}/`,
      options: { assertions: Assertions.parse([{ ...failing[0], target: 400 }]) },
    })
    assert.deepEqual(said(result), ['down', 'HTTP 418 (expected less than 400)'])
  })

  it('reads bodies as they are encoded, and headers that come several times', async (t) => {
    const body = zlib.gzipSync(Buffer.from('{"name":"café"}', 'latin1'))
    const headers = {
      'Content-Type': 'application/json; charset=iso-8859-1',
      'Content-Encoding': 'gzip',
      'X-Part': ['a', 'b'],
    }
    const both = [
      { source: 'json', property: '$.name', comparison: 'equals', target: 'café' },
      { source: 'header', property: 'X-Part', comparison: 'equals', target: 'a, b' },
    ]
    assert.deepEqual(said(await checked(t, { headers, body }, both)), ['up', null])
  })

  it('says nothing that is a secret of the monitor', async (t) => {
    const echo = [{ source: 'body', comparison: 'equals', target: 'ok' }]
    const result = await checked(t, { body: 'it is a-secret-of-theirs' }, echo)
    assert.deepEqual(said(result), ['down', 'body is "it is ********" (expected "ok")'])
  })

  it('with a keyword needs both', async (t) => {
    const type = 'keyword'
    const found = { type, expected_keyword: 'open' } as const
    assert.deepEqual(said(await checked(t, {}, [OPEN], found)), ['up', null])
    const closed = { body: '{"open":false}' }
    assert.deepEqual(said(await checked(t, closed, [OPEN], found)), [
      'down',
      '$.open is false (expected true)',
    ])
    const absent = { type, expected_keyword: 'none' } as const
    const missing = 'keyword "none" not found in 13 bytes'
    assert.deepEqual(said(await checked(t, {}, [OPEN], absent)), ['down', missing])
    const headerOnly = [{ source: 'header', property: 'x-none', comparison: 'exists' }]
    assert.deepEqual(said(await checked(t, {}, headerOnly, found)), ['down', 'header x-none is missing'])
  })

  it('is down where a path takes more than its bound', async (t) => {
    const body = JSON.stringify(Array.from({ length: 100_001 }, () => 1))
    const result = await checked(t, { body }, [
      { source: 'json', property: '$[*]', comparison: 'exists', severity: 'degraded' },
    ])
    assert.deepEqual(said(result), ['down', '$[*] could not be evaluated within its bound'])
  })
})

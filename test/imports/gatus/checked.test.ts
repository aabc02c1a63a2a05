import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import { fromGatus, TERMS } from '../../support/imports/read-exports.ts'
import { startHttp } from '../../support/servers/targets.ts'
import { check } from '../../support/servers/targets-settings.ts'

type Reply = { status?: number; type?: string; body?: string }

const STATES = '{"status":"UP","users":[{"id":7}],"error":null}'

const TABLE: [conditions: string[], passing: Reply, failing: Reply, cause: string][] = [
  [['[STATUS] < 400'], { status: 204 }, { status: 404 }, 'HTTP 404 (expected at most 399)'],
  [
    ['[CONNECTED] == true', '[BODY] == pong'],
    { status: 500, body: ' pong\n' },
    { body: 'ping pong' },
    'body is "ping pong" (expected to match "^\\\\s*pong\\\\s*$")',
  ],
  [
    ['[BODY].status == UP'],
    { body: STATES },
    { body: '{"status":"DOWN"}' },
    '$.status is "DOWN" (expected "UP")',
  ],
  [['[BODY].users[0].id == 7'], { body: STATES }, { body: '{"users":[]}' }, '$.users[0].id is missing'],
  [
    ['len([BODY].users) > 0'],
    { body: STATES },
    { body: '{"users":[]}' },
    '$[?length($.users) > 0] is missing',
  ],
  [
    ['has([BODY].error) == false'],
    { body: STATES },
    { body: '{"error":"boom"}' },
    '$.error is "boom" (expected not to match "^$|[^nul]")',
  ],
  [
    ['[BODY] == pat(*well*)', '[BODY] != pat(*error*)'],
    { body: 'well' },
    { body: 'well, error' },
    'body is "well, error" (expected not to contain "error")',
  ],
  [
    ['[HEADER].Content-Type == pat(*json*)'],
    { type: 'application/json' },
    { type: 'text/html' },
    'header content-type is "text/html" (expected to contain "json")',
  ],
  [['[RESPONSE_TIME] < 5m'], {}, { status: 503 }, 'HTTP 503 (expected 200)'],
]

describe('a check of an endpoint that came from Gatus', () => {
  for (const [conditions, passing, failing, cause] of TABLE)
    it(`by ${conditions.join(' and ')} passes and fails as there`, async (t) => {
      const replies = [passing, failing]
      const target = await startHttp(t, (_, response) => {
        const { status = 200, type = 'text/plain', body = '' } = replies.shift() ?? {}
        response.writeHead(status, { 'Content-Type': type }).end(body)
      })
      const url = `http://127.0.0.1:${target.port}/`
      const asked = cause.includes('503') ? [...conditions, '[STATUS] == 200'] : conditions
      const [monitor] = fromGatus([{ endpoints: [{ name: 'One', url, conditions: asked }] }], TERMS)
        .declaration.monitors
      assert.ok(monitor && (monitor.type === 'http' || monitor.type === 'keyword'))
      const settings = {
        url,
        expected_status_codes: monitor.expected_status_codes ?? [200],
        expected_keyword: monitor.expected_keyword ?? null,
        options: MonitorOptions.parse(monitor.options ?? {}),
      }
      const [up, down] = [await check(monitor.type, settings), await check(monitor.type, settings)]
      assert.deepEqual([up.status, up.errorMessage], ['up', null])
      assert.deepEqual([down.status, down.errorMessage], ['down', cause])
    })
})

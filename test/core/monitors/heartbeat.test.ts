import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deadline, readPush, readSignal, reportedFailure } from '../../../src/core/monitors/heartbeat.ts'
import type { PingKind } from '../../../src/core/monitors/ping.ts'

describe('the path below the token of a ping', () => {
  const table: [suffix: string | undefined, kind: PingKind | null, exitStatus: number | null][] = [
    [undefined, 'success', null],
    ['', 'success', null],
    ['start', 'start', null],
    ['fail', 'fail', null],
    ['log', 'log', null],
    ['0', 'success', 0],
    ['000', 'success', 0],
    ['1', 'fail', 1],
    ['255', 'fail', 255],
    ['256', null, null],
    ['0000', null, null],
    ['-1', null, null],
    ['1.0', null, null],
    [' 1', null, null],
    ['Start', null, null],
    ['success', null, null],
  ]
  for (const [suffix, kind, exitStatus] of table) {
    test(`${JSON.stringify(suffix)} means ${kind ?? 'nothing'}`, () => {
      assert.deepEqual(readSignal(suffix), kind && { kind, exitStatus })
    })
  }
})

test('a job is late an interval after it was heard of', () => {
  assert.deepEqual(deadline(new Date('2026-11-21T09:30:00.250Z'), 90), new Date('2026-11-21T09:31:30.250Z'))
})

test('a failure that a job reports is told with its exit status', () => {
  assert.equal(reportedFailure(null), 'the job reported a failure')
  assert.equal(reportedFailure(3), 'the job ended with exit status 3')
})

test("a job's own words about its failure stand in the cause, on one line and bounded", () => {
  assert.equal(reportedFailure(null, 'disk full'), 'the job reported: disk full')
  assert.equal(reportedFailure(null, 'line 1\nline\u0000 2'), 'the job reported: line 1 line 2')
  assert.equal([...reportedFailure(null, '😀'.repeat(1_000))].length, 500)
})

describe('a push as Uptime Kuma takes it', () => {
  const UP = { kind: 'success', message: null, responseTimeMs: null }
  const table: [query: Record<string, string>, push: object][] = [
    [{}, UP],
    [
      { status: 'up', msg: 'OK', ping: '12.6' },
      { ...UP, message: 'OK', responseTimeMs: 13 },
    ],
    [
      { status: 'down', msg: 'disk full' },
      { ...UP, kind: 'fail', message: 'disk full' },
    ],
    [{ status: 'warning' }, { ...UP, kind: 'fail' }],
    [{ status: 'UP' }, { ...UP, kind: 'fail' }],
    [{ ping: '0' }, { ...UP, responseTimeMs: 0 }],
    [{ ping: '100000000' }, { ...UP, responseTimeMs: 100_000_000 }],
    [{ ping: '2147483647' }, { ...UP, responseTimeMs: 2_147_483_647 }],
    [{ ping: '12ms' }, { ...UP, responseTimeMs: 12 }],
    [{ ping: ' 1.5e3 ' }, { ...UP, responseTimeMs: 1_500 }],
    [{ ping: '1,5' }, { ...UP, responseTimeMs: 1 }],
  ]
  for (const [query, push] of table) {
    test(`?${new URLSearchParams(query)}`, () => assert.deepEqual(readPush(query), push))
  }

  for (const ping of ['', 'abc', 'NaN', 'Infinity', '-1', '2147483648', '100000000001', 'x'.repeat(10_000)]) {
    test(`ping=${ping.slice(0, 20)} is no time, and the job has run all the same`, () =>
      assert.deepEqual(readPush({ ping }), UP))
  }
})

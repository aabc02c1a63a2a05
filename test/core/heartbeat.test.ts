import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deadline, type PingKind, readSignal, reportedFailure } from '../../src/core/heartbeat.ts'

describe('what stands below the token of a ping', () => {
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

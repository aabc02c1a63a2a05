import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  longestSeconds,
  type Pace,
  paceOf,
  reportProgress,
  timeNotice,
} from '../../../src/cli/client/pace.ts'

const pace = (left: number): Pace => ({ perMinute: 60, left })

describe('how long the rate limit makes a command take', () => {
  const table: [requests: number, pace: Pace | null, seconds: number][] = [
    [0, pace(0), 0],
    [57, pace(57), 0],
    [58, pace(57), 60],
    [117, pace(57), 60],
    [118, pace(57), 120],
    [500, pace(57), 480],
    [500, pace(0), 540],
    [500, null, 0],
  ]
  for (const [requests, left, seconds] of table) {
    test(`${requests} requests with ${left?.left ?? 'no limit'} left: ${seconds} s`, () =>
      assert.equal(longestSeconds(requests, left), seconds))
  }

  test('is told before, with what else there is', () => {
    const [time, instead] = (timeNotice(500, pace(57)) ?? '').split('\n')
    assert.equal(time, '500 requests, of which the service takes 60 a minute: up to 8 min.')
    assert.match(instead ?? '', /--team ID --email YOU/)
    assert.equal(timeNotice(57, pace(57)), null)
    assert.equal(timeNotice(500, null), null)
  })

  test('is read from answers', () => {
    assert.deepEqual(paceOf({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' }), pace(0))
    for (const headers of [{}, { 'x-ratelimit-limit': '60' }, { 'x-ratelimit-limit': 'many' }]) {
      assert.equal(paceOf(headers), null)
    }
  })

  test('is told on the way, every 25, by what is left then', () => {
    const lines: string[] = []
    let left = 60
    const tell = reportProgress(
      100,
      () => pace(left),
      (line) => lines.push(line),
    )
    for (let sent = 0; sent < 100; sent++) {
      left = left === 0 ? 59 : left - 1
      tell()
    }
    assert.deepEqual(lines, [
      '25 of 100 done, up to 1 min left',
      '50 of 100 done, up to 1 min left',
      '75 of 100 done',
    ])
  })
})

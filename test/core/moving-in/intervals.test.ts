import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeSeconds, fitInterval } from '../../../src/core/moving-in/intervals.ts'
import { statusCodesOf } from '../../../src/imports/status-codes.ts'

describe('an interval', () => {
  const pro = { min_interval_minutes: 1, min_interval_seconds: 30 }
  const free = { min_interval_minutes: 5, min_interval_seconds: 300 }
  const table: [seconds: number, limits: typeof pro, minutes: number, exact: number | null][] = [
    [60, pro, 1, null],
    [3_600, pro, 60, null],
    [90, pro, 1, 90],
    [20, pro, 1, 30],
    [2.5, pro, 1, 30],
    [86_400, pro, 60, 86_400],
    [60, free, 5, null],
    [1_200, free, 15, 1_200],
    [40_000_000, pro, 60, 31_536_000],
  ]
  for (const [seconds, limits, minutes, exact] of table) {
    it(`of ${seconds} s from ${limits.min_interval_seconds} s on is ${minutes} min, exactly ${exact} s`, () => {
      const expected = { check_interval_minutes: minutes, check_interval_seconds: exact }
      assert.deepEqual(fitInterval(seconds, limits), expected)
    })
  }

  it('is told as people say it', () => {
    const told = [-5, 0, 0.2, 60, 90, 3_600, 90_001, 172_800].map(describeSeconds)
    assert.deepEqual(told, ['-5 s', '0 s', '1 s', '1 min', '1 min 30 s', '1 h', '1 day 1 h 1 s', '2 days'])
  })
})

describe('accepted status codes', () => {
  const ok = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226]
  const table: [accepted: string[], follows: boolean, codes: number[] | null][] = [
    [['200'], true, [200]],
    [['200', '404', '200'], true, [200, 404]],
    [['200-204'], true, [200, 201, 202, 203, 204]],
    [['200-299'], true, ok],
    [['2XX'], true, ok],
    [['301-308'], false, [301, 302, 303, 304, 305, 306, 307, 308]],
    [['200', '301'], true, [200]],
    [['301'], true, [301]],
    [['600-700'], true, null],
    [['all of them', '99', '1000'], true, null],
    [[], true, null],
  ]
  for (const [accepted, follows, codes] of table) {
    it(`${JSON.stringify(accepted)}${follows ? '' : ' without following redirects'}`, () => {
      assert.deepEqual(statusCodesOf(accepted, follows)?.codes ?? null, codes)
    })
  }

  it('are as many as a monitor takes, the registered ones, of all that there are', () => {
    const all = statusCodesOf(['100-599'], true)
    assert.deepEqual([all?.codes.length, all?.isShortened], [50, true])
    for (const code of [200, 304, 404, 500, 503]) assert.ok(all?.codes.includes(code), `${code}`)
  })
})

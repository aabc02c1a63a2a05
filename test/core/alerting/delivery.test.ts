import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { AlertEvent } from '../../../src/core/alerting/alert.ts'
import {
  isTriedOnce,
  judgeAnswer,
  nextDelaySeconds,
  parseRetryAfter,
} from '../../../src/core/alerting/delivery.ts'
import { isNotSetUp, MAIL_IS_NOT_SET_UP } from '../../../src/core/alerting/delivery-log.ts'

const DAY_SECONDS = 24 * 3_600
const NOW = new Date('2026-11-21T09:30:00Z')

describe('the wait before the next attempt', () => {
  const attempts = fc.integer({ min: 1, max: 2_000 })
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const age = fc.integer({ min: 0, max: 2 * DAY_SECONDS })
  const retryAfter = fc.option(fc.integer({ min: 0, max: 2 * DAY_SECONDS }))

  test('without jitter it starts at 5 s and doubles up to an hour', () => {
    const delays = Array.from({ length: 12 }, (_, i) => nextDelaySeconds(i + 1, 0, null, 0))
    assert.deepEqual(delays, [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600])
  })

  test('it is never under 5 s, and over an hour only by jitter or because the receiver asked', () => {
    fc.assert(
      fc.property(attempts, retryAfter, random, (attempts, retryAfter, random) => {
        const delay = nextDelaySeconds(attempts, 0, retryAfter, random)
        if (delay === null) return (retryAfter ?? 0) > DAY_SECONDS
        return delay >= 5 && delay >= (retryAfter ?? 0) && delay <= Math.max(3_600 * 1.2, retryAfter ?? 0)
      }),
    )
  })

  test('no attempt is ever planned later than 24 h after the alert', () => {
    fc.assert(
      fc.property(attempts, age, retryAfter, random, (attempts, age, retryAfter, random) => {
        const delay = nextDelaySeconds(attempts, age, retryAfter, random)
        return delay === null || age + delay <= DAY_SECONDS
      }),
    )
  })

  test('a delivery that always fails is given up within 24 h, in its last two hours, after some 30 attempts', () => {
    fc.assert(
      fc.property(fc.infiniteStream(random), (randoms) => {
        let age = 0
        let attempts = 1
        for (;;) {
          const delay = nextDelaySeconds(attempts, age, null, randoms.next().value)
          if (delay === null) break
          age += delay
          attempts++
        }
        return age <= DAY_SECONDS && age > DAY_SECONDS - 7_200 && attempts >= 28 && attempts <= 36
      }),
    )
  })
})

describe('an HTTP answer', () => {
  const table: [statusCode: number, kind: string][] = [
    [200, 'sent'],
    [201, 'sent'],
    [204, 'sent'],
    [299, 'sent'],
    [301, 'retry'],
    [307, 'retry'],
    [400, 'rejected'],
    [401, 'rejected'],
    [403, 'rejected'],
    [404, 'rejected'],
    [408, 'retry'],
    [410, 'rejected'],
    [422, 'rejected'],
    [425, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
    [599, 'retry'],
  ]
  for (const [statusCode, kind] of table) {
    test(`${statusCode} means ${kind}`, () => {
      assert.equal(judgeAnswer(statusCode, '', null).kind, kind)
    })
  }

  test('a retry keeps the wait that the receiver asked for', () => {
    assert.deepEqual(judgeAnswer(429, 'slow down', 30), {
      kind: 'retry',
      statusCode: 429,
      detail: 'slow down',
      retryAfterSeconds: 30,
    })
  })
})

test('a test is tried once, and no other alert is', () => {
  assert.deepEqual(AlertEvent.options.filter(isTriedOnce), ['test'])
})

describe('Retry-After', () => {
  const table: [header: string | null | undefined, seconds: number | null][] = [
    ['0', 0],
    ['120', 120],
    [' 7 ', 7],
    ['1.337', 2],
    ['Sat, 21 Nov 2026 09:31:30 GMT', 90],
    ['Saturday, 21-Nov-26 09:31:30 GMT', 90],
    ['Sat Nov 21 09:31:30 2026', 90],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['-5', null],
    ['1e3', null],
    ['soon', null],
    ['Soon, maybe', null],
    ['9999999999', null],
    ['', null],
    [null, null],
    [undefined, null],
  ]
  for (const [header, seconds] of table) {
    test(`${JSON.stringify(header)} means ${seconds}`, () => {
      assert.equal(parseRetryAfter(header, NOW), seconds)
    })
  }
})

describe('an alert by mail where there is no mail server', () => {
  const attempt = (detail: string) => ({
    ...{ attempt: 1, attempted_at: NOW.toISOString(), duration_ms: 1, outcome: 'rejected' as const },
    ...{ status_code: null, detail, advice: null },
  })
  test('is not set up, and what was refused for another reason has failed', () => {
    assert.ok(isNotSetUp({ state: 'failed', attempts: [attempt(MAIL_IS_NOT_SET_UP)] }))
    assert.ok(!isNotSetUp({ state: 'failed', attempts: [attempt(MAIL_IS_NOT_SET_UP), attempt('550 no')] }))
    assert.ok(!isNotSetUp({ state: 'pending', attempts: [] }))
  })
})

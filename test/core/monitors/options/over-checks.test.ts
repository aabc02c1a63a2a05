import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AnswerPart, Assertion } from '../../../../src/core/expectations/assertion.ts'
import { type JudgedAnswer, judge, type Unmet } from '../../../../src/core/expectations/evaluate.ts'
import { ofAnswer, percentile95, withTime } from '../../../../src/core/expectations/response-times.ts'
import { type CheckResult, resultWithout } from '../../../../src/core/monitors/check.ts'
import { inverted } from '../../../../src/core/monitors/options/inverted.ts'
import { judgeOverChecks } from '../../../../src/core/monitors/options/over-checks.ts'
import { randomFrom } from '../../../support/history/checks.ts'
import { UP } from '../../../support/probing/schedule-world.ts'

const SEED = 81
const under = (source: AnswerPart, target: number, severity: 'down' | 'degraded', property?: string) =>
  Assertion.parse({ source, comparison: 'less_than', target, severity, ...(property && { property }) })
const P95 = 'response_time_p95_ms'
const TIME = 'response_time_ms'

const PASSED: CheckResult = { ...UP, responseTimeMs: 900 }
const SLOW = [100, 200, 1_204, 900]
const OF_FOUR = '95th percentile of the last 4 checks is 1,204 ms (expected less than 800)'
const said = ({ status, errorMessage, unmet = false, expiry }: CheckResult) => [
  ...[status, errorMessage, unmet],
  ...(expiry === undefined ? [] : [expiry]),
]
const judged = (result: CheckResult, assertions: Assertion[], isInverted = false) =>
  judgeOverChecks(result, assertions, { times: SLOW, isInverted })

/** The result that a probe makes of what is not met. */
function resultOf(unmet: Unmet | null): CheckResult {
  if (!unmet) return PASSED
  const { severity: status, cause, at } = unmet
  return {
    ...{ ...PASSED, status, errorMessage: cause, unmetAt: at },
    ...(status === 'degraded' && { unmet: true }),
  }
}

describe('the 95th percentile', () => {
  it('is by nearest rank: the least time that 95 of 100 checks are not above', () => {
    const random = randomFrom(SEED)
    for (let checks = 2; checks <= 100; checks++) {
      const times = Array.from({ length: checks + 5 }, () => Math.floor(random() * 60))
      const last = times.slice(-checks)
      const share = (ms: number) => last.filter((one) => one <= ms).length / checks
      const expected = Math.min(...last.filter((ms) => share(ms) >= 0.95))
      assert.equal(percentile95(times, checks), expected, `${checks} of ${times}`)
    }
  })

  it('is of no fewer checks', () => {
    assert.equal(percentile95([1, 2, 3], 4), null)
    assert.equal(percentile95([9, 1, 2, 3], 3), 3)
  })

  it('is of the newest times, of which as many are kept as any assertion may be about', () => {
    const times = Array.from({ length: 250 }, (_, index) => index).reduce<number[]>(withTime, [])
    assert.deepEqual([times.length, times[0], times.at(-1)], [100, 150, 249])
  })
})

describe('a check by its own answer and those before', () => {
  const warns = under(P95, 800, 'degraded', '4')
  const fails = under(P95, 800, 'down', '4')

  it('fails or warns with the words for it, and keeps what was measured', () => {
    assert.deepEqual(judged(PASSED, [fails]), { ...PASSED, status: 'down', errorMessage: OF_FOUR })
    assert.deepEqual(judged(PASSED, [warns]), {
      ...{ ...PASSED, status: 'degraded', errorMessage: OF_FOUR, unmet: true },
    })
  })

  it('passes until there are as many checks', () => {
    assert.deepEqual(judged(PASSED, [under(P95, 800, 'down', '5'), under(P95, 800, 'down')]), PASSED)
  })

  it('keeps a failure for another reason, our own trouble, and no answer', () => {
    const refused = { ...PASSED, status: 'down', errorMessage: 'HTTP 503 (expected 200)' } as const
    for (const result of [refused, resultWithout('down', 'no answer'), resultWithout('pending', 'busy')])
      assert.deepEqual(judged(result, [fails]), result)
  })

  it('keeps the words about a certificate beside its own', () => {
    const expiring = { ...PASSED, status: 'degraded', errorMessage: 'expires soon' } as const
    assert.deepEqual(said(judged(expiring, [warns])), ['degraded', OF_FOUR, true, 'expires soon'])
    const both = { ...resultOf(judge([under(TIME, 1, 'degraded')], answerOf(900))), expiry: 'expires soon' }
    const ordered = [warns, under(TIME, 1, 'degraded')]
    assert.deepEqual(said(judged(both, ordered)), ['degraded', OF_FOUR, true, 'expires soon'])
    assert.deepEqual(judged(both, ordered.toReversed()), both)
  })

  it('is up upside down where it fails, and what only warns has no say', () => {
    const turned = inverted(PASSED)
    assert.deepEqual(said(judged(turned, [fails], true)), ['up', null, false])
    assert.deepEqual(judged(turned, [warns], true), turned)
    const failed = inverted(resultWithout('down', 'no answer'))
    assert.deepEqual(judged(failed, [fails], true), failed)
  })

  it('is judged in the order of all assertions, as if they were judged at once', () => {
    const random = randomFrom(SEED)
    const below = (most: number) => Math.floor(random() * most)
    let both = 0
    for (let run = 0; run < 5_000; run++) {
      const assertions = Array.from({ length: 1 + below(6) }, () => {
        const severity = random() < 0.5 ? 'down' : 'degraded'
        const target = 800 + 100 * below(5)
        return random() < 0.5
          ? under(TIME, target, severity)
          : under(P95, target, severity, String(2 + below(4)))
      })
      const times = Array.from({ length: 1 + below(6) }, () => 700 + 100 * below(6))
      const answer = answerOf(times.at(-1) ?? 0)
      const alone = judge(ofAnswer(assertions), answer)
      const atOnce = judge(assertions, { ...answer, responseTimes: times })
      if (alone && atOnce && alone.cause !== atOnce.cause) both++
      const result = { ...resultOf(alone), responseTimeMs: times.at(-1) ?? 0 }
      const found = judgeOverChecks(result, assertions, { times, isInverted: false })
      const { unmetAt: _, ...expected } = { ...resultOf(atOnce), responseTimeMs: result.responseTimeMs }
      const { unmetAt: __, ...rest } = found
      assert.deepEqual(rest, expected, JSON.stringify({ assertions, times }))
    }
    assert.ok(both > 100, 'the order mattered')
  })
})

function answerOf(responseTimeMs: number): JudgedAnswer {
  return {
    ...{ statusCode: 200, header: () => null, body: null, responseTimeMs },
    ...{ certificateDays: null, answer: null },
  }
}

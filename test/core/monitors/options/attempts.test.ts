import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CheckResult, resultWithout } from '../../../../src/core/monitors/check.ts'
import {
  type Attempts,
  type BeforeAttempt,
  countAttempt,
  NO_ATTEMPTS,
} from '../../../../src/core/monitors/options/attempts.ts'

const CAUSE = 'HTTP 503 (expected 200)'
const RETRY_MS = 20_000
const UP: CheckResult = { ...resultWithout('down', ''), status: 'up', errorMessage: null }
const RESULTS = {
  d: resultWithout('down', CAUSE),
  u: UP,
  w: { ...UP, status: 'degraded', errorMessage: 'certificate expires in 3 days' },
  p: resultWithout('pending', 'our network seems to be down'),
} as const satisfies Record<string, CheckResult>
type Letter = keyof typeof RESULTS

const at = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1_000)

/**
 * The results as they count, one every 20 s unless told otherwise: a number for an attempt, else the status as a letter. The status
 * follows as the verdict makes it.
 */
function follow(results: string, attempts: number | null, seconds = 20, begun: Partial<BeforeAttempt> = {}) {
  let before: BeforeAttempt = { status: 'up', passing: 0, ...NO_ATTEMPTS, ...begun }
  const said = [...results].map((letter, index) => {
    const result = RESULTS[letter as Letter]
    const counted = countAttempt(before, result, at(index * seconds), { attempts, retryMs: RETRY_MS })
    const { status, errorMessage } = counted.result
    const isJudged = status !== 'pending'
    before = { ...before, ...counted.attempts, ...(isJudged && { status, passing: 0 }) }
    const number = /, attempt (\d+) of \d+$/.exec(errorMessage ?? '')?.[1]
    assert.equal(number === undefined, counted.isLast, letter)
    return number ?? status[0]
  })
  return said.join('')
}

/** `d` down, `u` up, `w` up with a warning (degraded), `p` our own trouble. */
const TABLE: [results: string, attempts: number | null, counted: string, why: string][] = [
  ['ddu', null, 'ddu', 'without attempts the first failure counts'],
  ['ddu', 1, 'ddu', 'and so it does with one'],
  ['dddd', 3, '12dd', 'after the last attempt every failure counts'],
  ['ddudd', 3, '12u12', 'a pass begins anew'],
  ['dwd', 2, '1d1', 'a pass with a warning is a pass'],
  ['dpdpd', 3, '1p2pd', 'our own trouble is no attempt, and ends none'],
  ['pd', 2, 'p1', 'and begins none'],
  ['dddudd', 3, '12du12', 'once it was up again'],
  ['dddddddddd', 10, '123456789d', 'up to ten'],
]

describe('attempts', () => {
  for (const [results, attempts, counted, why] of TABLE) {
    it(`of ${results} with ${attempts ?? 'none'} are ${counted}: ${why}`, () => {
      assert.equal(follow(results, attempts), counted)
    })
  }

  it('are said with the cause, and the last failure says none', () => {
    const before: BeforeAttempt = { status: 'up', passing: 0, ...NO_ATTEMPTS }
    const patience = { attempts: 2, retryMs: RETRY_MS }
    const answer = { headers: [], body: 'x' } as unknown as NonNullable<CheckResult['answer']>
    const first = countAttempt(before, { ...RESULTS.d, httpStatusCode: 503, answer }, at(0), patience)
    assert.deepEqual(first, {
      result: {
        ...RESULTS.d,
        status: 'pending',
        httpStatusCode: 503,
        errorMessage: 'HTTP 503 (expected 200), attempt 1 of 2',
      },
      attempts: { failed: 1, nextAt: at(20) },
      isLast: false,
    })
    const last = countAttempt({ ...before, ...first.attempts }, RESULTS.d, at(20), patience)
    assert.deepEqual(last, { result: RESULTS.d, attempts: { failed: 2, nextAt: null }, isLast: true })
  })

  it('are said within the length of a cause', () => {
    const before: BeforeAttempt = { status: 'up', passing: 0, ...NO_ATTEMPTS }
    const long = countAttempt(before, resultWithout('down', 'é'.repeat(500)), at(0), {
      attempts: 10,
      retryMs: RETRY_MS,
    })
    const message = long.result.errorMessage ?? ''
    assert.equal([...message].length, 500)
    assert.match(message, /…, attempt 1 of 10$/)
  })

  it('come at the distance that is wanted: a failure before it counts once with the one before', () => {
    assert.equal(follow('ddddd', 3, 10), '1122d')
    assert.equal(follow('ddd', 3, 19), '112')
  })

  it('are not made of what is down already, and are again once it has begun to recover', () => {
    assert.equal(follow('d', 3, 20, { status: 'down' }), 'd')
    assert.equal(follow('ddd', 3, 20, { status: 'down', passing: 1 }), '12d')
  })

  it('count no further failure of what fails as planned', () => {
    const planned: Attempts = { failed: 3, nextAt: null }
    assert.equal(follow('d', 3, 20, { status: 'maintenance', ...planned }), 'd')
  })
})

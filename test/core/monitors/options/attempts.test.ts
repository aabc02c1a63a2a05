import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CheckResult, resultWithout } from '../../../../src/core/monitors/check.ts'
import {
  type Attempts,
  type BeforeAttempt,
  countAttempt,
  NO_ATTEMPTS,
} from '../../../../src/core/monitors/options/attempts.ts'
import { randomFrom } from '../../../support/history/checks.ts'

const CAUSE = 'HTTP 503 (expected 200)'
const RETRY_MS = 20_000
const SEED = 81
const UP: CheckResult = { ...resultWithout('down', ''), status: 'up', errorMessage: null }
const RESULTS = {
  d: resultWithout('down', CAUSE),
  u: UP,
  w: { ...UP, status: 'degraded', errorMessage: 'certificate expires in 3 days' },
  s: {
    ...UP,
    status: 'degraded',
    errorMessage: 'response took 900 ms (expected less than 800)',
    unmet: true,
  },
  p: resultWithout('pending', 'our network seems to be down'),
} as const satisfies Record<string, CheckResult>
type Letter = keyof typeof RESULTS

const KNOWN_UP: BeforeAttempt = { status: 'up', passing: 0, unmet: false, ...NO_ATTEMPTS }

const at = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1_000)

/**
 * The results as they count, one every 20 s unless told otherwise: a number for an attempt, else the status as a letter. The status
 * follows as the verdict makes it.
 */
function follow(results: string, attempts: number | null, seconds = 20, begun: Partial<BeforeAttempt> = {}) {
  let before: BeforeAttempt = { ...KNOWN_UP, ...begun }
  const said = [...results].map((letter, index) => {
    const result = RESULTS[letter as Letter]
    const counted = countAttempt(before, result, at(index * seconds), { attempts, retryMs: RETRY_MS })
    const { status, errorMessage } = counted.result
    const isJudged = status !== 'pending'
    const unmet = counted.result.unmet ?? false
    before = { ...before, ...counted.attempts, ...(isJudged && { status, unmet, passing: 0 }) }
    const number = /, attempt (\d+) of \d+$/.exec(errorMessage ?? '')?.[1]
    assert.equal(number === undefined, counted.isLast, letter)
    return number ?? (unmet ? 's' : status === 'degraded' ? 'w' : status[0])
  })
  return said.join('')
}

/** `d` down, `u` up, `w` up with a warning of the certificate, `s` slow, which only warns, `p` our own trouble. */
const TABLE: [results: string, attempts: number | null, counted: string, why: string][] = [
  ['ddu', null, 'ddu', 'without attempts the first failure counts'],
  ['ddu', 1, 'ddu', 'and so it does with one'],
  ['dddd', 3, '12dd', 'after the last attempt every failure counts'],
  ['ddudd', 3, '12u12', 'a pass begins anew'],
  ['dwd', 2, '1w1', 'a pass with a warning is a pass'],
  ['dpdpd', 3, '1p2pd', 'our own trouble is no attempt, and ends none'],
  ['pd', 2, 'p1', 'and begins none'],
  ['dddudd', 3, '12du12', 'once it was up again'],
  ['dddddddddd', 10, '123456789d', 'up to ten'],
  ['ssu', null, 'ssu', 'without attempts the first slow check counts'],
  ['sssss', 3, '12sss', 'what only warns takes as many, and is known then'],
  ['ssuss', 3, '12u12', 'one that is well begins anew'],
  ['swsws', 2, '1w1w1', 'and so does one that warns of a certificate alone'],
  ['wwssw', 2, 'ww1sw', 'which needs no patience'],
  ['spsp', 2, '1psp', 'our own trouble is no slow check, and ends none'],
  ['dss', 3, '12s', 'a failure is not well either'],
  ['sdsdd', 3, '11s12', 'a slow check is no failure: failures begin anew'],
  ['ddds', 3, '12ds', 'what is down is up again with a slow check at once'],
  ['sssdds', 3, '12s12s', 'a failure ends no warning'],
]

describe('attempts', () => {
  for (const [results, attempts, counted, why] of TABLE) {
    it(`of ${results} with ${attempts ?? 'none'} are ${counted}: ${why}`, () => {
      assert.equal(follow(results, attempts), counted)
    })
  }

  it('are said with the cause, and the last failure says none', () => {
    const before = KNOWN_UP
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
      attempts: { failed: 1, unwell: 1, nextAt: at(20) },
      isLast: false,
    })
    const last = countAttempt({ ...before, ...first.attempts }, RESULTS.d, at(20), patience)
    assert.deepEqual(last, {
      result: RESULTS.d,
      attempts: { failed: 2, unwell: 2, nextAt: null },
      isLast: true,
    })
  })

  it('are said within the length of a cause', () => {
    const before = KNOWN_UP
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
    const planned: Attempts = { failed: 3, unwell: 3, nextAt: null }
    assert.equal(follow('d', 3, 20, { status: 'maintenance', ...planned }), 'd')
  })

  it('of what only warns leave a certificate that expires to be warned of at once', () => {
    const both: CheckResult = { ...RESULTS.s, expiry: 'certificate expires in 3 days' }
    const { result, isLast } = countAttempt(KNOWN_UP, both, at(0), { attempts: 2, retryMs: RETRY_MS })
    const { unmet: _, ...slow } = RESULTS.s
    assert.deepEqual(result, { ...slow, errorMessage: 'certificate expires in 3 days' })
    assert.equal(isLast, false)
  })

  it('are those of an oracle that looks back over everything that was found', () => {
    const random = randomFrom(SEED)
    for (let run = 0; run < 2_000; run++) {
      const most = 1 + Math.floor(random() * 5)
      const results = Array.from({ length: 30 }, () => 'dddssswup'[Math.floor(random() * 9)]).join('')
      assert.equal(follow(results, most), counted(results, most), `${results} with ${most}`)
    }
  })
})

/** The same without counters: how many of a kind came last, as if our own trouble was not there. */
function counted(results: string, most: number): string {
  let known = 'u'
  let said = ''
  for (const [index, letter] of [...results].entries()) {
    const found = results.slice(0, index + 1).replaceAll('p', '')
    const last = (/(?:d+|[ds]*s)$/.exec(found)?.[0] ?? '').length
    const needed = letter === 'd' ? known !== 'd' : known !== 'd' && known !== 's'
    const isAttempt = 'ds'.includes(letter) && needed && last < most
    said += isAttempt ? last : letter
    if (!isAttempt && letter !== 'p') known = letter
  }
  return said
}

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { domainOf } from '../../../src/core/probing/evidence.ts'
import { createUndecided, type Failing } from '../../../src/engine/evidence/undecided.ts'
import { settingsFor } from '../../support/servers/targets-settings.ts'

const SECOND_MS = 1_000
const ADDRESS = '46.1.1.1'

/** Targets that are checked every 2 s, with 2 s to answer: undecided for 8 s at most. */
function createWorld() {
  const clock = { nowMs: 0 }
  const undecided = createUndecided({ monotonicMs: () => clock.nowMs, notify: () => {} })
  const limits = { interval_seconds: 2, request_timeout_seconds: 2 }
  const settings = (host: string) => settingsFor('http', { url: `http://${host}/`, ...limits })
  return {
    /** Begins a check at one time and ends it at another; the rest happens in between. */
    check(host: string, result: CheckResult, [fromMs, toMs]: [number, number], between = () => {}) {
      clock.nowMs = fromMs
      const beginning = undecided.begin()
      between()
      clock.nowMs = toMs
      const { name, address, status } = result
      const failing: Failing[] = []
      if (name !== undefined) failing.push({ realm: 'names', place: domainOf(name) })
      else if (address !== undefined) failing.push({ realm: 'IPv4', place: address })
      if (status === 'pending')
        return undecided.noteUndecided(host, settings(host), result, { ...beginning, failing, ofPeers: [] })
          ? 'down'
          : 'pending'
      for (const { realm, place } of failing) undecided.noteAnswer(realm, place, fromMs, toMs)
      undecided.noteJudged(host)
      return status
    },
  }
}

const notFound = (name: string): CheckResult => ({
  ...resultWithout('pending', 'our name servers fail for every name (SERVFAIL)'),
  name,
  causeIfTheirs: `name server failed for ${name} (SERVFAIL)`,
})
const noWay: CheckResult = {
  ...resultWithout('pending', 'no network here'),
  address: ADDRESS,
  causeIfTheirs: `no route to ${ADDRESS}`,
}
const answer = (name?: string, address = ADDRESS): CheckResult => ({
  ...resultWithout('down', 'HTTP 503 (expected 200)'),
  responseTimeMs: 5,
  address,
  ...(name !== undefined && { name }),
})

describe('what is undecided for too long', () => {
  test('for want of name servers is not decided by what has no name', () => {
    const { check } = createWorld()
    check('one.example', notFound('one.example'), [0, 10])
    for (let ms = SECOND_MS; ms < 10 * SECOND_MS; ms += SECOND_MS) check(ADDRESS, answer(), [ms, ms + 5])
    const late: [number, number] = [10 * SECOND_MS, 10 * SECOND_MS + 10]
    assert.equal(check('one.example', notFound('one.example'), late), 'pending')
  })

  test('is decided by another name that is found, whatever its target says then', () => {
    const { check } = createWorld()
    check('one.example', notFound('one.example'), [0, 10])
    check('two.example', answer('two.example'), [SECOND_MS, SECOND_MS + 5])
    check('one.example', notFound('one.example'), [2 * SECOND_MS, 2 * SECOND_MS + 10])
    const refused = { ...resultWithout('down', 'connection refused'), address: ADDRESS, name: 'two.example' }
    check('two.example', refused, [9 * SECOND_MS, 9 * SECOND_MS + 5])
    const late: [number, number] = [10 * SECOND_MS, 10 * SECOND_MS + 10]
    assert.equal(check('one.example', notFound('one.example'), late), 'down')
  })

  test('is not decided by a way that worked for a moment only', () => {
    const { check } = createWorld()
    check('one.example', notFound('one.example'), [0, 10])
    check('two.example', answer('two.example'), [9 * SECOND_MS, 9 * SECOND_MS + 5])
    for (const second of [10, 12, 14]) {
      const span: [number, number] = [second * SECOND_MS, second * SECOND_MS + 10]
      assert.equal(check('one.example', notFound('one.example'), span), 'pending')
    }
  })

  test('is not decided by what is answered first when the way works again', () => {
    const { check } = createWorld()
    check('one.example', notFound('one.example'), [0, 10])
    check('two.example', answer('two.example'), [SECOND_MS, SECOND_MS + 5])
    check('one.example', notFound('one.example'), [2 * SECOND_MS, 2 * SECOND_MS + 10])
    check('one.example', notFound('one.example'), [3 * SECOND_MS, 3 * SECOND_MS + 10])
    const status = check(
      'one.example',
      notFound('one.example'),
      [10 * SECOND_MS, 12 * SECOND_MS],
      () => void check('two.example', answer('two.example'), [11 * SECOND_MS, 11 * SECOND_MS + 5]),
    )
    assert.equal(status, 'pending')
  })

  test('is not decided by what was answered last before the way was lost', () => {
    const { check } = createWorld()
    check('46.2.1.1', answer(undefined, '46.2.1.1'), [0, 50], () => void check(ADDRESS, noWay, [10, 11]))
    const late = 8 * SECOND_MS + 20
    assert.equal(check(ADDRESS, noWay, [late, late + 1]), 'pending')
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CheckStatus } from '../../../src/core/monitors/check.ts'
import { decide, type Standing } from '../../../src/core/monitors/verdict.ts'

const NEW: Standing = { status: 'pending', hasOpenIncident: false, passing: 0, warnedCertificate: null }
const LETTERS: Record<string, CheckStatus> = { u: 'up', d: 'down', w: 'degraded', p: 'pending' }

/** Lets results come one after the other; what became of each. */
function follow(results: string, recoveryChecks: number) {
  const states: string[] = []
  const events: string[] = []
  let standing = NEW
  for (const letter of results) {
    const certificate = letter === 'w' ? { expiresAt: new Date(0), fingerprint: 'one' } : null
    const result = { status: LETTERS[letter] as CheckStatus, certificate }
    const verdict = decide(standing, result, recoveryChecks)
    const hasOpenIncident = verdict.incident ? verdict.incident === 'open' : standing.hasOpenIncident
    standing = { ...verdict, hasOpenIncident }
    states.push(`${verdict.status}${verdict.passing > 0 ? ` ${verdict.passing}` : ''}`)
    events.push(...verdict.events)
  }
  return { states: states.join(', '), events: events.join(', '), standing }
}

/** The results, how many passing checks make a recovery, the status after each (and how many passed), the events. */
const TABLE: [results: string, recoveryChecks: number, states: string, events: string][] = [
  ['udu', 1, 'up, down, up', 'monitor.down, monitor.recovery'],
  ['uduuu', 3, 'up, down, down 1, down 2, up', 'monitor.down, monitor.recovery'],
  ['duud', 3, 'down, down 1, down 2, down', 'monitor.down'],
  ['duuduuu', 3, 'down, down 1, down 2, down, down 1, down 2, up', 'monitor.down, monitor.recovery'],
  ['dupu', 2, 'down, down 1, down 1, up', 'monitor.down, monitor.recovery'],
  ['dww', 2, 'down, down 1, degraded', 'monitor.down, monitor.recovery, monitor.degraded'],
  ['duw', 2, 'down, down 1, degraded', 'monitor.down, monitor.recovery, monitor.degraded'],
  ['u', 5, 'up', ''],
  ['pu', 5, 'pending, up', ''],
]

describe('how many passing checks make a monitor up again', () => {
  for (const [results, recoveryChecks, states, events] of TABLE) {
    test(`${results} where ${recoveryChecks} must pass`, () => {
      const found = follow(results, recoveryChecks)
      assert.deepEqual([found.states, found.events], [states, events])
    })
  }

  test('it takes effect at the next check when it is changed meanwhile', () => {
    const { standing } = follow('du', 3)
    const result = { status: 'up', certificate: null } as const
    assert.equal(decide(standing, result, 1).status, 'up')
    assert.equal(decide({ ...standing, passing: 4 }, result, 3).status, 'up')
  })

  test('after any results, a monitor is down exactly while it has failed and fewer have passed since', () => {
    // Every seventh of all sequences of eight results: nothing is left to chance.
    const letters = Object.keys(LETTERS)
    for (let number = 0; number < letters.length ** 8; number += 7) {
      const results = Array.from(
        { length: 8 },
        (_, place) => letters[Math.floor(number / letters.length ** place) % letters.length],
      ).join('')
      for (const recoveryChecks of [1, 2, 3]) {
        const judged = results.replaceAll('p', '')
        const { standing, events } = follow(results, recoveryChecks)
        let isDown = false
        let passed = 0
        for (const letter of judged) {
          passed = letter === 'd' ? 0 : passed + 1
          isDown = letter === 'd' || (isDown && passed < recoveryChecks)
        }
        assert.equal(standing.status === 'down', isDown, `${results} where ${recoveryChecks} must pass`)
        assert.equal(standing.hasOpenIncident, isDown)
        const count = (event: string) => events.split(', ').filter((one) => one === event).length
        assert.equal(count('monitor.down') - count('monitor.recovery'), isDown ? 1 : 0)
      }
    }
  })
})

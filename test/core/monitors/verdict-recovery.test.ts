import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FoundStatus } from '../../../src/core/monitors/check.ts'
import { decide, type Standing } from '../../../src/core/monitors/verdict.ts'

const NEW: Standing = { status: 'pending', hasOpenIncident: false, passing: 0, warnedCertificates: [] }
/** A capital letter is the same result under maintenance. */
const LETTERS: Record<string, FoundStatus> = { u: 'up', d: 'down', w: 'degraded', p: 'pending' }

/** Lets results come one after the other; what became of each. */
function follow(results: string, recoveryChecks: number) {
  const states: string[] = []
  const events: string[] = []
  let standing = NEW
  for (const letter of results) {
    const status = LETTERS[letter.toLowerCase()] as FoundStatus
    const certificate = status === 'degraded' ? { expiresAt: new Date(0), fingerprint: 'one' } : null
    const isPlanned = letter !== letter.toLowerCase()
    const verdict = decide(standing, { status, certificate }, recoveryChecks, isPlanned)
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
  ['uDDU', 3, 'up, maintenance, maintenance, up', ''],
  ['uDu', 3, 'up, maintenance, up', ''],
  ['uDdu', 1, 'up, maintenance, down, up', 'monitor.down, monitor.recovery'],
  ['dDUuU', 3, 'down, maintenance, maintenance 1, maintenance 2, up', 'monitor.down, monitor.recovery'],
  ['dDdu', 1, 'down, maintenance, down, up', 'monitor.down, monitor.recovery'],
  ['duDuu', 2, 'down, down 1, maintenance, maintenance 1, up', 'monitor.down, monitor.recovery'],
  ['dUDu', 2, 'down, down 1, maintenance, maintenance 1', 'monitor.down'],
  ['dDPU', 1, 'down, maintenance, maintenance, up', 'monitor.down, monitor.recovery'],
  ['uWWw', 1, 'up, degraded, degraded, degraded', 'monitor.degraded'],
  ['wDWw', 1, 'degraded, maintenance, degraded, degraded', 'monitor.degraded'],
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

  test('after any results, an incident is open exactly since a failure that was not planned, until enough have passed', () => {
    // Every 211th of all sequences of seven results: nothing is left to chance.
    const letters = [...Object.keys(LETTERS), ...Object.keys(LETTERS).map((letter) => letter.toUpperCase())]
    for (let number = 0; number < letters.length ** 7; number += 211) {
      const results = Array.from(
        { length: 7 },
        (_, place) => letters[Math.floor(number / letters.length ** place) % letters.length],
      ).join('')
      for (const recoveryChecks of [1, 2, 3]) {
        const { standing, events } = follow(results, recoveryChecks)
        let isOpen = false
        let failure: string | null = null
        let passed = 0
        for (const letter of results.replaceAll(/p/gi, '')) {
          const isFailure = /d/i.test(letter)
          if (isFailure) failure = letter
          passed = isFailure ? 0 : passed + 1
          isOpen = letter === 'd' || (isOpen && passed < recoveryChecks)
          if (!isFailure && !isOpen) failure = null
        }
        const what = `${results} where ${recoveryChecks} must pass`
        assert.equal(standing.hasOpenIncident, isOpen, what)
        assert.equal(standing.status === 'down', failure === 'd', what)
        assert.equal(standing.status === 'maintenance', failure === 'D', what)
        const count = (event: string) => events.split(', ').filter((one) => one === event).length
        assert.equal(count('monitor.down') - count('monitor.recovery'), isOpen ? 1 : 0)
      }
    }
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { placeLines } from '../../dashboard/screens/overview/wall-places.ts'

/** Capital letters are down, small ones degraded. */
const linesOf = (letters: string) =>
  [...letters].map((key) => ({ key, status: key < 'a' ? ('down' as const) : ('degraded' as const) }))

describe('lines on a wall', () => {
  const cases: [what: string, before: string, latest: string, after: string][] = [
    ['begin in the order of the service', '', 'CBAb', 'CBAb'],
    ['keep their places when another order is due', 'CBA', 'ACB', 'CBA'],
    ['come last when nothing is over', 'BA', 'CBA', 'BAC'],
    ['take the place of what is over', 'CBA', 'DCA', 'CDA'],
    ['fill the gap with the last one when nothing is new', 'DCBA', 'DBA', 'DAB'],
    ['go when all is over', 'BAa', '', ''],
    ['are shorter by as many as are over', 'DCBA', 'CB', 'BC'],
    ['stand below what is worse, each in its own place', 'Bba', 'CBcba', 'BCbac'],
  ]
  for (const [what, before, latest, after] of cases)
    it(what, () => {
      const placed = placeLines(linesOf(before), linesOf(latest))
      assert.equal(placed.map(({ key }) => key).join(''), after)
    })
})

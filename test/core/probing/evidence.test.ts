import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseWitnesses, domainOf, type Evidence, weigh } from '../../../src/core/probing/evidence.ts'

describe('evidence that our own way works', () => {
  const rules: [name: string, failing: string, places: string[], reached: string[], evidence: Evidence][] = [
    ['is something reached elsewhere', 'a', ['b', 'c'], ['c'], 'works'],
    ['is not the failing place itself', 'a', ['a', 'b'], ['a'], 'fails'],
    ['is missing when nothing that was well is reached', 'a', ['b'], [], 'fails'],
    ['cannot be had where nothing else is known', 'a', [], [], 'unknown'],
    ['cannot be had from one place alone', 'a', ['a'], [], 'unknown'],
    ['of a place that fails itself is missing for others', 'a', ['a', 'b'], [], 'fails'],
  ]
  for (const [name, failing, places, reached, evidence] of rules) {
    test(name, () => assert.equal(weigh(failing, places, reached), evidence))
  }

  test('is asked of those that were well last, one of each place, elsewhere first', () => {
    const witnesses = ['a', 'b', 'c', 'd', 'e', 'f', 'f'].map((place, i) => ({
      place,
      landmark: `${place}${i}`,
      reachedMs: i,
    }))
    const chosen = chooseWitnesses(witnesses, ['f', 'e'])
    assert.deepEqual(
      chosen.map(({ landmark }) => landmark),
      ['d3', 'c2', 'b1', 'a0', 'f6'],
    )
  })

  test('of names is taken by domain', () => {
    assert.deepEqual(['shop.Example.com', 'example.com', 'localhost'].map(domainOf), [
      'example.com',
      'example.com',
      'localhost',
    ])
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ranked, scoreOf } from '../../../dashboard/app/finder/match.ts'

describe('the finder', () => {
  for (const [typed, text] of [
    ['chk', 'Checkout'],
    ['chkout', 'Checkout'],
    ['cafe', 'Café of Zürich'],
    ['log delivery', 'Delivery log'],
    ['shp', 'Web shop'],
    ['', 'anything'],
  ] as const)
    it(`finds ${text} by ${typed}`, () => assert.notEqual(scoreOf(typed, text), null))

  for (const [typed, text] of [
    ['ckt', 'Blog'],
    ['hck', 'Checkout'],
    ['cn', 'Certificate of the station'],
  ] as const)
    it(`does not find ${text} by ${typed}`, () => assert.equal(scoreOf(typed, text), null))

  it('puts the beginning before a word, a word before a part, and what was used last before the rest', () => {
    const names = ['Recheck', 'The check', 'Check b', 'Check a', 'Chain of bricks']
    const usedAt = (name: string) => (name === 'Check a' ? 1 : 0)
    assert.deepEqual(ranked(names, 'check', { text: (name) => name, usedAt }), [
      'Check a',
      'Check b',
      'The check',
      'Recheck',
    ])
  })
})

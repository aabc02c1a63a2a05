import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { accentOn, contrastOf, MIN_TEXT_CONTRAST } from '../../../src/core/status-pages/accent.ts'

const LIGHT = '#f5f7f9'
const DARK = '#0e1318'

describe('the accent of a page', () => {
  it('is measured as WCAG does', () => {
    assert.equal(contrastOf('#000000', '#ffffff'), 21)
    assert.equal(contrastOf('#777777', '#ffffff').toFixed(2), '4.48')
  })

  it('stays as it is where it can be read', () => {
    assert.deepEqual(accentOn('#0b6e4f', LIGHT), { text: '#0b6e4f', ground: '#0b6e4f', onGround: '#ffffff' })
    assert.deepEqual(accentOn('#ffd400', DARK), { text: '#ffd400', ground: '#ffd400', onGround: '#000000' })
  })

  it('can be read on its page, and what stands on it can be read, whatever the color is', () => {
    const color = fc
      .integer({ min: 0, max: 0xffffff })
      .map((value) => `#${value.toString(16).padStart(6, '0')}`)
    const corners = ['#ffffff', '#000000', '#777777', LIGHT, DARK].map((one): [string] => [one])
    fc.assert(
      fc.property(color, (one) => {
        for (const paper of [LIGHT, DARK]) {
          const { text, ground, onGround } = accentOn(one, paper)
          assert.ok(contrastOf(text, paper) >= MIN_TEXT_CONTRAST, `${one} on ${paper}: ${text}`)
          assert.ok(contrastOf(onGround, ground) >= MIN_TEXT_CONTRAST, `${onGround} on ${ground}`)
        }
      }),
      { examples: corners },
    )
  })
})

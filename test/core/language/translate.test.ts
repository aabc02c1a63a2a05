import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { acceptedLanguages } from '../../../src/core/language/accept-language.ts'
import { translatorOf, visitorLanguage } from '../../../src/core/language/service.ts'
import { createTranslator } from '../../../src/core/language/translate.ts'

const MONITORS = '{count, plural, one {# monitor} other {# monitors}}'
const GUIDE = 'Read the <link>guide</link> of {name}.'

const { t, rich } = createTranslator('de', 'de-DE', {
  Save: 'Speichern',
  [MONITORS]: '{count, plural, one {# Monitor} other {# Monitore}}',
  'sport|Save': 'Parade',
  'sport|{count} left': 'noch {count}',
  [GUIDE]: 'Lesen Sie die <link>Anleitung</link> von {name}.',
})

describe('a text in another language', () => {
  it('is that of the catalogue, with plurals and numbers of the language', () => {
    assert.equal(t('Save'), 'Speichern')
    assert.deepEqual(
      [1, 1_200].map((count) => t(MONITORS, { count })),
      ['1 Monitor', '1.200 Monitore'],
    )
  })

  it('stays English where no catalogue has it', () => {
    assert.equal(t('It’s {braced} and <tagged>'), 'It’s {braced} and <tagged>')
    assert.equal(t('{name} saved.', { name: 'Shop' }), 'Shop saved.')
  })

  it('is that of its place, where the catalogue has one for it', () => {
    assert.equal(t('Save', undefined, 'sport'), 'Parade')
    assert.equal(t('{count} left', { count: 2 }, 'sport'), 'noch 2')
    assert.equal(t('{count} left', { count: 2 }), '2 left')
    assert.equal(t('Save', undefined, 'shop'), 'Save')
  })

  it('has parts that are no text, in the order of the language', () => {
    const link = (inside: (string | object)[]) => ({ inside })
    assert.deepEqual(rich<object>(GUIDE, { link, name: 'Shop' }), [
      'Lesen Sie die ',
      { inside: ['Anleitung'] },
      ' von Shop.',
    ])
  })

  it('never reads values as syntax', () => {
    assert.equal(t('{name} saved.', { name: "{x} <b>'" }), "{x} <b>' saved.")
  })
})

describe('the language of a visitor', () => {
  it('is the first of Accept-Language that there is, by weight', () => {
    assert.deepEqual(acceptedLanguages('en;q=0.5, fr, de-AT;q=0.8, it;q=0'), ['fr', 'de-at', 'en'])
    assert.equal(visitorLanguage('en;q=0.5, fr, de-AT;q=0.8'), 'de')
    for (const header of [undefined, '', '*', 'fr', `${'x'.repeat(600)},de`]) {
      assert.equal(visitorLanguage(header), 'en', String(header))
    }
    assert.equal(translatorOf('de').t('Set your password'), 'Passwort setzen')
    // Only public pages speak French: every other text stays English there.
    assert.equal(translatorOf('fr').t('Set your password'), 'Set your password')
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pageLanguage } from '../../../src/core/status-pages/page-language.ts'

const CASES: [what: string, given: Parameters<typeof pageLanguage>, language: string][] = [
  ['English where nothing is said', ['auto', undefined, undefined], 'en'],
  ['the best of those that the reader takes', ['auto', undefined, 'nl, fr;q=0.5, de-AT;q=0.8'], 'de'],
  ['the first of two that are as good', ['auto', undefined, 'pt-BR,es'], 'pt'],
  ['not one that the reader rules out', ['auto', undefined, 'ja;q=0, fr;q=0.1'], 'fr'],
  ['whatever its case', ['auto', undefined, 'JA-jp'], 'ja'],
  ['English where the reader takes others only', ['auto', undefined, 'nl, *;q=0.1'], 'en'],
  ['English for a header that is none', ['auto', undefined, ';;q=,,=;q=x'], 'en'],
  ['the one chosen on the page', ['auto', 'es', 'de'], 'es'],
  ['the reader’s where the one chosen is none', ['auto', 'xx', 'de'], 'de'],
  ["the page's own, whatever the reader takes", ['fr', 'es', 'de'], 'fr'],
]

describe('the language of a page', () => {
  for (const [what, given, language] of CASES) {
    it(`is ${what}`, () => assert.equal(pageLanguage(...given), language))
  }
})

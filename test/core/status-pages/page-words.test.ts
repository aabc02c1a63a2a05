import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PageLanguage } from '../../../src/core/language/page-languages.ts'
import { PAGE_WORDS } from '../../../src/core/status-pages/words/words.ts'

type Texts = { [name: string]: string | ((...given: unknown[]) => string) | Texts }

/** Every text by its path; functions are asked with what can be found again. */
function textsOf(texts: Texts, path = ''): [path: string, text: string, given: string[]][] {
  return Object.entries(texts).flatMap(([name, text]): [string, string, string[]][] => {
    const at = `${path}.${name}`
    if (typeof text === 'string') return [[at, text, []]]
    if (typeof text === 'object') return textsOf(text, at)
    const given = Array.from({ length: text.length }, (_, index) => 3 + index)
    return [[at, text(...given), given.map(String)]]
  })
}

const all = (language: PageLanguage) => textsOf(PAGE_WORDS[language] as unknown as Texts)

describe('the texts of a page', () => {
  for (const language of PageLanguage.options) {
    it(`are all there in ${language}, and say what they are given`, () => {
      for (const [path, text, given] of all(language)) {
        assert.match(text, /\S/, path)
        assert.equal(text, text.normalize('NFC').trim(), path)
        for (const value of given) assert.ok(text.includes(value), `${path}: ${text}`)
      }
    })
  }

  it('are translated', () => {
    const english = new Map(all('en').map(([path, text]) => [path, text]))
    for (const language of PageLanguage.options.filter((one) => one !== 'en')) {
      const same = all(language).filter(([path, text]) => english.get(path) === text)
      // Words that some of these languages share with English.
      assert.ok(same.length < 12, `${language}: ${same.map(([path]) => path).join(', ')}`)
    }
  })

  const COUNTED: [language: PageLanguage, count: number, total: number, text: string][] = [
    ['en', 1, 1, '1 of 1 component is not operational'],
    ['en', 1, 50, '1 of 50 components is not operational'],
    ['en', 2, 50, '2 of 50 components are not operational'],
    ['de', 1, 50, '1 von 50 Komponenten ist nicht in Betrieb'],
    ['de', 2, 50, '2 von 50 Komponenten sind nicht in Betrieb'],
    ['fr', 1, 50, '1 composant sur 50 n’est pas opérationnel'],
    ['fr', 2, 50, '2 composants sur 50 ne sont pas opérationnels'],
    ['es', 2, 50, '2 de 50 componentes no están operativos'],
    ['pt', 1, 50, '1 de 50 componentes não está operacional'],
    ['ja', 2, 50, '50件中2件のコンポーネントが正常ではありません'],
  ]
  for (const [language, count, total, text] of COUNTED) {
    it(`count in ${language}: ${text}`, () => assert.equal(PAGE_WORDS[language].affected(count, total), text))
  }
})

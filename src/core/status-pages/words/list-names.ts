import { PAGE_LANGUAGES, type PageLanguage } from '../../language/page-languages.ts'
import { PAGE_WORDS } from './words.ts'

const MAX_NAMES = 3

/** Names as a language lists them, the first ones of many. */
export function listNames(language: PageLanguage, names: readonly string[]): string {
  const { more } = PAGE_WORDS[language].outages
  const rest = names.length - MAX_NAMES
  const shown = rest > 1 ? [...names.slice(0, MAX_NAMES), more(rest)] : names
  return new Intl.ListFormat(PAGE_LANGUAGES[language].locale).format(shown)
}

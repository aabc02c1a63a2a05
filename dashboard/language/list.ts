import { LANGUAGES } from '../../src/core/language/language.ts'
import { LANGUAGE, LOCALE } from './language.ts'

/** English lists are those of the texts around them, without the comma that Americans put before the "and". */
const list = new Intl.ListFormat(LANGUAGE === 'en' ? LANGUAGES.en.locale : LOCALE)

/** `a, b and c`. */
export function sayList(words: readonly string[]): string {
  return list.format(words)
}

import { LANGUAGES, Language } from '../../src/core/language/language.ts'
import { t } from './language.ts'

/** The languages to choose from, each by the name that its readers know, and the one of the browser. */
export const LANGUAGE_OPTIONS = [
  { value: 'browser', label: t('As in the browser') },
  ...Language.options.map((value) => ({ value, label: LANGUAGES[value].name })),
] as const

/** Null is the language of the browser. */
export function languageOf(option: string): Language | null {
  return Language.safeParse(option).data ?? null
}

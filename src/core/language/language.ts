import * as z from 'zod'

/**
 * The languages of the dashboard, of mails and of the pages of the service itself. A new one is an entry here and a folder
 * beside `de/`. British dates are not mistaken for others.
 */
export const LANGUAGES = {
  en: { name: 'English', locale: 'en-GB' },
  de: { name: 'Deutsch', locale: 'de' },
} as const satisfies Record<string, { name: string; locale: string }>

export type Language = keyof typeof LANGUAGES
export const Language = z.enum(Object.keys(LANGUAGES) as [Language, ...Language[]])

/** The first of the wanted languages (BCP 47 tags, the best first) that there is, else English. */
export function languageFor(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const known = Language.safeParse(tag.toLowerCase().split(/[-_@]/)[0])
    if (known.success) return known.data
  }
  return 'en'
}

/** The locale of dates and numbers: the wanted one if it is of the language, else the language's own. */
export function localeFor(language: Language, wanted: readonly string[]): string {
  const own = wanted.find((tag) => languageFor([tag]) === language && isOf(tag, language) && isLocale(tag))
  return own ?? LANGUAGES[language].locale
}

function isOf(tag: string, language: Language): boolean {
  return tag.toLowerCase().split(/[-_@]/)[0] === language
}

/** A browser without a locale reports en-US@posix, which is no language tag: all of Intl would throw. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

import { acceptedLanguages } from '../language/accept-language.ts'
import { PAGE_LANGUAGES, type PageLanguage } from './status-page.ts'

/** Formats of times and numbers. English is the one whose dates are not mistaken for each other. */
export const PAGE_LOCALES = {
  en: 'en-GB',
  de: 'de',
  fr: 'fr',
  es: 'es',
  pt: 'pt',
  ja: 'ja',
} as const satisfies Record<PageLanguage, string>

/** Names of the languages in themselves. */
export const LANGUAGE_NAMES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  ja: '日本語',
} as const satisfies Record<PageLanguage, string>

/**
 * The language of the fixed texts: the page's, or, where it is `auto`, the one that the reader chose on the page
 * (`chosen`), else the best of `Accept-Language` (RFC 9110 section 12.5.4) that there is, else English.
 */
export function pageLanguage(
  setting: PageLanguage | 'auto',
  chosen: string | undefined,
  acceptLanguage: string | undefined,
): PageLanguage {
  if (setting !== 'auto') return setting
  return asPageLanguage(chosen) ?? preferred(acceptLanguage) ?? 'en'
}

export function asPageLanguage(text: string | undefined): PageLanguage | null {
  return PAGE_LANGUAGES.find((language) => language === text) ?? null
}

function preferred(header: string | undefined): PageLanguage | null {
  const known = acceptedLanguages(header).map((range) => asPageLanguage(range.split('-')[0]))
  return known.find((language) => language !== null) ?? null
}

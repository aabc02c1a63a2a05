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

/** More of a header than any browser sends is not read. */
const MAX_HEADER_LENGTH = 500

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
  return asPageLanguage(chosen) ?? preferred(acceptLanguage?.slice(0, MAX_HEADER_LENGTH) ?? '') ?? 'en'
}

export function asPageLanguage(text: string | undefined): PageLanguage | null {
  return PAGE_LANGUAGES.find((language) => language === text) ?? null
}

function preferred(header: string): PageLanguage | null {
  const asked = header.split(',').map((part, place) => {
    const [range = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { language: asPageLanguage(range.split('-')[0]), weight: Number(weight ?? 1), place }
  })
  const usable = asked.filter(({ language, weight }) => language !== null && weight > 0)
  return usable.sort((a, b) => b.weight - a.weight || a.place - b.place)[0]?.language ?? null
}

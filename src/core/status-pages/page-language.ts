import { acceptedLanguages } from '../language/accept-language.ts'
import { PageLanguage } from '../language/page-languages.ts'

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
  return PageLanguage.options.find((language) => language === text) ?? null
}

function preferred(header: string | undefined): PageLanguage | null {
  const known = acceptedLanguages(header).map((range) => asPageLanguage(range.split('-')[0]))
  return known.find((language) => language !== null) ?? null
}

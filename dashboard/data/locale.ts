/**
 * How dates and numbers are written. Their words are English, as all words of the dashboard; whoever reads English has
 * the habits of their own country, everybody else the day before the month and 24 hours, which most of the world writes.
 */
export function localeOf(language: string): string {
  // A browser without a locale of its own says en-US@posix, which is no language tag: all of Intl would throw.
  const tag = language.split('@')[0] ?? ''
  return /^en\b/i.test(tag) && isLanguageTag(tag) ? tag : 'en-GB'
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

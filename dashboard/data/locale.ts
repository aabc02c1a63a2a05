/**
 * The locale of dates and numbers. Their words are English, as in the rest of the dashboard. English browsers keep the
 * format of their own country; all others get the day before the month and 24 hours, as most of the world writes.
 */
export function localeOf(language: string): string {
  // A browser without a locale reports en-US@posix, which is not a language tag: all of Intl would throw.
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

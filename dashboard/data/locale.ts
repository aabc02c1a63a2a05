/**
 * How dates and numbers are written. Their words are English, as all words of the dashboard; whoever reads English has
 * the habits of their own country, everybody else the day before the month and 24 hours, which most of the world writes.
 */
export function localeOf(language: string): string {
  return /^en\b/i.test(language) ? language : 'en-GB'
}

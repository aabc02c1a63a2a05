import { phrase } from '../../src/core/language/translate.ts'
import { LOCALE, t } from './language.ts'

const count = new Intl.NumberFormat(LOCALE)

export function sayCount(value: number): string {
  return count.format(value)
}

const KINDS = {
  monitor: phrase('{count, plural, one {# monitor} other {# monitors}}'),
  server: phrase('{count, plural, one {# server} other {# servers}}'),
  site: phrase('{count, plural, one {# site} other {# sites}}'),
} as const

/** `3 monitors`. */
export function sayKindCount(kind: keyof typeof KINDS, count: number): string {
  return t(KINDS[kind], { count })
}

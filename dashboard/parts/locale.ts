import { localeOf } from '../data/locale.ts'

export const LOCALE = localeOf(navigator.language)

const count = new Intl.NumberFormat(LOCALE)

export function sayCount(value: number): string {
  return count.format(value)
}

import { LOCALE } from './language.ts'

const count = new Intl.NumberFormat(LOCALE)

export function sayCount(value: number): string {
  return count.format(value)
}

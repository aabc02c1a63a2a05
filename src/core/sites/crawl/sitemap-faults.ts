import { cut } from '../../text.ts'
import { MAX_LOC_LENGTH, MAX_SITEMAP_ADDRESSES } from './sitemap-file.ts'

const MAX_SHOWN = 200
/** W3C's profile of ISO 8601 (https://www.w3.org/TR/NOTE-datetime). */
const DATE =
  /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?)?)?$/

/**
 * Faults that a sitemap has over and over: each is said once, with the first example. It says no number, which would make
 * another fault of it with each change.
 */
export type SitemapFaults = {
  add(fault: string, example?: string): void
  list(): string[]
}

export function createFaults(): SitemapFaults {
  const said = new Map<string, string>()
  return {
    add(fault, example) {
      if (said.has(fault)) return
      said.set(
        fault,
        example === undefined ? fault : `${fault}, such as ${JSON.stringify(cut(example, MAX_SHOWN))}`,
      )
    },
    list: () => [...said.values()],
  }
}

/** Whether a place in a sitemap is an address that search engines take; if not, why. */
export function isAddress(address: string, faults: SitemapFaults): boolean {
  if (address === '') faults.add('has an entry without an address')
  else if (address.length > MAX_LOC_LENGTH)
    faults.add(`names an address longer than ${MAX_LOC_LENGTH.toLocaleString('en-US')} characters`, address)
  else if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    faults.add('names what is no whole address', address)
  else return true
  return false
}

export function judgeDate(date: string, faults: SitemapFaults): void {
  if (!DATE.test(date)) faults.add('has a date of change that is no W3C date', date)
}

/** Said at the end of a sitemap. */
export function judgeNumber(number: number, faults: SitemapFaults): void {
  if (number === 0) faults.add('names no address')
  if (number > MAX_SITEMAP_ADDRESSES)
    faults.add(
      `names more than ${MAX_SITEMAP_ADDRESSES.toLocaleString('en-US')} addresses, the most that one may`,
    )
}

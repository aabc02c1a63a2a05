import { STATUS_CODES } from 'node:http'
import type { Assertion } from '../core/expectations/assertion.ts'
import { MAX_STATUS_CODE, MAX_STATUS_CODES, MIN_STATUS_CODE } from '../core/monitors/monitor.ts'
import { REDIRECTS } from '../core/monitors/redirect.ts'
import { expect } from './expectations.ts'

/** Registered codes of final responses. Codes below 200 are informational, and checks never see them. */
const REGISTERED = Object.keys(STATUS_CODES)
  .map(Number)
  .filter((code) => code >= 200 && code <= MAX_STATUS_CODE)

type Codes = {
  codes: number[]
  /** Whether unregistered codes were dropped because a range has too many codes. */
  isShortened: boolean
}

/**
 * Reads `200`, `200-299` and `2xx`; null if the list has no status code. Checks here do not follow a redirect whose
 * code is expected, so redirect codes are dropped if the other service followed redirects.
 */
export function statusCodesOf(accepted: string[], followsRedirects: boolean): Codes | null {
  const all = codesIn(accepted)
  const ends = [...all].filter((code) => !REDIRECTS.includes(code))
  return fitted(followsRedirects && ends.length > 0 ? ends : [...all])
}

/** Assertions that hold for these codes alone: their bounds, without those in between; null where more are left out than may be. */
export function statusAssertions(accepted: string[]): Assertion[] | null {
  const all = codesIn(accepted)
  const [first, last] = [Math.min(...all), Math.max(...all)]
  const between = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const others = between.filter((code) => !all.has(code))
  const assertions = [
    // Without one of the status, a monitor expects 200.
    ...(first > MIN_STATUS_CODE || last === MAX_STATUS_CODE
      ? [expect('status_code', 'at_least', { target: first })]
      : []),
    ...(last < MAX_STATUS_CODE ? [expect('status_code', 'at_most', { target: last })] : []),
    ...(others.length > 0 ? [expect('status_code', 'not_one_of', { target: others })] : []),
  ]
  const fit = assertions.filter((assertion) => assertion !== null)
  return fit.length === assertions.length ? fit : null
}

/** Each entry is looked at once and costs the same, however wide its range is: an export may list millions. */
function codesIn(accepted: string[]): Set<number> {
  const begun = new Int32Array(MAX_STATUS_CODE + 2)
  for (const entry of accepted) {
    const [first, last] = rangeOf(entry)
    const [from, to] = [Math.max(first, MIN_STATUS_CODE), Math.min(last, MAX_STATUS_CODE)]
    if (from > to) continue
    begun[from] = (begun[from] ?? 0) + 1
    begun[to + 1] = (begun[to + 1] ?? 0) - 1
  }
  const all = new Set<number>()
  let within = 0
  for (const [code, change] of begun.entries()) {
    within += change
    if (within > 0) all.add(code)
  }
  return all
}

const MAX_SHOWN = 20

/** Entries as a message names them. */
export function shownCodes(accepted: readonly string[]): string {
  return [...accepted.slice(0, MAX_SHOWN), ...(accepted.length > MAX_SHOWN ? ['…'] : [])].join(', ')
}

/** Limits the codes to `MAX_STATUS_CODES`: all codes if they fit, otherwise the lowest registered ones. */
function fitted(all: number[]): Codes | null {
  if (all.length === 0) return null
  if (all.length <= MAX_STATUS_CODES) return { codes: all, isShortened: false }
  const codes = REGISTERED.filter((code) => all.includes(code)).slice(0, MAX_STATUS_CODES)
  return { codes: codes.length > 0 ? codes : all.slice(0, MAX_STATUS_CODES), isShortened: true }
}

/** The first and last code of an entry; an empty range (1 to 0) if it is invalid. */
function rangeOf(entry: string): [number, number] {
  const byClass = /^([1-5])xx$/i.exec(entry.trim())
  if (byClass) return [Number(byClass[1]) * 100, Number(byClass[1]) * 100 + 99]
  const range = /^(\d{3})(?:\s*-\s*(\d{3}))?$/.exec(entry.trim())
  return range ? [Number(range[1]), Number(range[2] ?? range[1])] : [1, 0]
}

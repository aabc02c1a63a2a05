import * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import { issueOf, type Said, said, saidOf } from '../language/said.ts'
import { text } from '../text.ts'
import { describe } from '../validation.ts'
import { LocalDate, LocalTime } from './local-time.ts'

export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export type Frequency = (typeof FREQUENCIES)[number]
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof WEEKDAYS)[number]

export const MAX_RULE_LENGTH = 500
export const MAX_RULE_INTERVAL = 365
export const MAX_RULE_COUNT = 1_000

/** Each Monday is null, the first one 1, the last one -1. */
export type RuleDay = { ordinal: number | null; day: Weekday }

/** The parts of an RRULE (RFC 5545, section 3.3.10) that a window takes. An empty list is a part that is not there. */
export type Recurrence = {
  freq: Frequency
  interval: number
  byMonth: number[]
  byMonthDay: number[]
  byDay: RuleDay[]
  bySetPos: number[]
  count: number | null
  /** `20271231`, `20271231T020000` in the window's zone, or `20271231T010000Z`; the last moment that still counts. */
  until: string | null
}

/** An RRULE in its shortest form, such as `FREQ=MONTHLY;BYDAY=1SU`. */
export const RecurrenceRule = text(MAX_RULE_LENGTH).transform((value, context) => {
  const read = readRule(value)
  if (!('text' in read)) return writeRule(read)
  context.addIssue(issueOf(read))
  return z.NEVER
})

const PARTS = ['FREQ', 'INTERVAL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY', 'BYSETPOS', 'COUNT', 'UNTIL'] as const
type Part = (typeof PARTS)[number]

const ONE_TO = phrase('{part} must be 1 to {max}, got {got}')

/** Reads an RRULE; the answer is a text where it cannot be taken, which says why. */
export function readRule(rule: string): Recurrence | Said {
  if (rule.length > MAX_RULE_LENGTH)
    return said('must be at most {max} characters, got {length}', {
      max: MAX_RULE_LENGTH,
      length: rule.length,
    })
  const given = new Map<Part, string>()
  for (const piece of rule
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')) {
    const [name = '', value] = piece.split('=', 2)
    if (!isPart(name) || !value)
      return said('takes {parts}, each as NAME=VALUE with ; between, got {got}', {
        parts: PARTS.join(', '),
        got: describe(piece),
      })
    if (given.has(name))
      return said('must have {part} once, got it again in {got}', { part: name, got: describe(piece) })
    given.set(name, value)
  }
  const faults: Said[] = []
  const take = <T>(name: Part, read: (value: string) => T | null, text: string, without: T): T => {
    const value = given.get(name)
    if (value === undefined) return without
    const taken = read(value)
    if (taken === null)
      faults.push(saidOf(text, { part: name, max: maxOf[name] ?? '', got: describe(value) }))
    return taken ?? without
  }
  const freq = FREQUENCIES.find((name) => name === given.get('FREQ'))
  if (!freq)
    return said('FREQ must be one of {values}, got {got}', {
      values: FREQUENCIES.join(', '),
      got: describe(given.get('FREQ') ?? null),
    })
  const maxOrdinal = freq === 'YEARLY' && !given.has('BYMONTH') ? 53 : 5
  const maxOf: Partial<Record<Part, number>> = {
    INTERVAL: MAX_RULE_INTERVAL,
    BYDAY: maxOrdinal,
    COUNT: MAX_RULE_COUNT,
  }
  const recurrence: Recurrence = {
    freq,
    interval: take('INTERVAL', numberOf(MAX_RULE_INTERVAL), ONE_TO, 1),
    byMonth: take(
      'BYMONTH',
      listOf(numberOf(12)),
      phrase('BYMONTH must be months from 1 to 12 with commas between, got {got}'),
      [],
    ),
    byMonthDay: take(
      'BYMONTHDAY',
      listOf(signed(31)),
      phrase('BYMONTHDAY must be days from 1 to 31, or from -31 to -1, with commas between, got {got}'),
      [],
    ),
    byDay: take(
      'BYDAY',
      listOf(dayOf(maxOrdinal)),
      phrase('BYDAY must be days such as MO, 1SU or -1FR (ordinals to {max}) with commas between, got {got}'),
      [],
    ),
    bySetPos: take(
      'BYSETPOS',
      listOf(signed(366)),
      phrase('BYSETPOS must be places from 1 to 366, or from -366 to -1, with commas between, got {got}'),
      [],
    ),
    count: take<number | null>('COUNT', numberOf(MAX_RULE_COUNT), ONE_TO, null),
    until: take<string | null>(
      'UNTIL',
      untilOf,
      phrase('UNTIL must be a time such as 20271231, 20271231T020000 or 20271231T010000Z, got {got}'),
      null,
    ),
  }
  return faults[0] ?? clashOf(recurrence) ?? recurrence
}

/** The rule as text, without its defaults. */
export function writeRule({
  freq,
  interval,
  byMonth,
  byMonthDay,
  byDay,
  bySetPos,
  count,
  until,
}: Recurrence): string {
  const parts: Record<Part, string> = {
    FREQ: freq,
    INTERVAL: interval === 1 ? '' : String(interval),
    BYMONTH: byMonth.join(),
    BYMONTHDAY: byMonthDay.join(),
    BYDAY: byDay.map(({ ordinal, day }) => `${ordinal ?? ''}${day}`).join(),
    BYSETPOS: bySetPos.join(),
    COUNT: count === null ? '' : String(count),
    UNTIL: until ?? '',
  }
  return PARTS.filter((name) => parts[name] !== '')
    .map((name) => `${name}=${parts[name]}`)
    .join(';')
}

/** The first pair of parts that cannot stand together. */
function clashOf({ freq, byMonth, byMonthDay, byDay, bySetPos, count, until }: Recurrence): Said | null {
  const ordinal = byDay.find((one) => one.ordinal !== null)
  if (ordinal && (freq === 'DAILY' || freq === 'WEEKLY'))
    return said('BYDAY takes ordinals with FREQ=MONTHLY and FREQ=YEARLY only, got {got} with FREQ={freq}', {
      got: `${ordinal.ordinal}${ordinal.day}`,
      freq,
    })
  const beside = byMonthDay.length > 0 ? 'BYMONTHDAY' : 'BYSETPOS'
  if (ordinal && countsInYear({ freq, byMonth }) && byMonthDay.length + bySetPos.length > 0)
    return said('BYDAY takes ordinals beside {beside} with FREQ=MONTHLY or with BYMONTH only, got {got}', {
      beside,
      got: `${ordinal.ordinal}${ordinal.day}`,
    })
  if (byMonthDay.length > 0 && freq === 'WEEKLY')
    return said('BYMONTHDAY takes FREQ=DAILY, FREQ=MONTHLY or FREQ=YEARLY, got FREQ=WEEKLY')
  if (bySetPos.length > 0 && byMonth.length + byMonthDay.length + byDay.length === 0)
    return said('BYSETPOS needs BYDAY, BYMONTHDAY or BYMONTH to choose from, got none of them')
  if (count !== null && until !== null) return said('takes COUNT or UNTIL, got both')
  return null
}

/** Whether ordinals count the days of a year: they count those of a month else. */
export function countsInYear({ freq, byMonth }: Pick<Recurrence, 'freq' | 'byMonth'>): boolean {
  return freq === 'YEARLY' && byMonth.length === 0
}

function isPart(name: string): name is Part {
  return PARTS.some((part) => part === name)
}

function numberOf(max: number) {
  return (value: string): number | null => {
    const number = /^\d{1,4}$/.test(value) ? Number(value) : 0
    return number >= 1 && number <= max ? number : null
  }
}

function signed(max: number) {
  return (value: string): number | null => {
    const number = numberOf(max)(value.replace(/^[+-]/, ''))
    return number !== null && value.startsWith('-') ? -number : number
  }
}

function dayOf(maxOrdinal: number) {
  return (value: string): RuleDay | null => {
    const day = WEEKDAYS.find((name) => value.endsWith(name))
    if (!day) return null
    if (value === day) return { ordinal: null, day }
    const ordinal = signed(maxOrdinal)(value.slice(0, -2))
    return ordinal === null ? null : { ordinal, day }
  }
}

/** A repeated value counts once. */
function listOf<T>(read: (value: string) => T | null) {
  return (list: string): T[] | null => {
    const values = [...new Set(list.split(','))].map(read)
    return values.every((value) => value !== null) ? values : null
  }
}

function untilOf(value: string): string | null {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})Z?)?$/.exec(value) ?? []
  const date = `${year}-${month}-${day}`
  const isKnown =
    hour === undefined
      ? LocalDate.safeParse(date).success
      : LocalTime.safeParse(`${date}T${hour}:${minute}`).success
  return isKnown && Number(second ?? 0) < 60 ? value : null
}

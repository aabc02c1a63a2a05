import type { Said } from '../../core/language/said.ts'
import { MAX_STATUS_CODE, MIN_STATUS_CODE } from '../../core/monitors/monitor.ts'
import { type Expected, notChecked } from '../expectations.ts'
import { OTHERWISE, UNASKED } from './condition-reasons.ts'
import { otherwise, readCondition } from './read-condition.ts'
import type { Asserted, ConditionReading } from './reading.ts'

/** The conditions of an endpoint, as a monitor checks them. */
export type Conditions = {
  /** Null accepts any code. */
  acceptedCodes: string[] | null
  keyword: string | null
  expected: Expected[]
  warningDays: number | null
  slowestSeconds: number | null
  /** Every condition is about the certificate or the connection. */
  onlyCertificate: boolean
  /** The endpoint is up while its target is unreachable. */
  isInverted: boolean
  /** That, and nothing else. */
  isOnlyInverted: boolean
  /** Remarks on them for a monitor with assertions, and for one without. */
  notes: { ofAsserting: Said[]; ofOthers: Said[] }
}

/** Reads conditions of Gatus, such as `[STATUS] == any(200, 201)` or `[CERTIFICATE_EXPIRATION] > 48h`. */
export function readConditions(conditions: string[]): Conditions {
  const readings = conditions.map((words) => ({ words, reading: readCondition(words) }))
  const read: Conditions = {
    acceptedCodes: null,
    keyword: null,
    expected: [],
    warningDays: null,
    slowestSeconds: null,
    onlyCertificate: readings.every(({ reading }) => isOfConnection(reading)),
    isInverted: readings.some(({ reading }) => reading.kind === 'connected' && !reading.isWanted),
    isOnlyInverted: false,
    notes: { ofAsserting: [], ofOthers: [] },
  }
  let codes: number[] | null = null
  for (const { words, reading } of readings) {
    if (reading.kind === 'status') codes = (codes ?? ALL_CODES).filter(reading.accepts)
    note(read, words, reading)
  }
  read.onlyCertificate &&= read.warningDays !== null
  read.acceptedCodes = codes && rangesOf(codes)
  read.isOnlyInverted = read.isInverted && conditions.length === 1
  return read
}

const ALL_CODES = Array.from(
  { length: MAX_STATUS_CODE - MIN_STATUS_CODE + 1 },
  (_, index) => MIN_STATUS_CODE + index,
)

function isOfConnection(reading: ConditionReading): boolean {
  return reading.kind === 'connected' || (reading.kind === 'asserted' && reading.days !== undefined)
}

/** Adds a condition to `read`, and the remarks on it. */
function note(read: Conditions, words: string, reading: ConditionReading): void {
  const { ofAsserting, ofOthers } = read.notes
  const notAsserted = notChecked(words, UNASKED['of an endpoint other than HTTP'])
  switch (reading.kind) {
    case 'connected':
      return
    case 'unasked':
      ofAsserting.push(notChecked(words, reading.reason))
      ofOthers.push(notChecked(words, reading.reason))
      return
    case 'status':
      ofOthers.push(notAsserted)
      return
    case 'contains':
      ofOthers.push(notAsserted)
      if (read.keyword === null) read.keyword = reading.keyword
      else read.expected.push({ words, assertions: [reading.assertion] })
      return
    case 'asserted':
      if (reading.assertions.length > 0) read.expected.push({ words, assertions: reading.assertions })
      ofAsserting.push(...reading.otherwise.map((difference) => otherwise(words, OTHERWISE[difference])))
      if (!coversBySetting(read, reading)) ofOthers.push(notAsserted)
  }
}

/** Settings of every type that come near: a time-out, and the days of a warning. */
function coversBySetting(read: Conditions, { days, atMostMs }: Asserted): boolean {
  if (days !== undefined) read.warningDays = Math.max(1, days, read.warningDays ?? 0)
  // The shortest timeout is one second.
  const isSlow = atMostMs !== undefined && atMostMs >= 1_000
  if (isSlow)
    read.slowestSeconds = Math.min(atMostMs / 1_000, read.slowestSeconds ?? Number.POSITIVE_INFINITY)
  return days !== undefined || isSlow
}

/** Joins consecutive codes into ranges, such as `200-299`. */
function rangesOf(codes: number[]): string[] {
  const ranges: [number, number][] = []
  for (const code of codes) {
    const last = ranges.at(-1)
    if (last && last[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
}

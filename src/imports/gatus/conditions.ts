import { MAX_STATUS_CODE, MIN_STATUS_CODE } from '../../core/monitors/monitor.ts'
import { secondsOfGoDuration } from './go-duration.ts'

/** The conditions of an endpoint that a monitor can check. */
export type Conditions = {
  /** Null accepts any code. */
  acceptedCodes: string[] | null
  keyword: string | null
  warningDays: number | null
  slowestSeconds: number | null
  /** Every condition is about the certificate or the connection. */
  onlyCertificate: boolean
  /** The endpoint is up while its target is unreachable. */
  isInverted: boolean
  /** That, and nothing else. */
  isOnlyInverted: boolean
  /** Conditions that a monitor cannot check. */
  unasked: string[]
}

/** Reads conditions of Gatus, such as `[STATUS] == any(200, 201)` or `[CERTIFICATE_EXPIRATION] > 48h`. */
export function readConditions(conditions: string[]): Conditions {
  const read: Conditions = {
    acceptedCodes: null,
    keyword: null,
    warningDays: null,
    slowestSeconds: null,
    onlyCertificate: conditions.length > 0,
    isInverted: false,
    isOnlyInverted: false,
    unasked: [],
  }
  let codes: number[] | null = null
  for (const condition of conditions) {
    const [, left = '', operator = '', right = ''] =
      /^\s*(.+?) (==|!=|<=|>=|<|>) (.+?)\s*$/.exec(condition) ?? []
    if (left !== '[CERTIFICATE_EXPIRATION]' && left !== '[CONNECTED]') read.onlyCertificate = false
    const narrowed = left === '[STATUS]' ? codesThat(operator, right) : null
    if (narrowed) codes = codes ? codes.filter((code) => narrowed.includes(code)) : narrowed
    else if (!note(read, left, operator, right)) read.unasked.push(condition)
  }
  read.onlyCertificate &&= read.warningDays !== null
  read.acceptedCodes = codes && rangesOf(codes)
  read.isOnlyInverted = read.isInverted && conditions.length === 1
  return read
}

/** The codes that satisfy a condition; null if it is not supported. */
function codesThat(operator: string, right: string): number[] | null {
  const options = /^any\((.*)\)$/.exec(right)?.[1]?.split(',') ?? [right]
  const wanted = options.map((option) => (/^\s*\d+\s*$/.test(option) ? Number(option) : Number.NaN))
  const [bound = Number.NaN] = wanted
  if (wanted.some(Number.isNaN)) return null
  const satisfied: Record<string, (code: number) => boolean> = {
    '==': (code) => wanted.includes(code),
    '!=': (code) => !wanted.includes(code),
    '<': (code) => code < bound,
    '<=': (code) => code <= bound,
    '>': (code) => code > bound,
    '>=': (code) => code >= bound,
  }
  const count = MAX_STATUS_CODE - MIN_STATUS_CODE + 1
  const all = Array.from({ length: count }, (_, index) => MIN_STATUS_CODE + index)
  return all.filter((code) => satisfied[operator]?.(code))
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

/** Adds a condition to `read`; false if a monitor cannot check it. */
function note(read: Conditions, left: string, operator: string, right: string): boolean {
  const isUpper = operator === '<' || operator === '<='
  const isLower = operator === '>' || operator === '>='
  if (left === '[CONNECTED]' && (operator === '==' || operator === '!=')) {
    read.isInverted ||= (right === 'true') !== (operator === '==')
    return true
  }
  if (left === '[BODY]' && operator === '==' && read.keyword === null) {
    read.keyword = keywordOf(right)
    return read.keyword !== null
  }
  if (left === '[CERTIFICATE_EXPIRATION]' && isLower) {
    const seconds = secondsOfGoDuration(right)
    read.warningDays = seconds === null ? null : Math.max(1, Math.ceil(seconds / 86_400))
    return seconds !== null
  }
  if (left === '[RESPONSE_TIME]' && isUpper) {
    const seconds = secondsOfGoDuration(right) ?? Number(right) / 1_000
    // The shortest timeout is one second.
    if (!(seconds >= 1)) return false
    read.slowestSeconds = Math.min(seconds, read.slowestSeconds ?? seconds)
    return true
  }
  return false
}

/** The text of `pat(*text*)`, or plain text; null for other patterns. */
function keywordOf(right: string): string | null {
  const pattern = /^pat\((.*)\)$/.exec(right)?.[1]
  if (pattern === undefined) return /^(any|len|has)\(/.test(right) ? null : right
  const text = /^\*(.+)\*$/.exec(pattern)?.[1] ?? null
  return text && !/[*?[\]\\]/.test(text) ? text : null
}

import type { Assertion, Scalar } from '../../core/expectations/assertion.ts'
import { patternOf as compiled } from '../../core/expectations/pattern.ts'
import { type Said, said } from '../../core/language/said.ts'
import { equalTo, escaped, expect, scalarsOf } from '../expectations.ts'
import { OTHERWISE, UNASKED } from './condition-reasons.ts'
import { type Glob, readGlob } from './glob.ts'
import { boundOfNumber, boundOfWhole, integerOf, isInOrder, type Order, wholeOf } from './numbers.ts'
import { type Operand, operandOf } from './operands.ts'

/** A condition of Gatus as a monitor can check it. */
export type Reading =
  | { kind: 'status'; accepts: (code: number) => boolean }
  | { kind: 'connected'; isWanted: boolean }
  /** A body with a text in it: the first one is the keyword of the monitor. */
  | { kind: 'contains'; keyword: string; assertion: Assertion }
  | {
      kind: 'asserted'
      assertions: Assertion[]
      otherwise: (keyof typeof OTHERWISE)[]
      /** The days that must be left of the certificate. */
      days?: number
      /** The response may take so long. */
      atMostMs?: number
    }
  | { kind: 'unasked'; reason: Said }

type Sign = '==' | '!=' | Order

const DAY_MS = 86_400_000
/** In the order in which Gatus looks for them. */
const SIGNS: readonly Sign[] = ['==', '!=', '<=', '>=', '>', '<']
const MIRRORED: Record<Sign, Sign> = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** JSON that is there and not null; as `nul` is of the letters of null, a text of them alone is taken for it. */
const NOT_NULL = '^$|[^nul]'

const UNREADABLE: Reading = { kind: 'unasked', reason: UNASKED['anything else'] }

export function readCondition(words: string): Reading {
  const sign = SIGNS.find((each) => words.includes(` ${each} `))
  if (sign === undefined) return UNREADABLE
  const [left = '', right = ''] = words.split(` ${sign} `).map((side) => side.trim())
  const [first, second] = [operandOf(left), operandOf(right)]
  if (first && second) return { kind: 'unasked', reason: UNASKED['[BODY].a == [BODY].b'] }
  if (first) return read(first, sign, right)
  return second ? read(second, MIRRORED[sign], left) : UNREADABLE
}

export function otherwise(words: string, difference: Said): Said {
  return said('its condition {condition}: {difference}', { condition: words, difference })
}

function read(operand: Operand, sign: Sign, text: string): Reading {
  const { part, call, name } = operand
  if (part === 'unasked') return { kind: 'unasked', reason: UNASKED[name as keyof typeof UNASKED] }
  if (part === 'body' && call === 'len') return { kind: 'unasked', reason: UNASKED['len([BODY])'] }
  if (call === 'has') return readTruth(sign, text, (isWanted) => readPresence(operand, isWanted))
  if (call === 'len') return part === 'json' ? readLength(name, sign, text) : UNREADABLE
  switch (part) {
    case 'status':
      return readStatus(sign, text)
    case 'connected':
      return readTruth(sign, text, (isWanted) => ({ kind: 'connected', isWanted }))
    case 'time':
      return readTime(sign, text)
    case 'certificate':
      return readCertificate(sign, text)
    default:
      return sign === '==' || sign === '!=' ? readEqual(operand, sign, text) : readOrder(operand, sign, text)
  }
}

function readStatus(sign: Sign, text: string): Reading {
  if (sign !== '==' && sign !== '!=') {
    const limit = wholeOf(text)
    return limit === null ? UNREADABLE : { kind: 'status', accepts: (code) => isInOrder(code, sign, limit) }
  }
  const isWanted = sign === '=='
  const pattern = insideOf('pat', text)
  if (pattern !== null) {
    const glob = readGlob(pattern)
    if (glob === null) return UNREADABLE
    const { isAllOf } = compiled(patternOf(glob))
    return { kind: 'status', accepts: (code) => isAllOf(String(code)) === isWanted }
  }
  const options = optionsOf(text).map(integerOf)
  if (options.includes(null)) return UNREADABLE
  return { kind: 'status', accepts: (code) => options.includes(code) === isWanted }
}

function readTruth(sign: Sign, text: string, reading: (isWanted: boolean) => Reading): Reading {
  if ((sign !== '==' && sign !== '!=') || (text !== 'true' && text !== 'false')) return UNREADABLE
  return reading((text === 'true') === (sign === '=='))
}

function readTime(sign: Sign, text: string): Reading {
  const ms = wholeOf(text)
  if (ms === null) return UNREADABLE
  if (sign === '==' || sign === '!=') return asserted([expect('response_time_ms', sign === '==' ? 'equals' : 'not_equals', { target: ms })])
  const { comparison, target } = boundOfWhole(sign, ms)
  const reading = asserted([expect('response_time_ms', comparison, { target })])
  return reading.kind === 'asserted' && (sign === '<' || sign === '<=') ? { ...reading, atMostMs: ms } : reading
}

/** Whole days are left of a certificate here, and milliseconds there. */
function readCertificate(sign: Sign, text: string): Reading {
  const ms = wholeOf(text)
  if (ms === null || (sign !== '>' && sign !== '>=')) return UNREADABLE
  const days = Math.ceil(ms / DAY_MS)
  const reading = asserted(
    [expect('certificate_days', 'at_least', { target: days })],
    ms % DAY_MS === 0 ? [] : ['wholeDays'],
  )
  return reading.kind === 'asserted' ? { ...reading, days } : reading
}

/** There is nothing in Gatus where there is null. */
function readPresence({ part, name }: Operand, isWanted: boolean): Reading {
  if (part === 'header') return asserted([expect('header', isWanted ? 'exists' : 'not_exists', { property: name })])
  if (part === 'body') return asserted([expect('body', isWanted ? 'matches' : 'not_matches', { target: '\\S' })])
  if (part !== 'json') return UNREADABLE
  const there = [
    expect('json', 'exists', { property: name }),
    expect('json', 'not_equals', { property: name, target: null }),
  ]
  return asserted(isWanted ? there : [expect('json', 'not_matches', { property: name, target: NOT_NULL })])
}

/** `length()` of JSONPath counts the characters of a text and the elements of an array, as `len()` does. */
function readLength(path: string, sign: Sign, text: string): Reading {
  const count = wholeOf(text)
  if (count === null) return UNREADABLE
  // What is not there has no length, and is shorter than anything.
  const opposite = sign === '!=' ? '==' : sign === '<' ? '>=' : sign === '<=' ? '>' : null
  const property = `$[?length(${path}) ${opposite ?? sign} ${count}]`
  return asserted([expect('json', opposite === null ? 'exists' : 'not_exists', { property })])
}

function readOrder({ part, name }: Operand, sign: Order, text: string): Reading {
  const limit = wholeOf(text)
  if (limit === null) return UNREADABLE
  const { comparison, target } = boundOfNumber(sign, limit)
  return asserted(
    [expect(part as 'body' | 'json' | 'header', comparison, { ...propertyOf(part, name), target })],
    isInOrder(0, sign, limit) ? ['withoutNumber'] : [],
  )
}

function readEqual({ part, name }: Operand, sign: '==' | '!=', text: string): Reading {
  const isWanted = sign === '=='
  const pattern = insideOf('pat', text)
  if (part === 'json' && pattern === null && /^[{[]/.test(text))
    return { kind: 'unasked', reason: UNASKED['[BODY].a == {"b": 1}'] }
  if (pattern === null) {
    if (part === 'body') return matching('body', {}, anyOf(optionsOf(text).map(escaped)), isWanted)
    const targets = [...new Set(optionsOf(text).flatMap(scalarsThere))]
    return equal(part as 'json' | 'header', propertyOf(part, name), targets, isWanted)
  }
  // Even of what is not there.
  if (/^\*+$/.test(pattern)) return isWanted ? asserted([]) : UNREADABLE
  const glob = readGlob(pattern)
  if (glob === null) return UNREADABLE
  if (glob.comparison === 'contains') return readContains(part, name, glob.target, isWanted)
  if (part === 'body') return matching('body', {}, patternOf(glob), isWanted)
  const source = part as 'json' | 'header'
  const property = propertyOf(part, name)
  if (glob.comparison === 'equals') return equal(source, property, scalarsOf(glob.target), isWanted)
  if (glob.comparison === 'matches' || !isWanted) return matching(source, property, patternOf(glob), isWanted)
  return asserted([expect(source, glob.comparison, { ...property, target: glob.target })])
}

function equal(
  source: 'json' | 'header',
  property: Pick<Assertion, 'property'>,
  targets: Scalar[],
  isWanted: boolean,
): Reading {
  const { comparison, target } = equalTo(targets, isWanted)
  return asserted([expect(source, comparison, { ...property, target })])
}

function readContains(part: Operand['part'], name: string, target: string, isWanted: boolean): Reading {
  const assertion = expect(part as 'body' | 'json' | 'header', isWanted ? 'contains' : 'not_contains', {
    ...propertyOf(part, name),
    target,
  })
  return assertion && part === 'body' && isWanted
    ? { kind: 'contains', keyword: target, assertion }
    : asserted([assertion])
}

/** A whole text that a pattern of RE2 matches. Gatus trims a body before it compares it. */
function matching(
  source: 'body' | 'json' | 'header',
  property: Pick<Assertion, 'property'>,
  pattern: string,
  isWanted: boolean,
): Reading {
  const around = source === 'body' ? '\\s*' : ''
  const flag = /\.\*|\[\^/.test(pattern) ? '(?s)' : ''
  const target = `${flag}^${around}${pattern}${around}$`
  return asserted([expect(source, isWanted ? 'matches' : 'not_matches', { ...property, target })])
}

/** The parts of a pattern of RE2 for the whole text. */
function patternOf({ comparison, target }: Glob): string {
  if (comparison === 'matches') return target
  const before = comparison === 'ends_with' || comparison === 'contains' ? '.*' : ''
  const after = comparison === 'starts_with' || comparison === 'contains' ? '.*' : ''
  return `${before}${escaped(target)}${after}`
}

function anyOf(patterns: string[]): string {
  const [only] = patterns
  return patterns.length === 1 && only !== undefined ? only : `(?:${patterns.join('|')})`
}

function scalarsThere(text: string): Scalar[] {
  const number = integerOf(text)
  return number === null ? scalarsOf(text) : [...scalarsOf(String(number)), ...(String(number) === text ? [] : [text])]
}

function propertyOf(part: Operand['part'], name: string): Pick<Assertion, 'property'> {
  return part === 'body' ? {} : { property: name }
}

/** The texts of `any(a, b)`, or the one. */
function optionsOf(text: string): string[] {
  return insideOf('any', text)?.split(',').map((option) => option.trim()) ?? [text]
}

function insideOf(call: 'pat' | 'any', text: string): string | null {
  return text.startsWith(`${call}(`) && text.endsWith(')') ? text.slice(call.length + 1, -1) : null
}

function asserted(assertions: (Assertion | null)[], differences: (keyof typeof OTHERWISE)[] = []): Reading {
  const fit = assertions.filter((assertion) => assertion !== null)
  if (fit.length < assertions.length)
    return { kind: 'unasked', reason: UNASKED['a text or path that is too long'] }
  return { kind: 'asserted', assertions: fit, otherwise: differences }
}

import { patternOf as compiled } from '../../core/expectations/pattern.ts'
import { type Said, said } from '../../core/language/said.ts'
import { expect } from '../expectations.ts'
import { UNASKED } from './condition-reasons.ts'
import { patternOf, readGlob } from './glob.ts'
import { boundOfNumber, boundOfWhole, integerOf, isInOrder, type Order, wholeOf } from './numbers.ts'
import { type Operand, operandOf } from './operands.ts'
import { asserted, type ConditionReading, UNREADABLE } from './reading.ts'
import { expectAt, insideOf, optionsOf, type Place, readEqual } from './texts.ts'

type Sign = '==' | '!=' | Order

const DAY_MS = 86_400_000
/** In the order in which Gatus looks for them. */
const SIGNS: readonly Sign[] = ['==', '!=', '<=', '>=', '>', '<']
const MIRRORED: Record<Sign, Sign> = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** JSON that is there and not null; as `nul` is of the letters of null, a text of them alone is taken for it. */
const NOT_NULL = '^$|[^nul]'

export function readCondition(words: string): ConditionReading {
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

function read(operand: Operand, sign: Sign, text: string): ConditionReading {
  const { part, call, name } = operand
  if (part === 'unasked') return { kind: 'unasked', reason: UNASKED[name as keyof typeof UNASKED] }
  if (part === 'body' && call === 'len') return { kind: 'unasked', reason: UNASKED['len([BODY])'] }
  if (call === 'has') return readTruth(sign, text, (isWanted) => readPresence(operand, isWanted))
  if (call === 'len') return part === 'json' ? readLength(name, sign, text) : UNREADABLE
  switch (part) {
    case 'status':
      return readStatus(sign, text)
    case 'code':
      // That of an answer with a record.
      return sign === '==' && text === 'NOERROR'
        ? { kind: 'connected', isWanted: true }
        : { kind: 'unasked', reason: UNASKED['[DNS_RCODE]'] }
    case 'connected':
      return readTruth(sign, text, (isWanted) => ({ kind: 'connected', isWanted }))
    case 'time':
      return readTime(sign, text)
    case 'certificate':
      return readCertificate(sign, text)
    default: {
      const place = placeOf(part, name)
      return sign === '==' || sign === '!='
        ? readEqual(place, text, sign === '==')
        : readOrder(place, sign, text)
    }
  }
}

function placeOf(part: Place['source'], name: string): Place {
  return part === 'body' ? { source: part } : { source: part, property: name }
}

function readStatus(sign: Sign, text: string): ConditionReading {
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

function readTruth(
  sign: Sign,
  text: string,
  reading: (isWanted: boolean) => ConditionReading,
): ConditionReading {
  if ((sign !== '==' && sign !== '!=') || (text !== 'true' && text !== 'false')) return UNREADABLE
  return reading((text === 'true') === (sign === '=='))
}

function readTime(sign: Sign, text: string): ConditionReading {
  const ms = sign === '==' || sign === '!=' ? integerOf(text) : wholeOf(text)
  if (ms === null) return UNREADABLE
  if (sign === '==' || sign === '!=')
    return asserted([expect('response_time_ms', sign === '==' ? 'equals' : 'not_equals', { target: ms })])
  const { comparison, target } = boundOfWhole(sign, ms)
  const isMost = sign === '<' || sign === '<='
  return asserted([expect('response_time_ms', comparison, { target })], isMost ? { atMostMs: ms } : {})
}

/** Whole days are left of a certificate here, and milliseconds there. */
function readCertificate(sign: Sign, text: string): ConditionReading {
  const ms = wholeOf(text)
  if (ms === null || (sign !== '>' && sign !== '>=')) return UNREADABLE
  const days = Math.ceil(ms / DAY_MS)
  return asserted([expect('certificate_days', 'at_least', { target: days })], {
    days,
    otherwise: ms % DAY_MS === 0 ? [] : ['wholeDays'],
  })
}

/** There is nothing in Gatus where there is null. */
function readPresence({ part, name }: Operand, isWanted: boolean): ConditionReading {
  if (part !== 'header' && part !== 'body' && part !== 'json') return UNREADABLE
  const place = placeOf(part, name)
  if (part === 'header') return asserted([expectAt(place, isWanted ? 'exists' : 'not_exists')])
  if (part === 'body') return asserted([expectAt(place, isWanted ? 'matches' : 'not_matches', '\\S')])
  if (!isWanted) return asserted([expectAt(place, 'not_matches', NOT_NULL)])
  return asserted([expectAt(place, 'exists'), expectAt(place, 'not_equals', null)])
}

/** `length()` of JSONPath counts the characters of a text and the elements of an array, as `len()` does. */
function readLength(path: string, sign: Sign, text: string): ConditionReading {
  const count = wholeOf(text)
  if (count === null) return UNREADABLE
  // A value that is missing has no length, and is shorter than anything.
  const opposite = sign === '!=' ? '==' : sign === '<' ? '>=' : sign === '<=' ? '>' : null
  const property = `$[?length(${path}) ${opposite ?? sign} ${count}]`
  return asserted([expect('json', opposite === null ? 'exists' : 'not_exists', { property })])
}

function readOrder(place: Place, sign: Order, text: string): ConditionReading {
  const limit = wholeOf(text)
  if (limit === null) return UNREADABLE
  const { comparison, target } = boundOfNumber(sign, limit)
  return asserted([expectAt(place, comparison, target)], {
    otherwise: isInOrder(0, sign, limit) ? ['withoutNumber'] : [],
  })
}

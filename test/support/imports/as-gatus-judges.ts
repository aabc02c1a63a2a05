/** An answer as both services see it. */
export type SeenAnswer = {
  status: number
  body: string
  headers?: Record<string, string>
  ms?: number
  /** Days, with fractions, that are left of the certificate. */
  certificateDays?: number
}

const INVALID = '(INVALID)'
const OPERATORS = ['==', '!=', '<=', '>=', '>', '<']

/** Whether a condition holds, by what Gatus 5 does: written from its behaviour, to compare what an import gives with it. */
export function holdsInGatus(condition: string, answer: SeenAnswer): boolean {
  const operator = OPERATORS.find((each) => condition.includes(` ${each} `)) ?? ''
  const [left = '', right = ''] = condition
    .split(` ${operator} `)
    .map((side) => resolved(side.trim(), answer))
  if (operator === '==' || operator === '!=') return isEqual(left, right) === (operator === '==')
  const [one, other] = [numberOf(left), numberOf(right)]
  if (operator === '<') return one < other
  if (operator === '<=') return one <= other
  return operator === '>' ? one > other : one >= other
}

function resolved(side: string, answer: SeenAnswer): string {
  const [, call = '', inside = side] = /^(len|has)\((.*)\)$/.exec(side) ?? []
  const text = textOf(inside, answer)
  if (call === 'has') return String(text !== null && !(inside === '[BODY]' && text === ''))
  if (text === null) return `${side} ${INVALID}`
  return call === 'len' ? String(lengthOf(inside, answer, text)) : text
}

/** The text that a placeholder stands for; null for a path or a header that is not there. */
function textOf(
  name: string,
  { status, body, headers = {}, ms = 0, certificateDays = 0 }: SeenAnswer,
): string | null {
  const upper = name.toUpperCase()
  if (upper === '[STATUS]') return String(status)
  if (upper === '[RESPONSE_TIME]') return String(ms)
  if (upper === '[CONNECTED]') return 'true'
  if (upper === '[CERTIFICATE_EXPIRATION]') return String(Math.trunc(certificateDays * 86_400_000))
  if (upper === '[BODY]') return body.trim()
  if (upper.startsWith('[HEADER].')) return headers[name.slice(9).toLowerCase()] ?? null
  if (!/^\[BODY\][.[]/.test(upper)) return name
  const value = valueAt(name.slice(6), body)
  return value === null || value === undefined ? null : printed(value)
}

function valueAt(path: string, body: string): unknown {
  const steps = [...path.matchAll(/\.?([^.[\]]+)|\[(\d+)\]/g)].map(([, key, index]) => key ?? Number(index))
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return undefined
  }
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

/** Numbers from a million on have an exponent in Go, which no condition is written with: none is tried. */
function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(' ')}]`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function lengthOf(name: string, { body }: SeenAnswer, text: string): number {
  const value = valueAt(name.slice(6), body)
  return Array.isArray(value) ? value.length : text.length
}

function isEqual(left: string, right: string): boolean {
  const inside = (call: string, text: string) =>
    text.startsWith(`${call}(`) && text.endsWith(')') ? text.slice(call.length + 1, -1) : null
  const [ofLeft, ofRight] = [inside('pat', left), inside('pat', right)]
  if (ofLeft !== null) return isLike(ofLeft, right)
  if (ofRight !== null) return isLike(ofRight, left)
  const options = inside('any', right)
  if (options !== null) return options.split(',').some((option) => option.trim() === left)
  const [one, other] = [left, right].map((each) =>
    /^[+-]?(\d+|0x[\da-f]+)$/i.test(each) ? Number(each) : null,
  )
  return one !== null && other !== null ? one === other : left === right
}

/** `path.Match` of Go, character by character. */
function isLike(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  const [first = '', ...rest] = pattern
  const after = rest.join('')
  if (first === '*') {
    for (let index = 0; index <= text.length; index++) if (isLike(after, text.slice(index))) return true
    return false
  }
  if (first === '[') {
    const [, not = '', set = '', behind = ''] = /^(\^?)([^\]]+)\](.*)$/s.exec(after) ?? []
    const isIn = [...set.matchAll(/(.)-(.)|(.)/gs)].some(([, low = '', high = '', only]) =>
      only === undefined ? (text[0] ?? '') >= low && (text[0] ?? '') <= high : text[0] === only,
    )
    return text !== '' && isIn !== (not === '^') && isLike(behind, text.slice(1))
  }
  if (first === '\\')
    return text !== '' && text[0] === rest[0] && isLike(rest.slice(1).join(''), text.slice(1))
  return text !== '' && (first === '?' || first === text[0]) && isLike(after, text.slice(1))
}

const MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }

/** A text that is no number is 0, and a fraction is left out. */
function numberOf(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(h|ms|m|s)$/.exec(text) ?? []
  const number = amount === undefined ? Number(text) : Number(amount) * (MS[unit ?? ''] ?? 0)
  return Number.isFinite(number) ? Math.trunc(number) : 0
}

import { pathOf } from '../expectations.ts'

/** A side of a condition that stands for a part of the answer. */
export type Operand = {
  part: 'status' | 'code' | 'time' | 'connected' | 'certificate' | 'body' | 'json' | 'header' | 'unasked'
  call: 'len' | 'has' | null
  /** The JSONPath, or the name of the header; for a part that is not asked, its name among the reasons. */
  name: string
}

const PARTS: Record<string, Operand['part']> = {
  '[STATUS]': 'status',
  '[RESPONSE_TIME]': 'time',
  '[CONNECTED]': 'connected',
  '[CERTIFICATE_EXPIRATION]': 'certificate',
  '[BODY]': 'body',
  '[IP]': 'unasked',
  '[DOMAIN_EXPIRATION]': 'unasked',
  '[DNS_RCODE]': 'code',
}

/** Reads a placeholder, whose name may be in small letters, and the function around it; null for a plain text. */
export function operandOf(text: string): Operand | null {
  const [, call = null, inside = text] = /^(len|has|age)\((.*)\)$/s.exec(text) ?? []
  if (call === 'age') return unasked('age([BODY].time)')
  const upper = inside.toUpperCase()
  const asked = call as Operand['call']
  const part = Object.hasOwn(PARTS, upper) ? PARTS[upper] : undefined
  if (part !== undefined) return { part, call: asked, name: upper }
  if (upper.startsWith('[CONTEXT]')) return unasked('[CONTEXT].name')
  if (upper.startsWith('[HEADER].')) return { part: 'header', call: asked, name: inside.slice(9) }
  if (!/^\[BODY\][.[]/.test(upper)) return null
  if (inside.includes('[*]')) return unasked('[BODY].list[*]')
  const segments = segmentsOf(inside.slice(6).replace(/^\./, ''))
  return segments === null ? unasked('anything else') : { part: 'json', call: asked, name: pathOf(segments) }
}

function unasked(name: string): Operand {
  return { part: 'unasked', call: null, name }
}

/** Names between dots, each with indexes behind it: `users[0].name`, `[0][1]`. */
function segmentsOf(path: string): (string | number)[] | null {
  const segments: (string | number)[] = []
  for (const [place, step] of path.split('.').entries()) {
    const [, name = '', indexes = ''] = /^([^[\]]*)((?:\[\d+\])*)$/.exec(step) ?? []
    if (name === '' && (indexes === '' || place > 0)) return null
    if (name !== '') segments.push(name)
    for (const [, index] of indexes.matchAll(/\[(\d+)\]/g)) segments.push(Number(index))
  }
  return segments
}

/** Numbers that look random: whole ones below a bound. */
export type Random = (below: number) => number

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    // Mulberry32: short, and even enough to pick by.
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)] as T
}

const LONG = 'a'.repeat(70_000)

/** Values that readers of JSON stumble over. */
const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 1.5, -0, 1e308, 2 ** 31, 2 ** 53, -(2 ** 63)],
  ...['', ' ', '0', '-1', 'null', '\0', '\ud800', '\u202egnp', '\u200b', '🎉'.repeat(300), LONG],
  ...['2026-02-30', '9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '24:00', 'Europe/Nowhere'],
  ...['http://', 'https://[::1', 'javascript:alert(1)', '//x', 'http://a:b@c', 'a@b', `${'a.'.repeat(200)}b`],
  ...["'; DROP TABLE teams; --", '%00', '../../etc/passwd', '{{7*7}}', '=1+1', '<script>'],
  ...[[], {}, [[]], [null], { length: 1e9 }, { __proto__: null }, { constructor: { prototype: 1 } }],
  ...[Array.from({ length: 2_000 }, (_, n) => n), nested(500)],
]

/** As it would stand in JSON; `__proto__` among the names. */
const ODD_TEXTS = [
  '',
  '{',
  '[1,',
  'nul',
  '"\\ud800"',
  '{"__proto__":{"a":1}}',
  '1e999',
  '\u0000',
  '[[[[',
  'true',
]

/** A value with one to three of its parts changed, added or left out. */
export function mutateValue(value: unknown, random: Random): unknown {
  let mutated = value
  for (let left = 1 + random(3); left > 0; left--) mutated = mutateOnce(mutated, random)
  return mutated
}

/** The text of a body: of a changed value, or one that is no JSON. */
export function mutateBody(body: unknown, random: Random): string {
  if (random(16) === 0) return pick(ODD_TEXTS, random)
  const text = JSON.stringify(mutateValue(body, random)) ?? ''
  return random(16) === 0 ? mutateText(text, random) : text
}

/** A text with some of it gone, doubled or strange. */
export function mutateText(text: string, random: Random): string {
  const [from, to] = [random(text.length + 1), random(text.length + 1)].sort((a, b) => a - b) as [
    number,
    number,
  ]
  const piece = text.slice(from, to)
  const odd = pick(['', piece, piece + piece, '%', '%ff', '\u202e', '/', '..', '?', ';', '0'], random)
  return text.slice(0, from) + odd + text.slice(to)
}

function mutateOnce(value: unknown, random: Random): unknown {
  if (random(6) === 0 || typeof value !== 'object' || value === null) {
    return typeof value === 'string' && random(2) === 0 ? mutateText(value, random) : pick(ODD_VALUES, random)
  }
  if (Array.isArray(value)) {
    const copy = [...value]
    const at = random(copy.length + 1)
    if (random(3) === 0) copy.splice(at, 1)
    else copy[at] = mutateOnce(copy[at], random)
    return copy
  }
  const entries = Object.entries(value)
  const [name, member] = entries[random(entries.length + 1)] ?? ['unknown', null]
  const others = entries.filter(([other]) => other !== name)
  if (random(4) === 0) return Object.fromEntries(others)
  return Object.fromEntries([...others, [name, mutateOnce(member, random)]])
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let left = depth; left > 0; left--) value = [value]
  return value
}

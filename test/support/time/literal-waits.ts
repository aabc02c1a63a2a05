/** A wait whose length somebody wrote down: the machine on which it is too short is still to come. */
export type LiteralWait = { line: number; text: string }

/** Shorter waits only pace a loop, or stand for a moment. */
const MIN_MS = 100
/** Calls that wait, and which of their arguments says how long, counted from 0. */
const WAITS: [call: RegExp, argument: number][] = [
  [/(?<![.\w])setTimeout\(/g, 1],
  // With the function of node:timers/promises, of a socket or of a server.
  [/(?<![\w])setTimeout\(/g, 0],
  [/(?<![.\w])(?:delay|sleep|elapse)\(/g, 0],
  [/\bAbortSignal\.timeout\(/g, 0],
  [/\.waitForTimeout\(/g, 0],
  [/\.setDefault(?:Navigation)?Timeout\(/g, 0],
]
/** `timeout: 5_000`, `attemptTimeoutMs = 5_000`. Seconds are settings of monitors, and named so. */
const NAMED = /\b\w*(?:timeout|patience)(?:_?ms|millis)?(?:: number)? ?[:=] (?<length>[^,;})\n]+)/gi
/** `const MAX_CALL_MS = 5_000`, in a name that says what it is for. */
const BOUNDS = /\bconst (?:\w*(?:PATIENCE|TIMEOUT)\w*|MAX_\w*MS) = (?<length>[^;\n]+)/g
/** `const deadline = Date.now() + 5_000` */
const DEADLINES = /\b\w*(?:deadline|until|end)\w* = (?:Date|performance)\.now\(\) \+ (?<length>[^;\n]+)/gi
/** `Date.now() - began < 5_000`, `tookMs <= 5_000` */
const ELAPSED =
  /(?:\b(?:Date|performance)\.now\(\) - [\w.]+|\b\w*(?:elapsed|took|waited|spent)\w*) [<>]=? (?<length>[\w *+.]+)/gi
const CONSTANT = /\bconst (?<name>[A-Z][A-Z\d_]*) = (?<value>[^;\n]+)/g
const NUMBER = /^\d[\d_]*(?:\.\d+)?$/
/** Longer than any call that says how long it waits. */
const MAX_CALL_LENGTH = 4_000

/** Finds the waits of 100 ms and more that stand as numbers in a file, in a constant of the same file, or in a product. */
export function literalWaits(text: string): LiteralWait[] {
  const code = text.replace(/^ *(?:\/\/|\/?\*).*$/gm, '')
  const constants = new Map(
    [...code.matchAll(CONSTANT)].map(({ groups }) => [groups?.name as string, groups?.value as string]),
  )
  const isLong = (expression: string | undefined) =>
    (lengthOf(expression?.trim() ?? '', constants) ?? 0) >= MIN_MS
  const called = WAITS.flatMap(([call, argument]) =>
    [...code.matchAll(call)].filter((found) =>
      isLong(argumentsAt(code, found.index + found[0].length)[argument]),
    ),
  )
  const written = [NAMED, BOUNDS, DEADLINES, ELAPSED].flatMap((pattern) =>
    [...code.matchAll(pattern)].filter(({ groups }) => isLong(groups?.length)),
  )
  const lines = new Set([...called, ...written].map(({ index }) => code.slice(0, index).split('\n').length))
  const original = text.split('\n')
  return [...lines]
    .sort((a, b) => a - b)
    .map((line) => ({ line, text: (original[line - 1] as string).trim() }))
}

/** The value of a sum of products of numbers, and of constants that are such; null for anything else. */
function lengthOf(expression: string, constants: Map<string, string>): number | null {
  const sum = expression.split('+').map((product) => product.split('*').map((factor) => factor.trim()))
  let total = 0
  for (const factors of sum) {
    let value = 1
    for (const factor of factors) {
      const known = constants.get(factor)
      const one = NUMBER.test(factor)
        ? Number(factor.replaceAll('_', ''))
        : known === undefined
          ? null
          : lengthOf(known, withoutOne(constants, factor))
      if (one === null) return null
      value *= one
    }
    total += value
  }
  return total
}

/** A constant that is made of itself has no value. */
function withoutOne(constants: Map<string, string>, name: string): Map<string, string> {
  const others = new Map(constants)
  others.delete(name)
  return others
}

/** The arguments of a call, from behind its parenthesis on; quotes and brackets within them belong together. */
function argumentsAt(code: string, start: number): string[] {
  const found: string[] = []
  let depth = 0
  let quote: string | null = null
  let from = start
  for (let at = start; at < Math.min(code.length, start + MAX_CALL_LENGTH); at++) {
    const character = code[at] as string
    if (quote !== null) {
      if (character === '\\') at++
      else if (character === quote) quote = null
    } else if (/['"`]/.test(character)) quote = character
    else if (/[([{]/.test(character)) depth++
    else if (/[)\]}]/.test(character) && depth-- === 0) return [...found, code.slice(from, at)]
    else if (character === ',' && depth === 0) {
      found.push(code.slice(from, at))
      from = at + 1
    }
  }
  return []
}

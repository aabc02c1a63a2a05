import {
  Assertions,
  COMPARISONS,
  type Comparison,
  compares,
  SOURCES,
} from '../../src/core/expectations/assertion.ts'
import { type JudgedAnswer, syntaxFault } from '../../src/core/expectations/evaluate.ts'
import { keysOf } from '../../src/core/shape.ts'
import { judgedWithinBound } from '../../src/probes/bounded-evaluation.ts'
import { mutateText, mutateValue, pick, type Random, randomFrom } from './mutate.ts'

/** A judgement may take so much of a core; a check may take twenty times as much before it is ended. */
export const MAX_JUDGEMENT_MS = 50

const PATHS = [
  '$',
  '$.status',
  '$..id',
  '$.jobs[*].state',
  '$.jobs[?@.state == "failed"].name',
  '$.jobs[?match(@.name, "a.*b")]',
  '$.jobs[?search(@.name, "(a|b)+")].at[-1]',
  '$["a b"][0:5:2]',
  '$..[?@.n > 3 && !@.gone]',
  '$.jobs[?count(@.*) > 2]',
  '$.jobs[?length(@.name) >= 3]',
]
const PATTERNS = [
  'ok',
  '^(a+)+$',
  '(x|xx)*y',
  '\\d{1,50}',
  '[^"]*"',
  '(?i)ERROR|warn',
  '.*.*.*=.*',
  '\\p{L}+\\b',
]
const BODY = {
  status: 'ok',
  n: 7,
  'a b': [1, 2, 3, 4, 5, 6],
  jobs: Array.from({ length: 20 }, (_, n) => ({
    id: n,
    name: `aa${n}b`,
    state: n % 3 ? 'done' : 'failed',
    at: [n, n + 1],
  })),
}

export type AssertionTrouble = { why: string; assertions: unknown; body: string }
export type AssertionReport = {
  /** Lists of assertions that the API takes, and those that it refuses. */
  taken: number
  refused: number
  /** Judgements in which nothing was wrong with the answer. */
  met: number
  /** The longest judgement, in ms of a core, and those above the bound. */
  longestMs: number
  slow: AssertionTrouble[]
  /** Exceptions: there is none that a caller expects. */
  troubles: AssertionTrouble[]
}

/**
 * Judges answers that are nearly right by so many lists of assertions that are nearly right, and that the API takes. A seed gives
 * the same ones.
 */
export async function fuzzAssertions(count: number, seed: number): Promise<AssertionReport> {
  const random = randomFrom(seed)
  const report: AssertionReport = { taken: 0, refused: 0, met: 0, longestMs: 0, slow: [], troubles: [] }
  // The first judgement loads the libraries.
  await judgedWithinBound([], answerOf('{}', random))
  while (report.taken < count) {
    const body = bodyOf(random)
    const made =
      random(4) === 0
        ? mutateValue([assertionOf(random)], random)
        : [assertionOf(random), assertionOf(random)]
    // As it would arrive.
    const sent: unknown = JSON.parse(JSON.stringify(made) ?? 'null')
    try {
      const read = Assertions.safeParse(sent)
      if (!read.success || read.data.some((one) => syntaxFault(one) !== null)) {
        report.refused++
        continue
      }
      report.taken++
      const before = process.threadCpuUsage()
      const unmet = await judgedWithinBound(read.data, answerOf(body, random))
      const { user, system } = process.threadCpuUsage(before)
      const tookMs = (user + system) / 1_000
      report.longestMs = Math.max(report.longestMs, tookMs)
      if (unmet === null) report.met++
      if (tookMs > MAX_JUDGEMENT_MS)
        report.slow.push({ why: `${tookMs} ms of a core`, assertions: sent, body })
    } catch (error) {
      report.troubles.push({ why: String(error), assertions: sent, body })
    }
  }
  return report
}

function assertionOf(random: Random): unknown {
  const source = pick(keysOf(SOURCES), random)
  const fitting = keysOf(COMPARISONS).filter((one) => compares(source, one))
  const comparison = pick(fitting, random)
  const { property } = SOURCES[source]
  const path = random(3) === 0 ? mutateText(pick(PATHS, random), random) : pick(PATHS, random)
  return {
    source,
    ...(property === 'needed' && { property: pick(['content-type', 'x-a'], random) }),
    ...(property === 'optional' && { property: path }),
    comparison,
    ...targetOf(comparison, random),
    ...(random(4) === 0 && { severity: 'degraded' }),
  }
}

function targetOf(comparison: Comparison, random: Random): { target?: unknown } {
  switch (COMPARISONS[comparison].takes) {
    case 'nothing':
      return {}
    case 'several':
      return { target: ['ok', 7, null, true].slice(0, 1 + random(4)) }
    case 'number':
    case 'count':
      return { target: random(1_000) }
    case 'pattern':
      return {
        target: random(3) === 0 ? mutateText(pick(PATTERNS, random), random) || 'a' : pick(PATTERNS, random),
      }
    default:
      return { target: pick(['ok', 'aa7b', '7', '🎉'], random) }
  }
}

function bodyOf(random: Random): string {
  const text = JSON.stringify(random(2) === 0 ? mutateValue(BODY, random) : BODY) ?? ''
  return random(4) === 0 ? mutateText(text, random) : text
}

function answerOf(body: string, random: Random): JudgedAnswer {
  const optional = <T>(value: T): T | null => (random(5) === 0 ? null : value)
  return {
    statusCode: optional(200 + random(400)),
    header: (name) => (name === 'content-type' ? 'application/json' : null),
    body: optional(body),
    responseTimeMs: optional(random(3_000)),
    certificateDays: optional(random(90)),
    answer: optional(body.slice(0, 500)),
  }
}

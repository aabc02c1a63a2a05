import { occurrencesBetween } from '../../../src/core/maintenance/occurrence.ts'
import type { RecurringStart } from '../../../src/core/maintenance/wall-clock.ts'
import { randomFrom } from '../history/checks.ts'
import { type RandomWindow, randomWindow } from './random-rules.ts'

const DAY_MS = 86_400_000

export type Comparison = {
  seed: number
  rules: number
  zones: readonly string[]
  /** The first of January of one, to that of the other. */
  years: readonly [number, number]
  /** Rules that the other implementation takes in another way. */
  without?: RegExp
}

/** Random rules, each in every zone. */
export function randomWindows({ seed, rules, zones, years, without }: Comparison): RandomWindow[] {
  const random = randomFrom(seed)
  const windows = Array.from({ length: rules }, () => randomWindow(random, years[0]))
  return windows
    .filter(({ rule }) => !without?.test(rule))
    .flatMap((window) => zones.map((time_zone) => ({ ...window, time_zone })))
}

/**
 * The differences between core and another implementation: a line for each window. `startsBefore` gives the instants
 * at which a window begins, for wall-clock times up to one.
 */
export function differences(
  comparison: Comparison,
  startsBefore: (window: RandomWindow, beforeMs: number, at: number) => number[],
): { wrong: string[]; compared: number } {
  const [fromMs, toMs] = comparison.years.map((year) => Date.UTC(year, 0, 1)) as [number, number]
  const within = (ms: number) => ms >= fromMs && ms < toMs
  let compared = 0
  const wrong = randomWindows(comparison).flatMap((window, at) => {
    const own = occurrencesBetween(window, new Date(fromMs), new Date(toMs))
      .map(({ startsAt }) => startsAt.getTime())
      .filter(within)
    const other = startsBefore(window, toMs + 2 * DAY_MS, at).filter(within)
    compared += other.length
    return own.join() === other.join()
      ? []
      : [`${ruleLine(window)}\n  ${say(own, other)}\n  ${say(other, own)}`]
  })
  return { wrong, compared }
}

function ruleLine({ local_start, time_zone, rule, exceptions }: RecurringStart): string {
  return `${local_start} ${time_zone} ${rule} without ${exceptions.join()}`
}

/** The values that only one of two lists has. */
function say(these: readonly number[], others: readonly number[]): string {
  const only = these.filter((ms) => !others.includes(ms)).slice(0, 3)
  return `${these.length}: ${only.map((ms) => new Date(ms).toISOString()).join()}`
}

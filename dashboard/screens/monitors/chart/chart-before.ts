import { t } from '../../../language/language.ts'

const WEEK_SECONDS = 7 * 86_400

/** A stretch is compared with the one so many weeks before it: days of the week meet, and nothing is in both. */
export function weeksBefore({ from, to }: { from: number; to: number }): number {
  return Math.max(1, Math.ceil((to - from) / WEEK_SECONDS))
}

/** In whole steps: the question stays the same until a step is over. Times are in seconds. */
export function stretchBefore(
  shown: { from: number; to: number },
  stepSeconds: number,
): { from: number; to: number; shiftSeconds: number } {
  const shiftSeconds = weeksBefore(shown) * WEEK_SECONDS
  const to = Math.ceil(shown.to / stepSeconds) * stepSeconds
  return { from: shown.from - shiftSeconds, to: to - shiftSeconds, shiftSeconds }
}

export function sayBefore(weeks: number): string {
  return t('{weeks, plural, one {the week before} other {# weeks before}}', { weeks })
}

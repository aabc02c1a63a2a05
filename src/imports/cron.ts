import { Cron } from 'croner'
import { entryOf } from './fields.ts'

/** Schedules repeat, so any start works. This day, a Monday, starts a week, a month and a year of 365 days. */
export const CRON_FROM_MS = Date.UTC(2029, 0, 1)

const SHORT_FORMS: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

/** The fields of a cron expression, whose short form may be `@daily`. */
export function cronFields(expression: string): string[] {
  return (entryOf(SHORT_FORMS, expression.trim().toLowerCase()) ?? expression).trim().split(/\s+/)
}

/**
 * Seconds from `CRON_FROM_MS` to each run within the first `until` seconds, in UTC, where every day has 24 hours.
 * Throws for an invalid expression.
 */
export function cronRuns(expression: string, until: number): number[] {
  const cron = new Cron(expression, { timezone: 'UTC', mode: '5-part' })
  const found: number[] = []
  // Includes a run at the start itself.
  let at = cron.nextRun(new Date(CRON_FROM_MS - 1_000))
  while (at && at.getTime() < CRON_FROM_MS + until * 1_000) {
    found.push((at.getTime() - CRON_FROM_MS) / 1_000)
    at = cron.nextRun(at)
  }
  return found
}

import * as z from 'zod'
import { phrase } from './language/phrase.ts'

/** The format of every time in answers: `2026-11-21T09:30:00.123000Z`. */
export const Instant = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/,
    phrase('must be a time such as 2026-11-21T09:30:00.123000Z, got {got}'),
  )
  .meta({ format: 'date-time', maxLength: 27 })

export function formatInstant(at: Date): string {
  return `${at.toISOString().slice(0, -1)}000Z`
}

export function formatInstantOrNull(at: Date | null): string | null {
  return at && formatInstant(at)
}

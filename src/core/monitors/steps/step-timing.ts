import * as z from 'zod'
import type { ByteReader, ByteWriter } from '../../bytes.ts'
import { label } from '../../text.ts'

export const MAX_STEPS = 20
/** A check in a browser has up to 30 steps behind the page that it opens first. */
export const MAX_STEP_TIMINGS = 31
/** In characters. */
export const MAX_STEP_NAME = 60
const MAX_MS = 86_400_000

/** In the order of the numbers that they are stored as. `skipped`: an earlier step failed. */
export const STEP_STATUSES = ['up', 'degraded', 'down', 'skipped'] as const

/** How one step of a check went. */
export const StepTiming = z.object({
  name: label(MAX_STEP_NAME).describe('Its name when the check ran.'),
  status: z.enum(STEP_STATUSES).describe('The result; `skipped` for a step that was not begun.'),
  start_ms: z
    .int()
    .min(0)
    .max(MAX_MS)
    .nullable()
    .describe('Milliseconds from the start of the check; null if skipped.'),
  duration_ms: z.int().min(0).max(MAX_MS).nullable().describe('Milliseconds that it took; null if skipped.'),
  // Servers also say 099, or 000.
  http_status_code: z.int().min(0).max(999).nullable().describe('HTTP status that the step received.'),
})
export type StepTiming = z.infer<typeof StepTiming>

/** Writes the steps of one check: names as they are, numbers in one or two bytes each. */
export function writeSteps(writer: ByteWriter, steps: readonly StepTiming[]): void {
  writer.unsigned(steps.length)
  for (const { name, status, start_ms, duration_ms, http_status_code } of steps) {
    writer.text(name)
    writer.unsigned(STEP_STATUSES.indexOf(status))
    writer.signedOrNull(start_ms)
    writer.signedOrNull(duration_ms)
    writer.signedOrNull(http_status_code)
  }
}

export function readSteps(reader: ByteReader): StepTiming[] {
  return Array.from({ length: reader.unsigned() }, () => ({
    name: reader.text(),
    // A status of a later release is one that this one cannot show as passed.
    status: STEP_STATUSES[reader.unsigned()] ?? 'skipped',
    start_ms: reader.signedOrNull(),
    duration_ms: reader.signedOrNull(),
    http_status_code: reader.signedOrNull(),
  }))
}

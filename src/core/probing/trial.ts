import * as z from 'zod'
import { CheckDetail } from '../history/monitor-report.ts'
import { MonitorCreate } from '../monitors/monitor.ts'
import { MAX_RECORD_ID } from '../record-id.ts'
import { ShownAnswer } from './failing-answer.ts'

/** A test may take so much longer than its timeout until a process has taken it on and told the result. */
export const TRIAL_MARGIN_MS = 30_000
/** A test that no process has taken on by then is not waited for any more. */
export const TRIAL_TAKEN_WITHIN_MS = 10_000
/** The result can be read for so long. */
export const TRIAL_KEPT_MS = 60_000
/** Tests of a team in a minute. */
export const TRIALS_PER_MINUTE = 20

/** Settings to try once without saving them. */
export const TrialBody = MonitorCreate.extend({
  /** The monitor that is being changed: without a password, its own is sent. */
  monitor_id: z.int().min(1).max(MAX_RECORD_ID).nullable().default(null),
})
export type TrialBody = z.infer<typeof TrialBody>

/** `waiting`: no process has taken it on yet. `gone`: it was not checked in time, or its result is not kept any more. */
export const Trial = z.object({
  state: z.enum(['waiting', 'checking', 'done', 'gone']),
  check: CheckDetail.extend({ answer: ShownAnswer.nullable() }).nullable(),
})
export type Trial = z.infer<typeof Trial>

import type { Received } from '../logs.ts'
import type { Span } from '../spans.ts'

/** The steps of every monitor's policy, in minutes: seconds after the opening, so that faults fall between them. */
export const STEP_MINUTES = [2 / 60, 5 / 60, 12 / 60]

export type Sent = { messageId: string; event: string; state: string; contact: number }
export type StepRow = {
  number: number
  dueMs: number
  state: string
  doneMs: number | null
  sent: Sent[]
}
/** An incident of a monitor with its steps, and what recovery told the contacts of those. */
export type EscalatedIncident = {
  incident: number
  monitor: number
  resolvedMs: number | null
  steps: StepRow[]
  recoveries: Sent[]
}

export type Escalations = {
  /** Whether every monitor has a policy. */
  isOn: boolean
  incidents: EscalatedIncident[]
  /** The messages to contacts of steps that arrived. */
  received: Received[]
  /** When nobody could execute a step: no database, or nobody who alerts. */
  unable: Span[]
}

import * as z from 'zod'
import { optionalLabel } from '../../text.ts'
import { cutCause, MAX_CAUSE_LENGTH } from '../cause.ts'
import { type CheckResult, resultWithout } from '../check.ts'

/** The word of people and programs about a manual monitor. */
export const ManualState = z.enum(['up', 'down'])
export type ManualState = z.infer<typeof ManualState>

export const SwitchBody = z.object({
  state: ManualState,
  /** Why; the cause of the incident where it is down. */
  message: optionalLabel(MAX_CAUSE_LENGTH).nullable().default(null),
})
export type SwitchBody = z.infer<typeof SwitchBody>

/** The result of what was said. */
export function resultOfWord(state: ManualState, message: string | null): CheckResult {
  const said = cutCause(message?.trim() ?? '')
  if (state === 'down') return resultWithout('down', said || 'it was said to be down')
  return { ...resultWithout('down', ''), status: 'up', errorMessage: null, ...(said && { note: said }) }
}

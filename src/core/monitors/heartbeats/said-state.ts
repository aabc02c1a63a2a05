import * as z from 'zod'
import { text } from '../../text.ts'
import { cutCause, MAX_CAUSE_LENGTH } from '../cause.ts'
import { type CheckResult, resultWithout } from '../check.ts'

/** What people and programs say of a manual monitor. */
export const SaidState = z.enum(['up', 'down'])
export type SaidState = z.infer<typeof SaidState>

export const SwitchBody = z.object({
  state: SaidState,
  /** Why; the cause of the incident where it is down. */
  message: text(MAX_CAUSE_LENGTH).nullable().default(null),
})
export type SwitchBody = z.infer<typeof SwitchBody>

/** The result of what was said. */
export function resultOfWord(state: SaidState, message: string | null): CheckResult {
  const said = cutCause(message?.trim() ?? '')
  if (state === 'down') return resultWithout('down', said || 'it was said to be down')
  return { ...resultWithout('down', ''), status: 'up', errorMessage: null, ...(said && { note: said }) }
}

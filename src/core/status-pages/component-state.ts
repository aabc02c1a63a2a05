import * as z from 'zod'
import { KIND_ENTRIES, type SubjectKind } from '../maintenance/subject-kind.ts'
import type { CheckStatus } from '../monitors/check.ts'

/** The state of a component in the order of how bad it is; `unknown` says that nothing is known, not that it is well. */
export const COMPONENT_STATES = [
  'operational',
  'unknown',
  'maintenance',
  'degraded',
  'partial_outage',
  'major_outage',
] as const
export const ComponentState = z.enum(COMPONENT_STATES)
export type ComponentState = z.infer<typeof ComponentState>

/** States that a person may say: in a post, or of a component without a monitor. */
export const SaidState = ComponentState.exclude(['unknown'])
export type SaidState = z.infer<typeof SaidState>

export function worstState(states: Iterable<ComponentState>): ComponentState {
  let worst = 0
  for (const state of states) worst = Math.max(worst, COMPONENT_STATES.indexOf(state))
  return COMPONENT_STATES[worst] as ComponentState
}

/**
 * The state of a component by its subject. A warning about a monitor or server, as of a certificate that expires soon, is
 * the team's business: visitors can use what works. That of a site is about what they meet. `inWindow`: a maintenance window
 * that pages show applies, whether or not the subject fails. `isMuted`: one that they do not show applies instead, so that a
 * failure is what it would be without it.
 */
export function stateOfSubject(subject: {
  kind: SubjectKind
  status: CheckStatus
  isActive: boolean
  inWindow: boolean
  isMuted?: boolean
}): ComponentState {
  if (subject.inWindow) return 'maintenance'
  if (!subject.isActive) return 'unknown'
  switch (subject.status) {
    case 'up':
      return 'operational'
    case 'degraded':
      return KIND_ENTRIES[subject.kind].warnsVisitors ? 'degraded' : 'operational'
    case 'down':
      return 'major_outage'
    case 'pending':
      return 'unknown'
    default:
      return subject.isMuted ? 'major_outage' : 'maintenance'
  }
}

import { type Addressee, addressees } from '../alerting/alert-routing.ts'
import type { PolicyChain, PolicyStep } from './policy.ts'

/**
 * The rule of what follows an alert while nobody acknowledges: the engine makes rows by it, and the dry run foretells them.
 * Minutes count from the opening of the incident.
 */

const MINUTE_MS = 60_000
/** Contacts alerted of an incident so shortly before are not alerted again: steps and reminders of one minute coincide. */
export const JUST_ALERTED_MS = 30_000

export type Chain = PolicyChain
export const NO_CHAIN: Chain = { steps: [], repeats: 0, repeat_every_minutes: 1 }

export type PlannedKind = 'step' | 'reminder'
/** A step of the policy, counted from 1 in each round, or a reminder, and its time. */
export type Planned = { kind: PlannedKind; number: number; round: number; dueAt: Date }

/** The plan of an incident that opens: one round of steps, and the first reminder. */
export function plannedAtOpening(chain: Chain, reminderMinutes: number | null, from: Date): Planned[] {
  const steps = chain.steps.map((_, index) => stepOf(chain, index + 1, 0, from))
  const first = reminderMinutes === null ? [] : [reminderAfter({ number: 0, at: from }, reminderMinutes)]
  return [...steps, ...first]
}

/** The plan once something is done: the same step of the next round, or the next reminder. */
export function plannedAfter(
  done: Planned,
  {
    chain,
    reminderMinutes,
    from,
    now,
  }: { chain: Chain; reminderMinutes: number | null; from: Date; now: Date },
): Planned | null {
  if (done.kind === 'step') {
    return done.round < chain.repeats ? stepOf(chain, done.number, done.round + 1, from) : null
  }
  if (reminderMinutes === null) return null
  // Those that were missed, during maintenance or while no process ran, are not made up for.
  const isLate = now.getTime() - done.dueAt.getTime() >= MINUTE_MS
  return reminderAfter({ number: done.number, at: isLate ? now : done.dueAt }, reminderMinutes)
}

function stepOf(
  { steps, repeat_every_minutes: every }: Chain,
  number: number,
  round: number,
  from: Date,
): Planned {
  const minutes = round * every + (steps[number - 1]?.after_minutes ?? 0)
  return { kind: 'step', number, round, dueAt: after(from, minutes) }
}

function reminderAfter({ number, at }: { number: number; at: Date }, minutes: number): Planned {
  return { kind: 'reminder', number: number + 1, round: 0, dueAt: after(at, minutes) }
}

function after(at: Date, minutes: number): Date {
  return new Date(at.getTime() + minutes * MINUTE_MS)
}

/** Why something alerted nobody: its schedule has a gap, its contacts are gone or want no alerts, or just got one. */
export type Nobody = 'gap' | 'unreachable' | 'just alerted'

export type Reached<A> = {
  contacts: A[]
  nobody: Nobody | null
  /** A step that finds nobody hands over to the next one at once. */
  handsOver: boolean
}

/** A contact of the team, and when it was last alerted of the incident; null: never. */
export type Reachable = Addressee & { lastAlertedAt: Date | null }

/**
 * The contacts that a step or a reminder alerts. `onCall`: the contacts of who is on call by the schedule of the step; null
 * where nobody is. A reminder goes where the first alert went.
 */
export function reachedBy<A extends Reachable>(
  step: Pick<PolicyStep, 'contact_ids' | 'schedule_id'> | null,
  contacts: A[],
  onCall: readonly number[] | null,
  at: Date,
): Reached<A> {
  const meant = step ? meantBy(step, contacts, onCall) : addressees(contacts, 'monitor.down')
  if (meant.length === 0) {
    const nobody = step && step.schedule_id !== null && onCall === null ? 'gap' : 'unreachable'
    return { contacts: [], nobody, handsOver: step !== null }
  }
  const reached = meant.filter(({ lastAlertedAt }) => !isJustAlerted(lastAlertedAt, at))
  return { contacts: reached, nobody: reached.length === 0 ? 'just alerted' : null, handsOver: false }
}

function meantBy<A extends Reachable>(
  { contact_ids, schedule_id }: Pick<PolicyStep, 'contact_ids' | 'schedule_id'>,
  contacts: A[],
  onCall: readonly number[] | null,
): A[] {
  const ids = new Set(schedule_id === null ? contact_ids : (onCall ?? []))
  return contacts.filter(({ contactId, notifyOnDown }) => notifyOnDown && ids.has(contactId))
}

function isJustAlerted(lastAlertedAt: Date | null, at: Date): boolean {
  return lastAlertedAt !== null && at.getTime() - lastAlertedAt.getTime() < JUST_ALERTED_MS
}

import { addressees } from '../alerting/alert-routing.ts'
import {
  type Chain,
  type Nobody,
  type Planned,
  type PlannedKind,
  plannedAfter,
  plannedAtOpening,
  type Reachable,
  reachedBy,
} from './escalation.ts'

/** An event of a dry run: the first alert, then steps and reminders. */
export type DryRunEvent<A> = {
  kind: 'alert' | PlannedKind
  number: number
  round: number
  at: Date
  scheduleId: number | null
  contacts: A[]
  unreached: Nobody | null
}

export type DryRunSetting<A> = {
  chain: Chain
  reminderMinutes: number | null
  /** All contacts of the team; those of the subject are `attached`. */
  contacts: Omit<A, 'lastAlertedAt'>[]
  /** Contacts of who is on call then; null where nobody is. */
  onCallAt: (scheduleId: number, at: Date) => readonly number[] | null
  /** Until when maintenance applies to the subject at a time; null where none does. */
  restsUntil: (at: Date) => Date | null
}

/**
 * The events that follow if a subject fails at a time and nobody acknowledges, in order, up to `until`, `limit` at most. A
 * failure under maintenance opens an incident when that ends.
 */
export function dryRun<A extends Reachable>(
  setting: DryRunSetting<A>,
  failsAt: Date,
  { until, limit }: { until: Date; limit: number },
): DryRunEvent<A>[] {
  const { chain, reminderMinutes: minutes, restsUntil } = setting
  const from = restsUntil(failsAt) ?? failsAt
  let contacts = setting.contacts.map((contact) => ({ ...contact, lastAlertedAt: null }) as A)
  const alerted = (ones: A[], at: Date) => {
    const ids = new Set(ones.map(({ contactId }) => contactId))
    contacts = contacts.map((one) => (ids.has(one.contactId) ? { ...one, lastAlertedAt: at } : one))
  }
  const first = addressees(contacts, 'monitor.down')
  const unreached = first.length === 0 ? 'unreachable' : null
  const events: DryRunEvent<A>[] = [
    { kind: 'alert', number: 0, round: 0, at: from, scheduleId: null, contacts: first, unreached },
  ]
  alerted(first, from)
  let waiting = plannedAtOpening(chain, minutes, from)
  while (events.length < limit) {
    // Several may be due at one time: the one that was planned first comes first.
    const [next] = waiting.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
    if (!next) break
    const rest = waiting.filter((one) => one !== next)
    const at = restsUntil(next.dueAt) ?? next.dueAt
    if (at > until) break
    const step = next.kind === 'step' ? (chain.steps[next.number - 1] ?? null) : null
    const scheduleId = step?.schedule_id ?? null
    const onCall = scheduleId === null ? null : setting.onCallAt(scheduleId, at)
    const reached = reachedBy(step, contacts, onCall, at)
    const { kind, number, round } = next
    events.push({
      kind,
      number,
      round,
      at,
      scheduleId,
      contacts: reached.contacts,
      unreached: reached.nobody,
    })
    alerted(reached.contacts, at)
    const follows = plannedAfter(next, { chain, reminderMinutes: minutes, from, now: at })
    const left = reached.handsOver ? handOver(next, rest, at) : rest
    waiting = follows ? [...left, follows] : left
  }
  return events
}

/** The next step of the round comes at once. */
function handOver({ number, round }: Planned, waiting: Planned[], at: Date): Planned[] {
  const isNext = (one: Planned) => one.kind === 'step' && one.round === round && one.number === number + 1
  return waiting.map((one) => (isNext(one) && one.dueAt > at ? { ...one, dueAt: at } : one))
}

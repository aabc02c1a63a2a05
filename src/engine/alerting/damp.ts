import type { Alert } from '../../core/alerting/alert.ts'
import {
  changesWithin,
  type Damping,
  dampingOf,
  type FlapRule,
  flappingAlert,
} from '../../core/alerting/flapping.ts'
import { formatInstant } from '../../core/instant.ts'
import type { Connection } from '../../postgres/database.ts'
import {
  beginFlap,
  type FlapKey,
  goOnFlapping,
  noteHold,
  readFlapStanding,
} from '../../store/alerting/flaps.ts'
import { type Telling, tell } from './tell.ts'

/** The beginning or the end of an incident, as it may be told. */
export type ChangeToTell = {
  about: string | null
  at: Date
  /** False for an incident that began before and is told late. */
  isNew: boolean
}

export type Damped = {
  damping: Damping
  /** The rule that was broken, and how often it changed within its minutes. */
  rule: FlapRule
  changes: number
  /** The alert of its incident does not wait yet because it flaps. */
  isUnheld: boolean
}

/** Whether a change is told; null without a rule. `isWritten`: its incident says so already. */
export async function readDamping(
  client: Connection,
  rule: FlapRule | null | undefined,
  { subject, about, at, isNew }: ChangeToTell & FlapKey,
  isWritten: boolean,
): Promise<Damped | null> {
  if (!rule) return null
  const read = await readFlapStanding(client, { subject, about })
  const standing = { ...read, changes: isNew && !isWritten ? [...read.changes, at] : read.changes }
  return {
    damping: dampingOf(rule, standing, at),
    rule,
    changes: changesWithin(rule, standing, at),
    isUnheld: !read.holdsOpen,
  }
}

type DampedTelling = Telling & { incidentId: number }

/** Tells that something flaps in place of a change, or keeps the alert of the change until it is steady again. */
export async function tellDamped(
  client: Connection,
  { damping, rule, changes, isUnheld }: Damped,
  { about, at, isNew }: ChangeToTell,
  telling: DampedTelling,
): Promise<void> {
  const { teamId, subject, alert, incidentId, told } = telling
  if (damping === 'begin') {
    const { minutes } = rule
    const stored = JSON.stringify(alert)
    await beginFlap(client, { subject, about, teamId, at, minutes, changes, incidentId, alert: stored })
    const flapping = { since: formatInstant(at), changes, minutes }
    await tell(client, {
      ...{ teamId, subject, incidentId },
      alert: flappingAlert({ ...alert, occurredAt: formatInstant(at) }, flapping),
      ...(told && { told: { ...told, acknowledged: null } }),
    })
  } else if (damping === 'wait' && (isNew || isUnheld)) {
    await goOnFlapping(client, { subject, about, isChange: isNew, alert: waitingOf(alert) })
  }
}

/** Once it has recovered nothing waits. */
function waitingOf(alert: Alert): string | null {
  return alert.event.endsWith('.recovery') ? null : JSON.stringify(alert)
}

type Undamped = { rule: FlapRule | null | undefined; change: ChangeToTell }

/** Tells of an incident that has begun, unless its subject flaps. */
export async function tellBeginning(
  client: Connection,
  { rule, change }: Undamped,
  telling: DampedTelling,
): Promise<void> {
  const { teamId, subject, incidentId } = telling
  const damped = await readDamping(client, rule, { ...change, subject }, true)
  if (!damped || damped.damping === 'tell') return tell(client, telling)
  await noteHold(client, { kind: subject.kind, teamId, incidentId }, { isFlapping: true, isUntold: true })
  await tellDamped(client, damped, change, telling)
}

/** Tells of an incident that is over, unless its subject flaps, or its alert waited to the end. */
export async function tellEnd(
  client: Connection,
  { rule, change, isUntold }: Undamped & { isUntold: boolean },
  telling: DampedTelling,
): Promise<void> {
  const damped = await readDamping(client, rule, { ...change, subject: telling.subject }, true)
  if (damped && damped.damping !== 'tell' && !(damped.damping === 'begin' && isUntold))
    await tellDamped(client, damped, change, telling)
  else if (!isUntold) await tell(client, telling)
}

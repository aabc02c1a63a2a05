import type { Ancestor, Hold } from '../../core/monitors/options/dependencies.ts'
import { holdOf } from '../../core/monitors/options/dependencies.ts'
import type { Connection } from '../../postgres/database.ts'
import { noteHold } from '../../store/alerting/flaps.ts'
import { readAncestors } from '../../store/monitors/dependencies.ts'
import { readSubjects, type StateRow, type Subject } from '../../store/monitors/recording.ts'
import { type JudgedFinding, type Judgement, judge, startOf } from './judge.ts'

type Known = { states: ReadonlyMap<number, StateRow>; subjects: ReadonlyMap<number, Subject> }
/** A judgement, and its subject where something follows from it. */
export type JudgedUnderParents = { judgement: Judgement; subject: Subject | undefined; hold: Hold | null }

/**
 * A judgement that has consequences, by the monitors that the monitor depends on: alerts wait while one of them is down. They are
 * read in the transaction that writes what is decided, and only where there is something to tell.
 */
export async function judgeUnderParents(
  client: Connection,
  before: StateRow,
  finding: JudgedFinding,
  judgement: Judgement,
  known: Known,
): Promise<JudgedUnderParents> {
  const { monitorId } = finding
  const subject = known.subjects.get(monitorId) ?? (await readSubjects(client, [monitorId])).get(monitorId)
  if (!subject?.options?.depends_on || !tells(judgement)) return { judgement, subject, hold: null }
  const ancestors = (await readAncestors(client, [monitorId])).get(monitorId) ?? []
  const hold = holdOf(ancestors.map(asOfBatch(known)), {
    failedAt: judgement.heldSince ?? startOf(finding),
    checkedAt: finding.checkedAt,
  })
  // A warning that is left for the next check waits for no other check.
  if (!hold || (finding.result.status !== 'down' && hold.by === null))
    return { judgement, subject, hold: null }
  return { judgement: judge(before, finding, true), subject, hold }
}

/** Recoveries do not wait: they are told to those who know of the failure. */
function tells({ verdict }: Judgement): boolean {
  return verdict.warnsOfUnmet || verdict.events.some((event) => event !== 'monitor.recovery')
}

/**
 * The state that the same batch has found, which is not written yet. It judges groups last: until then their members count as not
 * checked, so that a child waits for a later check of its own.
 */
function asOfBatch({ states }: Known) {
  return (ancestor: Ancestor): Ancestor => {
    const state = states.get(ancestor.id)
    if (!state) return ancestor
    const { status, lastCheckedAt, failingUntil, nextAttemptAt } = state
    return { ...ancestor, status, lastCheckedAt, failingUntil, isTrying: nextAttemptAt !== null }
  }
}

/** Keeps with an open incident that its alert waits, or was sent after it had. */
export async function writeHold(
  client: Connection,
  incidentId: number | null,
  { judgement, subject, hold }: JudgedUnderParents,
): Promise<void> {
  if (incidentId === null || !subject) return
  const { verdict, heldSince } = judgement
  const { teamId } = subject
  const incident = { kind: 'monitor', teamId, incidentId } as const
  if (verdict.isUntold && hold) await noteHold(client, incident, { ...hold, isUntold: true })
  else if (heldSince !== null && verdict.events.includes('monitor.down'))
    await noteHold(client, incident, { isUntold: false })
}

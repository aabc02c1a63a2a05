import type { Alert } from '../../core/alerting/alert.ts'
import { secondsBetween } from '../../core/monitors/incident.ts'
import { plannedAfter, reachedBy } from '../../core/on-call/escalation.ts'
import { stepAlert } from '../../core/on-call/step-alert.ts'
import { type Connection, type Database, inTransaction } from '../../postgres/database.ts'
import { insertDeliveries } from '../../store/alerting/new-deliveries.ts'
import {
  bringStepForward,
  type DueStep,
  endWaiting,
  type HeldEscalation,
  holdDueEscalation,
  insertPlanned,
  type ReachableContact,
  readDueStep,
  readReachable,
  restSteps,
  settleStep,
} from '../../store/on-call/due-steps.ts'
import { announceStep } from '../../store/on-call/news.ts'
import { onCallOf } from '../../store/on-call/on-call-of.ts'
import type { KnownWindows } from '../maintenance/known-windows.ts'
import { restsUntil } from './rests-until.ts'

/**
 * Executes the step or reminder that has been due for longest, unless other processes hold all of them: its deliveries, what
 * follows it and its end are one transaction. False if nothing is due.
 */
export function executeNextStep(db: Database, windows: KnownWindows): Promise<boolean> {
  return inTransaction(db.pool, async (client) => {
    const held = await holdDueEscalation(client)
    if (!held) return false
    if (held.isOver) await endWaiting(client, held.id, null)
    else {
      // Started together, these and the writes below share round trips: the steps of a storm are all due at once.
      const [rests, due, contacts] = await Promise.all([
        restsUntil(client, held, windows),
        readDueStep(client, held.id),
        readReachable(client, held),
      ])
      if (rests) await restSteps(client, held.id, rests)
      else if (due) await execute(client, held, due, contacts)
    }
    return true
  })
}

async function execute(
  client: Connection,
  held: HeldEscalation,
  due: DueStep,
  contacts: ReachableContact[],
): Promise<void> {
  const { chain, reminderMinutes, runsFrom: from, now, teamId } = held
  if (due.kind === 'reminder' && reminderMinutes === null) return endWaiting(client, held.id, due.id)
  const step = due.kind === 'step' ? (chain.steps[due.number - 1] ?? null) : null
  const scheduleId = step?.schedule_id ?? null
  const onCall = scheduleId === null ? null : await onCallOf(client, teamId, scheduleId, now)
  const reached = reachedBy(step, contacts, onCall?.contactIds ?? null, now)
  const alert = alertOf(held, due)
  const incidentId = held.subject && held.ref.id
  const next = plannedAfter(due, { chain, reminderMinutes, from, now })
  await Promise.all([
    settleStep(client, due.id, { scheduleName: onCall?.name ?? null, nobody: reached.nobody }),
    next && insertPlanned(client, held.id, next),
    // After the row that it may bring forward.
    reached.handsOver && bringStepForward(client, held.id, due),
    announceStep(client, held),
    insertDeliveries(client, {
      ...{ teamId, subject: held.subject, incidentId, event: alert.event },
      ...{ alert: JSON.stringify(alert), recipients: reached.contacts, step: due.id },
    }),
  ])
}

function alertOf({ alert, policyName, startedAt, now, chain }: HeldEscalation, due: DueStep): Alert {
  return stepAlert(alert, {
    kind: due.kind,
    number: due.number,
    round: due.round,
    steps: chain.steps.length,
    policy: policyName,
    seconds: secondsBetween(startedAt, now),
  })
}

import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import { NO_CHAIN, plannedAtOpening } from '../../core/on-call/escalation.ts'
import type { Connection } from '../../postgres/database.ts'
import type { IncidentRef } from '../../store/incidents/incident-ref.ts'
import { insertEscalation, readInStore } from '../../store/on-call/new-escalations.ts'

/**
 * Writes what follows an incident while nobody acknowledges it, in the transaction that opens it: the steps of its policy
 * and the first reminder. `alert`: the one that opened it, as JSON.
 */
export async function openEscalation(
  client: Connection,
  subject: SubjectRef,
  { teamId, incidentId, alert }: { teamId: number; incidentId: number; alert: string },
): Promise<void> {
  const { now, reminderMinutes, policy } = await readInStore(client, subject, teamId)
  const chain = policy ?? NO_CHAIN
  const planned = plannedAtOpening(chain, reminderMinutes, now)
  if (planned.length === 0) return
  const ref: IncidentRef = { kind: subject.kind, id: incidentId }
  const policyName = policy?.name ?? null
  await insertEscalation(client, { teamId, ref, policyName, chain, alert, runsFrom: now, planned })
}

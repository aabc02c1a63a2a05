import type { Alert } from '../../core/alerting/alert.ts'
import { formatInstant } from '../../core/instant.ts'
import type { Connection } from '../../postgres/database.ts'
import type { IncidentRef } from '../../store/incidents/incident-ref.ts'
import { type EscalationTold, endSteps, readTold } from '../../store/on-call/new-escalations.ts'

export const NOTHING_TOLD: EscalationTold = { escalatedTo: [], acknowledged: null }

/** Ends what waits for an incident, after it was resolved, and tells what the alert of its recovery owes to people. */
export async function closeEscalation(client: Connection, ref: IncidentRef): Promise<EscalationTold> {
  const [, told] = await Promise.all([endSteps(client, ref.kind, [ref.id]), readTold(client, ref)])
  return told
}

/** The alert with who had the incident, and the one that programs know it by. */
export function withAcknowledgement(alert: Alert, { acknowledged, knownAs }: EscalationTold): Alert {
  const known = knownAs == null ? alert : { ...alert, knownAs }
  if (!acknowledged) return known
  const { by, at, note } = acknowledged
  return { ...known, acknowledged: { by, at: formatInstant(at), note } }
}

import { conditionKey } from '../../core/servers/condition.ts'
import type { TopProcess } from '../../core/servers/machine-report.ts'
import type { ServerJudgement } from '../../core/servers/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import { openIncident, resolveIncident } from '../../store/incidents/recording.ts'
import type { ServerSubject } from '../../store/servers/recording.ts'
import { culpritsOf, serverRecovery, serverTrouble } from '../alerting/server-alert.ts'
import { tell } from '../alerting/tell.ts'
import { closeEscalation } from '../on-call/close-escalation.ts'

type Consequences = {
  server: ServerSubject
  hostName: string | null
  top: TopProcess[]
  at: Date
}

/**
 * Writes the incidents that a judgement ends and begins, with their deliveries. IDs of new ones go into their conditions,
 * which is why this comes before the state is written.
 */
export async function writeJudgement(
  client: Connection,
  judgement: Pick<ServerJudgement, 'begins' | 'ends' | 'conditions'>,
  { server, hostName, top, at }: Consequences,
): Promise<void> {
  const { begins, ends } = judgement
  if (begins.length === 0 && ends.length === 0) return
  const { serverId, teamId } = server
  const alerted = { ...server, hostName }
  const about = { teamId, subject: { kind: 'server', id: serverId } } as const

  for (const ended of ends) {
    const incidentId = ended.condition.incident_id
    if (incidentId === null) continue
    const ref = { kind: 'server', id: incidentId } as const
    const resolved = await resolveIncident(client, ref, at)
    if (!resolved) continue
    const told = await closeEscalation(client, ref)
    const alert = serverRecovery(alerted, ended, resolved, judgement)
    await tell(client, { ...about, alert, incidentId, told })
  }
  for (const begun of begins) {
    const { condition, cause, startedAt } = begun
    const processes = culpritsOf(condition, top)
    const incidentId = await openIncident(client, {
      kind: 'server',
      teamId,
      subjectId: serverId,
      about: conditionKey(condition),
      warnsOnly: condition.warns_only,
      startedAt,
      cause,
      processes,
    })
    condition.incident_id = incidentId
    const alert = serverTrouble(alerted, begun, processes)
    // A warning wakes nobody.
    await tell(client, { ...about, alert, incidentId, opens: !condition.warns_only })
  }
}

import { Refusal } from '../../core/errors.ts'
import { formatInstantOrNull } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import type { ShownDiagnosis } from '../../core/monitors/incidents/diagnosis.ts'
import { type DiagnosisRecord, readDiagnosis, requestDiagnosis } from '../../store/incidents/diagnoses.ts'
import type { Actor, Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { throttle } from '../sign-in/throttle.ts'

export const getIncidentDiagnosis: Implementation<'getIncidentDiagnosis'> = {
  perform: async (services, { actor, record }) => ({
    body: { data: await present(services, actor, record.id) },
  }),
}

/** Stores the wish for a process that checks, and wakes it. One that is under way already stands for this one. */
export const diagnoseIncident: Implementation<'diagnoseIncident'> = {
  async perform(services, { actor, record }) {
    if (record.resolvedAt !== null) throw new Refusal('conflict', { detail: said('This incident is over.') })
    await throttle(services.limits.perDiagnosedTeam, String(actor.teamId))
    await requestDiagnosis(services.db.query, {
      teamId: actor.teamId,
      monitorId: record.monitor.id,
      incidentId: record.id,
    })
    return { body: { data: await present(services, actor, record.id) } }
  },
}

async function present({ db }: Services, { teamId }: Actor, incidentId: number): Promise<ShownDiagnosis> {
  const record = await readDiagnosis(db.query, { teamId, incidentId })
  return {
    state: record ? stateOf(record) : 'none',
    ended_at: formatInstantOrNull(record?.endedAt ?? null),
    found: record?.found ?? null,
  }
}

function stateOf({ isClaimed, isLate, isPaused, endedAt }: DiagnosisRecord): ShownDiagnosis['state'] {
  if (endedAt !== null) return 'done'
  if (isClaimed) return 'collecting'
  if (isPaused) return 'paused'
  return isLate ? 'missed' : 'waiting'
}

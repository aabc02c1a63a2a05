import { formatInstant } from '../../core/instant.ts'
import type { Acknowledgement } from '../../core/on-call/acknowledgement.ts'
import type { IncidentResponse, ResponseEvent } from '../../core/on-call/response.ts'
import type { Query } from '../../postgres/database.ts'
import type { IncidentRef } from '../../store/incidents/incident-ref.ts'
import {
  type AcknowledgedRecord,
  readAcknowledgements,
  readIncidentNotes,
  readSteps,
  type StepRecord,
} from '../../store/on-call/responses.ts'
import type { Vault } from '../../store/sealing/vault.ts'
import { readCallable } from './callable.ts'

/** The response to an incident of the team. `isOver`: what still waits does not come any more. */
export async function readResponse(
  query: Query,
  vault: Vault,
  teamId: number,
  ref: IncidentRef,
  { isOver, now }: { isOver: boolean; now: Date },
): Promise<IncidentResponse> {
  const [acknowledged, notes, { policy, steps }, callable] = await Promise.all([
    readAcknowledgements(query, teamId, ref),
    readIncidentNotes(query, teamId, ref),
    readSteps(query, teamId, ref),
    isOver ? [] : readCallable(query, vault, teamId, ref, now),
  ])
  const holding = acknowledged.find(({ withdrawnAt }) => withdrawnAt === null)
  const events: ResponseEvent[] = [
    ...acknowledged.flatMap(eventsOf),
    ...notes.map(({ at, by, text }) => ({ kind: 'note' as const, at: formatInstant(at), by, text })),
    ...steps.filter(({ isDone }) => isDone).map(presentStep),
  ]
  return {
    acknowledgement: holding ? presentAcknowledgement(holding) : null,
    policy,
    events: events.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    next: isOver
      ? []
      : steps
          .filter(({ isDone }) => !isDone)
          .map(({ kind, number, at }) => ({ kind, number, at: formatInstant(at) }))
          .sort((a, b) => (a.at < b.at ? -1 : 1)),
    callable,
  }
}

export function presentAcknowledgement({
  by,
  via,
  at,
  note,
}: Pick<AcknowledgedRecord, 'by' | 'via' | 'at' | 'note'>): Acknowledgement {
  return { by, via, at: formatInstant(at), note }
}

function eventsOf({ by, via, at, note, withdrawnAt, withdrawnBy }: AcknowledgedRecord): ResponseEvent[] {
  const acknowledged = { kind: 'acknowledged' as const, at: formatInstant(at), by, via, note }
  if (withdrawnAt === null) return [acknowledged]
  return [acknowledged, { kind: 'withdrawn', at: formatInstant(withdrawnAt), by: withdrawnBy }]
}

function presentStep({ at, isDone: _, ...step }: StepRecord): ResponseEvent {
  return { ...step, at: formatInstant(at) }
}

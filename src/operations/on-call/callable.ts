import type { CallablePerson } from '../../core/on-call/response.ts'
import { who } from '../../core/on-call/who.ts'
import type { Query } from '../../postgres/database.ts'
import type { IncidentRef } from '../../store/incidents/incident-ref.ts'
import { membersWithPhone, readAskedPeople } from '../../store/on-call/phones.ts'
import { listSchedules } from '../../store/on-call/schedules.ts'
import type { Vault } from '../../store/sealing/vault.ts'

/**
 * Members to call about an open incident: who has it, then those on call by the schedules of its policy, or by all of the
 * team where it has none.
 */
export async function readCallable(
  query: Query,
  vault: Vault,
  teamId: number,
  ref: IncidentRef,
  now: Date,
): Promise<CallablePerson[]> {
  const members = await membersWithPhone(query, vault, teamId)
  if (members.size === 0) return []
  const { acknowledgedBy, scheduleIds } = await readAskedPeople(query, teamId, ref)
  const schedules = scheduleIds?.length === 0 ? [] : await listSchedules(query, teamId, now)
  const onCall = schedules
    .filter(({ id }) => scheduleIds === null || scheduleIds.includes(id))
    .map((schedule) => who(schedule, now)?.user_id ?? null)
  return [...new Set([acknowledgedBy, ...onCall])].flatMap((userId) => {
    const member = userId !== null && members.get(userId)
    if (!member) return []
    return [{ user_id: userId, ...member, why: userId === acknowledgedBy ? 'acknowledged' : 'on call' }]
  })
}

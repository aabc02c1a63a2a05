import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { isGroup } from '../../core/monitors/monitor-types.ts'
import { cycleOf, holdsOthers } from '../../core/monitors/options/dependencies.ts'
import type { MonitorOptions, SentOptions } from '../../core/monitors/options/monitor-options.ts'
import { MAX_DEPENDENTS_SHOWN } from '../../core/monitors/options/shown-dependencies.ts'
import { LiveStatus, liveStatus } from '../../core/monitors/status.ts'
import type { Faults } from '../../core/validation.ts'
import type { Database, Query } from '../../postgres/database.ts'
import {
  countDependents,
  readAncestors,
  readDependents,
  readLinks,
  readMonitorNames,
} from '../../store/monitors/dependencies.ts'
import { type GroupMember, readMembers } from '../../store/monitors/groups.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import type { Implementation } from '../implementation.ts'

export const getMonitorDependencies: Implementation<'getMonitorDependencies'> = {
  async perform({ db }, { actor: { teamId }, record: { id, type } }) {
    const [ancestors, dependents, count, members] = await Promise.all([
      readAncestors(db.pool, [id]),
      readDependents(db.pool, teamId, id, MAX_DEPENDENTS_SHOWN),
      countDependents(db.pool, teamId, id),
      isGroup(type) ? membersByTrouble(db, id) : [],
    ])
    const holders = (ancestors.get(id) ?? []).filter(({ status }) => holdsOthers(status))
    return {
      body: {
        data: {
          holders: holders.map((holder) => ({ id: holder.id, name: holder.name })),
          dependents: dependents.map(({ isHeld, ...dependent }) => ({ ...dependent, is_held: isHeld })),
          dependents_count: count,
          members: members.slice(0, MAX_MEMBERS_SHOWN).map((member) => ({
            ...{ id: member.id, name: member.name, status: member.status, is_active: member.isActive },
          })),
          members_count: members.length,
        },
      },
    }
  },
}

const MAX_MEMBERS_SHOWN = 100

/** In the order of `LiveStatus`, which begins with what somebody should look at. */
async function membersByTrouble({ pool }: Database, groupId: number): Promise<GroupMember[]> {
  const members = (await readMembers(pool, [groupId])).get(groupId) ?? []
  const placeOf = ({ status, isActive }: GroupMember) =>
    LiveStatus.options.indexOf(liveStatus({ status, is_active: isActive }))
  return members.toSorted((a, b) => placeOf(a) - placeOf(b))
}

type Sent = SentOptions | null | undefined
const FIELD = 'options.depends_on'

/** Holds the team where links are to change, before its monitors, so that two changes at once cannot make a cycle. */
export async function holdForLinks(query: Query, teamId: number, sent: Sent): Promise<void> {
  if (sent?.depends_on || sent?.members) await lockTeam(query, teamId)
}

/** Refuses parents that are no monitors of the team; a deleted one may stay that was one before. */
export async function refuseUnknownParents(
  query: Query,
  teamId: number,
  sent: Sent,
  stored: MonitorOptions | null,
): Promise<void> {
  const had = stored?.depends_on ?? []
  await refuseUnknownIds(query, teamId, FIELD, { sent: sent?.depends_on ?? [], had })
}

/** Refuses IDs in a field that are no monitors of the team; a deleted one may stay that was there before. */
export async function refuseUnknownIds(
  query: Query,
  teamId: number,
  field: string,
  { sent, had }: { sent: readonly number[]; had: readonly number[] },
): Promise<void> {
  const kept = new Set(had)
  const added = sent.filter((id) => !kept.has(id))
  const known = await readMonitorNames(query, teamId, added)
  const errors: Faults = {}
  sent.forEach((id, index) => {
    if (!kept.has(id) && !known.has(id))
      errors[`${field}.${index}`] = [said('must be the ID of a monitor of the team, got {got}', { got: id })]
  })
  if (Object.keys(errors).length > 0) throw Refusal.invalid(errors)
}

/** The same of a monitor that others may depend on, and refuses cycles. The team is held. */
export async function refuseParents(
  query: Query,
  teamId: number,
  { id, sent, stored }: { id: number; sent: Sent; stored: MonitorOptions | null },
): Promise<void> {
  const parents = sent?.depends_on
  if (!parents) return
  await refuseUnknownParents(query, teamId, sent, stored)
  const cycle = cycleOf(id, parents, await readLinks(query, teamId))
  if (!cycle) return
  const names = await readMonitorNames(query, teamId, cycle)
  const words = cycle.map((each) => names.get(each) ?? `#${each}`).join(' → ')
  throw Refusal.invalid({
    [FIELD]: [said('must not lead back to the monitor itself: {cycle}', { cycle: words })],
  })
}

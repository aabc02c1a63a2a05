import { Refusal } from '../../../core/errors.ts'
import { said } from '../../../core/language/said.ts'
import {
  type GroupFault,
  groupFault,
  MAX_GROUP_DEPTH,
  parentFault,
} from '../../../core/monitors/groups/group-links.ts'
import type { MonitorType } from '../../../core/monitors/monitor-types.ts'
import type { GroupMembers } from '../../../core/monitors/options/groups.ts'
import {
  isSameValue,
  type MonitorOptions,
  type SentOptions,
} from '../../../core/monitors/options/monitor-options.ts'
import type { Query } from '../../../postgres/database.ts'
import { readMonitorNames } from '../../../store/monitors/dependencies.ts'
import { listTaggedWith, readGroupLinks } from '../../../store/monitors/groups.ts'
import { refuseUnknownIds } from '../dependencies.ts'

type Sent = SentOptions | null | undefined
const MEMBERS = 'options.members'
const PARENTS = 'options.depends_on'

/**
 * Refuses members that are no monitors of the team, and links that groups must not have: to themselves, too deep, or to those that
 * depend on them. The team is held. `id`: null for a monitor that is about to be made; a deleted member may stay that was one before.
 */
export async function refuseLinks(
  query: Query,
  teamId: number,
  { id, sent, stored }: { id: number | null; sent: Sent; stored: MonitorOptions | null },
): Promise<void> {
  if (!sent?.members && !(sent?.depends_on && id !== null)) return
  const members = sent.members ?? null
  if (Array.isArray(members)) {
    const had = Array.isArray(stored?.members) ? stored.members : []
    await refuseUnknownIds(query, teamId, MEMBERS, { sent: members, had })
  }
  const links = await readGroupLinks(query, teamId)
  const parents = id === null ? [] : (sent.depends_on ?? links.parents.get(id) ?? [])
  const known = {
    ...links,
    parents: id === null ? links.parents : new Map([...links.parents, [id, parents]]),
  }
  if (members) {
    const fault = groupFault(id, await idsOf(query, teamId, members), known)
    if (fault) throw await refusalOf(query, teamId, MEMBERS, fault)
  }
  if (id === null || !sent.depends_on) return
  const fault = parentFault(id, sent.depends_on, known)
  if (fault) throw await refusalOf(query, teamId, PARENTS, fault)
}

async function idsOf(query: Query, teamId: number, members: GroupMembers): Promise<number[]> {
  return Array.isArray(members) ? members : listTaggedWith(query, teamId, members.tags)
}

async function refusalOf(
  query: Query,
  teamId: number,
  field: string,
  { kind, way }: GroupFault,
): Promise<Refusal> {
  const names = await readMonitorNames(query, teamId, way)
  const words = way.map((id) => (id === 0 ? '…' : (names.get(id) ?? `#${id}`))).join(' → ')
  return Refusal.invalid({ [field]: [faultOf(field, kind, words)] })
}

function faultOf(field: string, kind: GroupFault['kind'], way: string) {
  if (kind === 'cycle') return said('must not lead back to the group itself: {cycle}', { cycle: way })
  if (kind === 'depth')
    return said('must not make groups stand more than {max} deep: {way}', { max: MAX_GROUP_DEPTH, way })
  return field === MEMBERS
    ? said('must not hold a monitor that depends on the group: {way}', { way })
    : said('must not lead to a group that holds the monitor: {way}', { way })
}

/** Whether a change of options may change the state of a group. */
export function isJudgedOtherwise(
  type: MonitorType,
  before: MonitorOptions | null,
  after: MonitorOptions | null,
): boolean {
  if (type !== 'group') return false
  return !isSameValue(before?.members, after?.members) || !isSameValue(before?.rule, after?.rule)
}

import { groupResult } from '../../core/monitors/groups/group-state.ts'
import type { Connection } from '../../postgres/database.ts'
import {
  type GroupMember,
  type GroupToJudge,
  readGroupsAbove,
  readMembers,
  takeGroupRequests,
} from '../../store/monitors/groups.ts'
import { lockStates, type StateRow, type Subject } from '../../store/monitors/recording.ts'
import type { CoverOf, KnownWindows } from '../maintenance/known-windows.ts'
import { maintenanceAt } from './covers.ts'
import type { Finding } from './finding.ts'

type Known = {
  states: ReadonlyMap<number, StateRow>
  subjects: ReadonlyMap<number, Subject>
  coverOf: CoverOf
}

/** The groups that a batch may change, locked, as the database has them. */
export type HeldGroups = {
  /** Members come before their groups. */
  groups: GroupToJudge[]
  states: Map<number, StateRow>
  members: Map<number, GroupMember[]>
  /** Those that are judged even where no member has changed. */
  asked: Set<number>
  coverOf: CoverOf
  /** The time of what is found by the batch. */
  at: Date
}

/** The members that are no groups of the groups that a batch asks for: whoever changes one waits for it, or has made it wait. */
export async function readMembersAsked(client: Connection, findings: readonly Finding[]): Promise<number[]> {
  const asked = findings.filter(({ isGroup }) => isGroup).map(({ monitorId }) => monitorId)
  if (asked.length === 0) return []
  const members = await readMembers(client, asked)
  return [...members.values()].flat().flatMap(({ id, isGroup }) => (isGroup ? [] : [id]))
}

/**
 * Locks the groups above all monitors whose status a batch may change, before anything that follows from it is written, and
 * after the states of these monitors: two batches that change members of one group come after one another, and the second reads
 * what the first has written. Null where there is no group.
 */
export async function holdGroups(
  client: Connection,
  findings: readonly Finding[],
  known: Known,
  windows: KnownWindows,
): Promise<HeldGroups | null> {
  const asked = findings.filter(({ isGroup }) => isGroup)
  const changing = findings.filter((finding) => mayChange(finding, known))
  if (asked.length === 0 && changing.length === 0) return null
  const groups = await readGroupsAbove(client, idsOf(changing), idsOf(asked))
  if (groups.length === 0) return null
  const ids = groups.map(({ id }) => id)
  const timesMs = [...asked, ...changing].map(({ checkedAt }) => checkedAt.getTime())
  const at = new Date(Math.max(...timesMs))
  // One after the other over this connection: members are read once their groups are locked.
  const [states, requested, members, coverOf] = await Promise.all([
    lockStates(client, ids),
    takeGroupRequests(client, ids),
    readMembers(client, ids),
    windows.read(client, 'monitor', ids, at),
  ])
  return {
    groups,
    states: new Map(states.map((state) => [state.monitorId, state])),
    members,
    asked: new Set([...idsOf(asked), ...requested]),
    coverOf,
    at,
  }
}

/**
 * Whether a finding may change the status of its monitor: a job's options may turn it, the end of a run add to it, a window make
 * it planned, and the checks before make it a failure.
 */
function mayChange(finding: Finding, { states, subjects, coverOf }: Known): boolean {
  const { monitorId, heartbeat, result, isGroup, assertions } = finding
  const state = states.get(monitorId)
  if (isGroup || !state) return false
  const options = heartbeat ? subjects.get(monitorId)?.options : undefined
  if (options?.inverted || options?.max_duration_seconds !== undefined) return true
  if (result === null || result.status === 'pending') return false
  if (assertions) return true
  return result.status !== state.status || maintenanceAt(finding, state, coverOf).applies
}

function idsOf(findings: readonly Finding[]): number[] {
  return [...new Set(findings.map(({ monitorId }) => monitorId))]
}

/**
 * Judges the held groups that a change of a member's status reaches, and those that were asked for, from the inside out.
 * `statesOf`: the states as the batch leaves them. `change` writes what follows, and gives the state of the group then.
 */
export async function judgeGroups(
  held: HeldGroups,
  before: ReadonlyMap<number, StateRow>,
  statesOf: ReadonlyMap<number, StateRow>,
  change: (state: StateRow, finding: Finding) => Promise<StateRow>,
): Promise<void> {
  const changed = new Set<number>()
  for (const [id, { status }] of before) if (statesOf.get(id)?.status !== status) changed.add(id)
  for (const { id, rule } of held.groups) {
    const state = held.states.get(id)
    const members = held.members.get(id) ?? []
    const isReached = held.asked.has(id) || members.some((member) => changed.has(member.id))
    if (!isReached || !state || state.revision === null) continue
    const now = members.map((member) => ({
      ...member,
      status: statesOf.get(member.id)?.status ?? member.status,
    }))
    const result = groupResult(rule ?? 'all', now)
    const after = await change(state, findingOf(id, later(held.at, state.lastCheckedAt), { result }))
    if (after.status !== state.status) changed.add(id)
  }
}

/** Every judgement of a group has a time of its own, in order. */
function later(at: Date, last: Date | null): Date {
  return last && last >= at ? new Date(last.getTime() + 1) : at
}

/** A group that is to be judged by its members, or was. */
export function findingOf(
  monitorId: number,
  checkedAt: Date,
  { result }: Pick<Finding, 'result'> = { result: null },
): Finding {
  return {
    monitorId,
    revision: null,
    checkedAt,
    region: null,
    result,
    heartbeat: null,
    ping: null,
    isGroup: true,
  }
}

import { type Said, said } from '../../core/language/said.ts'
import { MAX_GROUP_DEPTH } from '../../core/monitors/groups/group-links.ts'
import { isGroup } from '../../core/monitors/monitor-types.ts'
import type { Draft } from '../draft.ts'
import { entryOf, type Fields, numberOf, textOf } from '../fields.ts'
import { MAX_RECORDS } from '../outcome.ts'
import { KUMA_TYPES } from './types.ts'

/** Monitors of an export, groups among them. */
export type MonitorsById = Map<number | null, Fields>

/** More groups in groups are a file that is made to take long. */
const MAX_LEVELS = 100

/** A monitor, its group, the group of that one, and so on. */
export function* withGroups(monitor: Fields, byId: MonitorsById): Generator<Fields> {
  const seen = new Set<Fields>()
  let current: Fields | undefined = monitor
  while (current && !seen.has(current) && seen.size <= MAX_LEVELS) {
    yield current
    seen.add(current)
    current = byId.get(idOf(current.parent))
  }
}

export function isKumaGroup({ type }: Fields): boolean {
  const known = entryOf(KUMA_TYPES, textOf(type))
  return known !== undefined && isGroup(known)
}

/** Members of groups that hold those of others: a file of groups in groups without end would make millions. */
const MAX_GIVEN = 5 * MAX_RECORDS

/** A group that was drafted: its members by name, and how many groups stand in each other from it down. */
type DraftedGroup = { name: string; members: string[]; depth: number }

/**
 * Drafts the groups once all other monitors are. Those within others come first: a group names its members. There a group is
 * down as soon as a member is, at any depth, so that one that would be too deep gives its members to the group around it.
 * `draftOne` drafts one with its members, and returns its name, or null if it was skipped.
 */
export function draftKumaGroups(
  draft: Draft,
  byId: MonitorsById,
  drafted: Map<number | null, string>,
  draftOne: (group: Fields, members: string[]) => string | null,
): void {
  const within = [...byId.values()].filter(({ parent }) => numberOf(parent) !== null)
  const inside = Map.groupBy(within, ({ parent }) => idOf(parent))
  const groups = new Map<number | null, DraftedGroup>()
  let given = 0
  for (const group of inmostFirst(byId, inside).filter(isKumaGroup)) {
    const id = idOf(group.id)
    const members: string[] = []
    const [lost, opened]: [string[], string[]] = [[], []]
    let depth = 1
    for (const monitor of inside.get(id) ?? []) {
      const name = drafted.get(idOf(monitor.id))
      const within = groups.get(idOf(monitor.id))
      if (name === undefined) lost.push(textOf(monitor.name))
      else if (within?.depth === MAX_GROUP_DEPTH) {
        members.push(...within.members)
        opened.push(name)
        depth = MAX_GROUP_DEPTH
      } else {
        members.push(name)
        depth = Math.max(depth, 1 + (within?.depth ?? 0))
      }
    }
    given += opened.length > 0 ? members.length : 0
    if (given > MAX_GIVEN) {
      draft.skip(textOf(group.name), said('is a group of groups that are nested too deeply'))
      continue
    }
    const name = draftOne(group, members)
    if (name === null) continue
    if (lost.length > 0)
      draft.note(name, said('also held what did not come over: {names}', { names: lost.join(', ') }))
    if (opened.length > 0) draft.note(name, heldItself(opened))
    drafted.set(id, name)
    groups.set(id, { name, members, depth })
  }
}

function heldItself(opened: readonly string[]): Said {
  return said('holds the members of {names} in its place: groups are nested at most {max} deep here', {
    names: opened.join(', '),
    max: MAX_GROUP_DEPTH,
  })
}

/** One without an ID is no monitor's parent, and stands in no group. */
function idOf(value: unknown): number {
  return numberOf(value) ?? Number.NaN
}

/** Those within others come before them, and those within themselves first, in no order. */
function inmostFirst(byId: MonitorsById, inside: ReadonlyMap<number | null, Fields[]>): Fields[] {
  const outmost = [...byId.values()].filter(({ parent }) => !byId.has(idOf(parent)))
  const found = new Set(outmost)
  for (const monitor of found) for (const one of inside.get(idOf(monitor.id)) ?? []) found.add(one)
  const astray = [...byId.values()].filter((monitor) => !found.has(monitor))
  return [...astray, ...[...found].toReversed()]
}

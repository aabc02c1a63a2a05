import { cycleOf, type Links } from '../options/dependencies.ts'

/** Groups in groups: a group of monitors has depth 1. */
export const MAX_GROUP_DEPTH = 3

/** A way from one monitor to another, by ID, that a group must not have. */
export type GroupFault = { kind: 'cycle' | 'depth' | 'parent'; way: number[] }

/** The links of a team: the groups among the members of each group, and the parents of each monitor. */
export type GroupLinks = { members: Links; parents: Links }

/**
 * Refuses a group that is to have these members: one that would contain itself, or stand more than three deep, or be a parent of a
 * member, at any depth. Null where nothing is wrong. `id`: null for a group that is about to be made.
 */
export function groupFault(
  id: number | null,
  members: readonly number[],
  { members: stored, parents }: GroupLinks,
): GroupFault | null {
  const self = id ?? 0
  const cycle = id === null ? null : cycleOf(id, members, stored)
  if (cycle) return { kind: 'cycle', way: cycle }
  const links = new Map([...stored, [self, members]])
  const top = topsOf(self, links)
  const deepest = top.map((one) => deepestFrom(one, links)).find((way) => way.length > MAX_GROUP_DEPTH)
  if (deepest) return { kind: 'depth', way: deepest }
  for (const one of [self, ...above(self, links)]) {
    for (const member of below(one, links)) {
      const way = wayOf(member, one, parents)
      if (way) return { kind: 'parent', way }
    }
  }
  return null
}

/** Refuses parents of a monitor that are groups which it is a member of, at any depth, or that lead to one. */
export function parentFault(
  id: number,
  sent: readonly number[],
  { members, parents }: GroupLinks,
): GroupFault | null {
  const links = new Map([...parents, [id, sent]])
  for (const group of above(id, members)) {
    const way = wayOf(id, group, links)
    if (way) return { kind: 'parent', way }
  }
  return null
}

/** The groups that contain it, at any depth. */
function above(id: number, links: Links): number[] {
  const found = new Set<number>()
  const open = [id]
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    for (const [group, members] of links) {
      if (found.has(group) || !members.includes(at)) continue
      found.add(group)
      open.push(group)
    }
  }
  return [...found]
}

/** All that it contains, at any depth. */
function below(id: number, links: Links): Set<number> {
  const found = new Set<number>()
  const open = [id]
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    for (const member of links.get(at) ?? []) {
      if (found.has(member)) continue
      found.add(member)
      open.push(member)
    }
  }
  return found
}

/** The groups above it that no other group contains; itself where none does. */
function topsOf(id: number, links: Links): number[] {
  const all = [id, ...above(id, links)]
  return all.filter((one) => above(one, links).length === 0)
}

/** The longest way down through groups, which itself begins. There is no cycle. */
function deepestFrom(id: number, links: Links): number[] {
  const ways = (links.get(id) ?? [])
    .filter((member) => links.has(member))
    .map((one) => deepestFrom(one, links))
  const longest = ways.reduce<number[]>((best, way) => (way.length > best.length ? way : best), [])
  return [id, ...longest]
}

/** A way along links from one to another; null where there is none. */
function wayOf(from: number, to: number, links: Links): number[] | null {
  const cameFrom = new Map<number, number>()
  const open = [from]
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    for (const next of links.get(at) ?? []) {
      if (next === from || cameFrom.has(next)) continue
      cameFrom.set(next, at)
      if (next === to) return wayBack(from, to, cameFrom)
      open.push(next)
    }
  }
  return null
}

function wayBack(from: number, to: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const way = [to]
  for (let at = cameFrom.get(to); at !== undefined && at !== from; at = cameFrom.get(at)) way.unshift(at)
  return [from, ...way]
}

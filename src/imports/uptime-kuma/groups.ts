import { type Fields, numberOf } from '../fields.ts'

/** Monitors of an export, groups among them. */
export type MonitorsById = Map<number | null, Fields>

/** A monitor, its group, the group of that one, and so on. */
export function* withGroups(monitor: Fields, byId: MonitorsById): Generator<Fields> {
  const seen = new Set<Fields>()
  let current: Fields | undefined = monitor
  while (current && !seen.has(current)) {
    yield current
    seen.add(current)
    current = byId.get(numberOf(current.parent) ?? Number.NaN)
  }
}

import type { MovedKind } from './create.ts'
import type { Matched, Matches } from './match.ts'

/** A row of an import, as one of its kind and name. */
export function rowKey(kind: MovedKind, name: string): string {
  return `${kind} ${name}`
}

/** Rows that a person leaves out of an import, by their keys. */
export type LeftOut = ReadonlySet<string>

/**
 * The rest of an import without some rows. Records that are there already stay: others may need them. Groups, windows and pages lose
 * the monitors that are left out, and go with the last of them. A monitor goes with any of its contacts: without them it would
 * alert every contact of the team.
 */
export function withoutRows(matches: Matches, leftOut: LeftOut): Matches {
  const kept = <Wanted, Kept>(
    kind: MovedKind,
    rows: Matched<Wanted, Kept>[],
    nameOf: (row: Wanted) => string,
  ) => rows.filter(({ wanted, existing }) => existing !== null || !leftOut.has(rowKey(kind, nameOf(wanted))))
  const contacts = kept('contact', matches.contacts, ({ name }) => name)
  const monitors = withoutMembers(
    kept('monitor', matches.monitors, ({ name }) => name).filter(
      ({ wanted, existing }) => existing !== null || contactsLeftOut(matches, wanted, leftOut).length === 0,
    ),
  )
  const names = new Set(monitors.map(({ wanted }) => wanted.name))
  const here = (name: string) => names.has(name)
  const windows = kept('window', matches.windows, ({ window }) => window.name).flatMap(
    ({ wanted, existing }) => {
      const left = wanted.monitors.filter(here)
      const isGone = existing === null && !wanted.coversAll && left.length === 0
      return isGone ? [] : [{ wanted: { ...wanted, monitors: left }, existing }]
    },
  )
  const pages = kept('page', matches.pages, ({ page }) => page.name).flatMap(({ wanted, existing }) => {
    const groups = wanted.groups
      .map((group) => ({ ...group, monitors: group.monitors.filter(here) }))
      .filter(({ monitors: shown }) => shown.length > 0)
    const isGone = existing === null && groups.length === 0 && wanted.groups.length > 0
    return isGone ? [] : [{ wanted: { ...wanted, groups }, existing }]
  })
  return { ...matches, contacts, monitors, windows, pages }
}

/** Groups without the members that are left out. One that goes may be a member of another. */
function withoutMembers(monitors: Matches['monitors']): Matches['monitors'] {
  const names = new Set(monitors.map(({ wanted }) => wanted.name))
  const left = monitors.flatMap((row) => {
    const { members } = row.wanted
    if (!members || row.existing !== null) return [row]
    const there = members.filter((name) => names.has(name))
    return there.length === 0 ? [] : [{ ...row, wanted: { ...row.wanted, members: there } }]
  })
  return left.length < monitors.length ? withoutMembers(left) : left
}

/** The contacts of a monitor that would not be there, as they are left out. */
export function contactsLeftOut(
  { contacts }: Pick<Matches, 'contacts'>,
  wanted: { contacts: readonly string[] },
  leftOut: LeftOut,
): string[] {
  const there = new Set(contacts.flatMap(({ wanted: { name }, existing }) => (existing ? [name] : [])))
  return wanted.contacts.filter((name) => !there.has(name) && leftOut.has(rowKey('contact', name)))
}

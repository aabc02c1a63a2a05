import type { DeclaredMonitor } from '../../../src/core/monitors/declaration.ts'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'
import type { ListRow } from '../../../src/core/moving-in/address-list.ts'
import type { Created } from '../../../src/core/moving-in/create.ts'
import type { Matches } from '../../../src/core/moving-in/match.ts'
import { say, sayFaultOf } from '../../language/faults.ts'

/** The monitors of a list that were created so far, and those that the last attempt was refused. */
export type Result = Pick<Created, 'monitors' | 'refused'>

/** A row and its end. `new`: it is added, once the button is pressed. */
export type Fate = {
  row: ListRow
  wanted: DeclaredMonitor | null
  monitor: Monitor | null
  reason: string | null
} & {
  is: 'new' | 'added' | 'there' | 'faulty'
}

export function fateOf(row: ListRow, { monitors }: Matches, result: Result | null): Fate {
  if (!row.ok) {
    const said = Object.entries(row.faults).flatMap(([field, faults]) =>
      faults.map((fault) => sayFaultOf(fault, field)),
    )
    return { row, wanted: null, monitor: null, is: 'faulty', reason: said.join('; ') }
  }
  const wanted = row.value
  const added = result?.monitors.get(wanted.name)
  if (added) return { row, wanted, monitor: added, is: 'added', reason: null }
  const there = monitors.find((matched) => matched.wanted === wanted)?.existing ?? null
  if (there) return { row, wanted, monitor: there, is: 'there', reason: null }
  const refused = result?.refused.find(({ kind, name }) => kind === 'monitor' && name === wanted.name)
  return { row, wanted, monitor: null, is: 'new', reason: refused ? say(refused.reason) : null }
}

export function countFates(fates: readonly Fate[]) {
  const count = (is: Fate['is']) => fates.filter((fate) => fate.is === is).length
  return { new: count('new'), added: count('added'), there: count('there'), faulty: count('faulty') }
}

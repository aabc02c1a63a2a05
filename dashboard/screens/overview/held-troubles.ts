import type { Troubled, TroubleGroup } from '../../../src/core/overview/trouble.ts'

/** A part of the overview's answer: the troubles, and how many are in none of the groups. */
export type Troubles = { troubles: readonly TroubleGroup[]; troubles_rest: number }

export type HeldSubject = Troubled & { isOver: boolean }
/** A line that keeps its place. */
export type HeldTrouble = Pick<
  TroubleGroup,
  'key' | 'kind' | 'status' | 'cause' | 'place' | 'began' | 'acknowledged' | 'flapping'
> & {
  /** In trouble now; 0 when all of it is over. */
  count: number
  subjects: HeldSubject[]
}

/**
 * The lines that are shown, in their order, with what is known of them now. Later troubles wait: `waiting` counts them,
 * and `isStale` says whether another order, or a line less, is due.
 */
export function holdTroubles(
  shown: Troubles,
  latest: Troubles,
): { rows: HeldTrouble[]; waiting: number; isStale: boolean } {
  const now = new Set(latest.troubles.flatMap(idsOf))
  // Beyond the limit of the answer, a subject that is not in it may be in trouble all the same.
  const isOver = (id: string) => latest.troubles_rest === 0 && !now.has(id)
  const groups = new Map(latest.troubles.map((group) => [group.key, group]))
  const subjects = new Map(
    latest.troubles.flatMap((group) => group.subjects.map((one) => [nameOf(one.kind, one.id), one])),
  )
  const rows = shown.troubles.map((group): HeldTrouble => {
    const current = groups.get(group.key)
    const held = group.subjects.map((one) => {
      const id = nameOf(one.kind, one.id)
      return { ...(subjects.get(id) ?? one), isOver: isOver(id) }
    })
    const [only] = group.ids.length === 1 ? held : []
    const { key, kind, status, cause, place, began, acknowledged, flapping } = current ?? {
      ...group,
      // It may be in a group by now.
      ...(only && {
        status: only.status,
        cause: only.reason,
        began: only.since,
        flapping: Number(only.flapping_since !== null),
      }),
    }
    const count = current?.ids.length ?? idsOf(group).filter((id) => !isOver(id)).length
    return { key, kind, status, cause, place, began, acknowledged, flapping, count, subjects: held }
  })
  const known = new Set(shown.troubles.flatMap(idsOf))
  const order = latest.troubles.map(({ key }) => key)
  return {
    rows,
    waiting: [...now].filter((id) => !known.has(id)).length,
    isStale: rows.some(({ key, count }, index) => count === 0 || key !== order[index]),
  }
}

function idsOf({ kind, ids }: TroubleGroup): string[] {
  return ids.map((id) => nameOf(kind, id))
}

function nameOf(kind: Troubled['kind'], id: number): string {
  return `${kind} ${id}`
}

import { Problem, sayProblem } from '../problem.ts'

/** The end of one action on many records: how many it was done to, and the others with the reason. */
export type EachDone = { done: number; refused: { name: string; reason: string }[] }

/**
 * Does something to each record, one after the other, and goes on after a refusal. Without an answer it ends there: the
 * others are told with the same reason.
 */
export async function performEach<One extends { name: string }>(
  all: readonly One[],
  perform: (one: One) => Promise<unknown>,
  onStep: (done: number) => void = () => {},
): Promise<EachDone> {
  const end: EachDone = { done: 0, refused: [] }
  let lost: string | null = null
  for (const [index, one] of all.entries()) {
    if (lost === null) {
      try {
        await perform(one)
        end.done++
      } catch (error) {
        const reason = sayProblem(error)
        end.refused.push({ name: one.name, reason })
        if (!(error instanceof Problem) || error.status === 0 || error.status === 401) lost = reason
      }
    } else end.refused.push({ name: one.name, reason: lost })
    onStep(index + 1)
  }
  return end
}

/** The refused ones by reason, each with its names. */
export function byReason({ refused }: EachDone): { reason: string; names: string[] }[] {
  const groups = Map.groupBy(refused, ({ reason }) => reason)
  return [...groups].map(([reason, ones]) => ({ reason, names: ones.map(({ name }) => name) }))
}

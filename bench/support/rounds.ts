import type { Options } from './options.ts'
import { progress } from './progress.ts'
import type { Pair } from './table.ts'

const WARM_UP_SECONDS = 1

type Measure<T> = (seconds: number) => Promise<T>

export type Round<T> = { ours: T; reference: T }

/** Ours and the reference in turn, so that what else the machine does meets both; each is warmed up first. */
export async function measureInTurn<T>(
  what: string,
  { rounds, roundSeconds }: Options,
  ours: Measure<T>,
  reference: Measure<T>,
): Promise<Round<T>[]> {
  progress(`${what}: warming up`)
  await ours(WARM_UP_SECONDS)
  await reference(WARM_UP_SECONDS)
  const measured: Round<T>[] = []
  for (let round = 1; round <= rounds; round++) {
    progress(`${what}: round ${round} of ${rounds}`)
    measured.push({ ours: await ours(roundSeconds), reference: await reference(roundSeconds) })
  }
  return measured
}

export function pairsOf<T>(rounds: Round<T>[], read: (measured: T) => number): Pair[] {
  return rounds.map(({ ours, reference }) => ({ ours: read(ours), reference: read(reference) }))
}

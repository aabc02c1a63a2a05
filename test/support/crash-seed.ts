import { randomInt } from 'node:crypto'
import type { TestContext } from 'node:test'
import { randomFrom } from './history/checks.ts'

/** The random numbers of a test that kills processes, from CRASH_SEED or a new seed, which the output says. */
export function crashRandom(t: TestContext): () => number {
  const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31))
  t.diagnostic(`CRASH_SEED=${seed}`)
  return randomFrom(seed)
}

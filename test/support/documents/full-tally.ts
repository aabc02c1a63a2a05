import { createTally, type Tally } from '../../../src/metrics/tally.ts'

/** One that has counted what seldom happens, too, so that it tells all that could be told. */
export function fullTally(): Tally {
  const all = createTally()
  all.count('databaseErrors', ['23'])
  all.count('refusals', ['user'])
  for (const name of ['checkDuration', 'deliveryDuration', 'requestDuration', 'loopDelay'] as const) {
    all.observe(name, ['any'], 1)
  }
  return all
}

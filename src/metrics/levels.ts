import { labelsOf, type MetricFamily } from '../core/exposition.ts'
import { type Definition, LEVELS, type LevelName } from './catalogue.ts'

/** A current amount in one thread. */
export type Level = { name: LevelName; labels: Record<string, string>; value: number }

/** Adds up the levels of the threads; a level that no thread reports is left out. */
export function levelFamilies(levels: Level[]): MetricFamily[] {
  return (Object.entries(LEVELS) as [LevelName, Definition][]).map(([name, { name: full, help }]) => {
    const sums = new Map<string, number>()
    for (const level of levels) {
      if (level.name !== name) continue
      const labels = labelsOf(level.labels)
      sums.set(labels, (sums.get(labels) ?? 0) + level.value)
    }
    const samples = [...sums].map(([labels, value]) => ({ labels, value }))
    return { name: full, help, type: 'gauge', samples }
  })
}

type Pool = { totalCount: number; idleCount: number; waitingCount: number }

/** The connections of a thread's pools. */
export function poolLevels(thread: string, pools: Pool[]): Level[] {
  const sum = (read: (pool: Pool) => number) => pools.reduce((total, pool) => total + read(pool), 0)
  const idle = sum(({ idleCount }) => idleCount)
  return [
    { name: 'connections', labels: { thread, state: 'idle' }, value: idle },
    {
      name: 'connections',
      labels: { thread, state: 'busy' },
      value: sum(({ totalCount }) => totalCount) - idle,
    },
    { name: 'connectionsWaiting', labels: { thread }, value: sum(({ waitingCount }) => waitingCount) },
  ]
}

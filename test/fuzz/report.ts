import type { FuzzOrders, FuzzReport, Statuses } from './run.ts'

const MEGABYTE = 1e6

export function renderFuzz(
  { requests, seed }: Pick<FuzzOrders, 'requests' | 'seed'>,
  report: FuzzReport,
): string {
  const { statuses, plain, busy, troubles, neverTaken, slowestMs, memory } = report
  const third = Math.floor(memory.length / 3)
  const [early, late] = [memory.slice(third, 2 * third), memory.slice(2 * third)]
  const mean = (of: FuzzReport['memory'], part: keyof FuzzReport['memory'][0]) =>
    (of.reduce((sum, one) => sum + one[part], 0) / Math.max(1, of.length) / MEGABYTE).toFixed(1)
  return [
    `${requests} requests, seed ${seed}: ${troubles.length} troubles, slowest ${Math.round(slowestMs)} ms`,
    `Answers: ${sharesOf(statuses)}`,
    `Answers to requests that were sent as they were made: ${sharesOf(plain)}`,
    `Busy: ${busy} answers of 503 with Retry-After, whose requests were sent again alone`,
    ...(neverTaken.length > 0 ? [`Never taken: ${neverTaken.join(', ')}`] : []),
    ...(['heap', 'outside', 'resident'] as const).map(
      (part) => `${part}: ${mean(early, part)} MB in the middle third, ${mean(late, part)} MB in the last`,
    ),
    ...troubles,
  ].join('\n')
}

function sharesOf(statuses: Statuses): string {
  const all = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  return [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status} (${((100 * count) / all).toFixed(1)} %)`)
    .join(', ')
}

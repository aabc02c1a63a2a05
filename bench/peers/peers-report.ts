import { percentile } from '../support/statistics.ts'
import { renderCells } from '../support/table.ts'

export type Measured = {
  peer: string
  monitors: number
  intervalMs: number
  watchedMs: number
  /** When each monitor was checked meanwhile. */
  timesMs: number[][]
  cpuMicros: number
  medianBytes: number
  /** From its start; null where that did not happen in the time that was given to it. */
  allCheckedMs: number | null
  /** Null where it has none. */
  screenMs: number | null
  listMs: number | null
}

const MIB = 2 ** 20
const HEADINGS = [
  'Checks run of those due',
  'Off by p50',
  'p99',
  'max',
  'CPU a check',
  'of a core',
  'Memory (PSS)',
  'All checked after',
  'First screen after',
  'List painted in',
]

/** A table for each number of monitors. */
export function renderPeers(measured: Measured[], missing: string[]): string {
  const tables = Map.groupBy(measured, ({ monitors }) => monitors).entries()
  const texts = [...tables].map(([monitors, some]) => {
    const title = `${monitors.toLocaleString('en-US')} monitors, each every ${(some[0]?.intervalMs ?? 0) / 1_000} s`
    return renderCells([[title, ...HEADINGS], ...some.map(cellsOf)])
  })
  return [...texts, ...(missing.length > 0 ? [`Left out, as not there: ${missing.join(', ')}.`] : [])].join(
    '\n\n',
  )
}

function cellsOf(measured: Measured): string[] {
  const { peer, monitors, intervalMs, watchedMs, timesMs, cpuMicros } = measured
  const due = Math.round((monitors * watchedMs) / intervalMs)
  const ran = timesMs.reduce((sum, times) => sum + times.length, 0)
  const off = timesMs.flatMap((times) => spacingsOf(times).map((ms) => Math.abs(ms - intervalMs)))
  return [
    peer,
    `${count(ran)} of ${count(due)} (${((100 * ran) / due).toFixed(1)} %)`,
    ...[0.5, 0.99, 1].map((p) => (off.length === 0 ? '?' : milliseconds(percentile(off, p)))),
    ran === 0 ? '?' : `${(cpuMicros / ran / 1_000).toFixed(2)} ms`,
    `${(cpuMicros / watchedMs / 10).toFixed(1)} %`,
    `${(measured.medianBytes / MIB).toFixed(0)} MiB`,
    measured.allCheckedMs === null ? 'not in time' : seconds(measured.allCheckedMs),
    measured.screenMs === null ? '–' : seconds(measured.screenMs),
    measured.listMs === null ? '–' : `${count(Math.round(measured.listMs))} ms`,
  ]
}

function spacingsOf(times: number[]): number[] {
  return times.slice(1).map((atMs, before) => atMs - (times[before] as number))
}

function milliseconds(ms: number): string {
  return `${count(Number(ms.toFixed(ms < 10 ? 1 : 0)))} ms`
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}

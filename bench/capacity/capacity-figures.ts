import { percentile } from '../support/statistics.ts'
import type { Reading } from './capacity-readings.ts'
import type { TickCounts } from './tick-counts.ts'

export const MIB = 2 ** 20
export const UNREAD = '?'

/** The time between two readings. */
export type Period = { before: Reading; after: Reading }
export type Counter = keyof Reading['database']
/** Microseconds so far; null where they cannot be read. */
export type CpuOf = (reading: Reading) => number | null

/** The lines of a report about its checks. */
export const CHECK_LINES: [name: string, cell: (measured: { checks: TickCounts }) => string][] = [
  ['Checks due', ({ checks }) => count(checks.due)],
  ['… run', ({ checks }) => count(checks.ran)],
  ['… missed', ({ checks }) => count(checks.missed)],
  ['… doubled', ({ checks }) => count(checks.doubled)],
  ['Late, p50', ({ checks }) => `${checks.lateness?.p50Ms ?? UNREAD} ms`],
  ['Late, p99', ({ checks }) => `${checks.lateness?.p99Ms ?? UNREAD} ms`],
  ['Late, most', ({ checks }) => `${checks.lateness?.maxMs ?? UNREAD} ms`],
]

export function grown({ before, after }: Period, counter: Counter): number {
  return after.database[counter] - before.database[counter]
}

export function seconds({ before, after }: Period): number {
  return (after.atMs - before.atMs) / 1_000
}

/** Microseconds. */
export function spent({ before, after }: Period, cpuOf: CpuOf): number | null {
  const [from, to] = [cpuOf(before), cpuOf(after)]
  return from === null || to === null ? null : to - from
}

export function microsOfCheck(measured: Period & { checks: TickCounts }, cpuOf: CpuOf): string {
  const micros = spent(measured, cpuOf)
  return micros === null ? UNREAD : `${(micros / measured.checks.ran).toFixed(0)} µs`
}

export function bytesOfCheck(measured: Period & { checks: TickCounts }, counter: Counter): string {
  return bytes(grown(measured, counter) / measured.checks.ran)
}

export function perSecond(period: Period, counter: Counter, unit: number, name: string): string {
  return `${(grown(period, counter) / unit / seconds(period)).toFixed(1)}${name}/s`
}

/** Those by the clock, and the others. */
export function checkpoints(period: Period): string {
  const timed = grown(period, 'checkpointsTimed')
  return `${timed} / ${grown(period, 'checkpoints') - timed}`
}

/** The p50 and the p99. */
export function pair(tookMs: number[]): string {
  if (tookMs.length === 0) return UNREAD
  return `${[0.5, 0.99].map((p) => percentile(tookMs, p).toFixed(1)).join(' / ')} ms`
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

export function count(value: number): string {
  return value.toLocaleString('en-US')
}

export function mib(value: number): string {
  return `${(value / MIB).toFixed(1)} MiB`
}

export function bytes(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} B`
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

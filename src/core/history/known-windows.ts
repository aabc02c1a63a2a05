import { DAY_MS } from './history-span.ts'
import { REPORT_RANGES } from './monitor-report.ts'
import { ReportRange } from './report-range.ts'

/** A usual window of uptime. `knownMs`: how much of it there is, where the monitor is younger than the window; else null. */
export type WindowOfUptime = { window: ReportRange; knownMs: number | null }

/**
 * The windows of uptime that say something of their own about a monitor of that age: those that it fills, and the first that it
 * does not. All longer ones would repeat that figure.
 */
export function knownWindows(ageMs: number): WindowOfUptime[] {
  const isFilled = (window: ReportRange) => REPORT_RANGES[window].days * DAY_MS <= ageMs
  const filled = ReportRange.options.filter(isFilled)
  const next = ReportRange.options[filled.length]
  return [
    ...filled.map((window) => ({ window, knownMs: null })),
    ...(next ? [{ window: next, knownMs: ageMs }] : []),
  ]
}

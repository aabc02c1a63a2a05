import { formatPercent } from '../../src/core/percent.ts'
import { sayCount } from './locale.ts'

/** Formats a share of 0 to 1 as a percentage, with more digits close to 100. */
export function sayShare(share: number | null): string {
  if (share === null) return '–'
  return share < 0.99 ? formatPercent(share, 1) : formatPercent(share, 3).replace(/(\.\d\d)0/, '$1')
}

export function sayMs(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 10_000 ? `${sayCount(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** Formats an interval: 30 s, 5 min, 2 h. */
export function sayInterval(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`
  if (seconds % 60 === 0) return `${seconds / 60} min`
  return `${seconds} s`
}

import { formatUptime } from '../../src/core/percent.ts'
import { sayCount } from './locale.ts'

/** An uptime of 0 to 1; null if no time was judged. */
export function sayShare(share: number | null): string {
  return share === null ? '–' : formatUptime(share)
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

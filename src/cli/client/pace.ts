import { formatDuration } from '../../core/duration.ts'

/** The rate limit according to the service's last answer. */
export type Pace = { perMinute: number; left: number }

const PROGRESS_EVERY = 25
const MINUTE_SECONDS = 60

/** Reads the rate limit from an answer; null if it has none. */
export function paceOf(headers: Record<string, string>): Pace | null {
  const [perMinute, left] = [
    Number(headers['x-ratelimit-limit']),
    Number(headers['x-ratelimit-remaining'] ?? Number.NaN),
  ]
  return perMinute >= 1 && left >= 0 ? { perMinute, left } : null
}

/** The longest that the rate limit makes these requests take: the remaining windows, one minute each. */
export function longestSeconds(requests: number, pace: Pace | null): number {
  if (pace === null) return 0
  return Math.max(0, Math.ceil((requests - pace.left) / pace.perMinute)) * MINUTE_SECONDS
}

/** A warning before many requests; null if none of them has to wait. */
export function timeNotice(requests: number, pace: Pace | null): string | null {
  const seconds = longestSeconds(requests, pace)
  if (pace === null || seconds === 0) return null
  return [
    `${requests} requests, of which the service takes ${pace.perMinute} a minute: up to ${formatDuration(seconds)}.`,
    'It may be stopped, and run again. On the machine of the service, --team ID --email YOU does it without that limit.',
  ].join('\n')
}

/** Returns a function to call after each item; it reports now and then how much of `total` is done. */
export function reportProgress(
  total: number,
  pace: () => Pace | null,
  report: (line: string) => void,
): () => void {
  let done = 0
  return () => {
    done++
    if (done % PROGRESS_EVERY !== 0 || done === total) return
    const seconds = longestSeconds(total - done, pace())
    report(`${done} of ${total} done${seconds > 0 ? `, up to ${formatDuration(seconds)} left` : ''}`)
  }
}

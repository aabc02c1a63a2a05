import { sayDuration } from '../../core/duration.ts'

/** How many requests the service takes, by its last answer. */
export type Pace = { perMinute: number; left: number }

const PROGRESS_EVERY = 25
const MINUTE_SECONDS = 60

/** What answers say of the rate limit; null where they say nothing. */
export function paceOf(headers: Record<string, string>): Pace | null {
  const [perMinute, left] = [
    Number(headers['x-ratelimit-limit']),
    Number(headers['x-ratelimit-remaining'] ?? Number.NaN),
  ]
  return perMinute >= 1 && left >= 0 ? { perMinute, left } : null
}

/** At most so long the rate limit makes so many requests take: the windows to come, a minute each. */
export function longestSeconds(requests: number, pace: Pace | null): number {
  if (pace === null) return 0
  return Math.max(0, Math.ceil((requests - pace.left) / pace.perMinute)) * MINUTE_SECONDS
}

/** What somebody should know before so many requests are sent; null where they need not wait. */
export function timeNotice(requests: number, pace: Pace | null): string | null {
  const seconds = longestSeconds(requests, pace)
  if (pace === null || seconds === 0) return null
  return [
    `${requests} requests, of which the service takes ${pace.perMinute} a minute: up to ${sayDuration(seconds)}.`,
    'It may be stopped, and run again. On the machine of the service, --team ID --email YOU does it without that limit.',
  ].join('\n')
}

/** Reports now and then how much of `total` is done; to be called after each. */
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
    report(`${done} of ${total} done${seconds > 0 ? `, up to ${sayDuration(seconds)} left` : ''}`)
  }
}

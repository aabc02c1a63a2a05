import { english, type Said, said } from '../../language/said.ts'
import type { LinkOutcome } from '../link-outcome.ts'
import { MAX_CRAWL_DELAY_SECONDS } from './robots.ts'

/** A verdict on an address that nobody asked for, or that did not let itself be asked. */
function unjudged(kind: LinkOutcome['kind'], sentence: Said, statusCode: number | null = null): LinkOutcome {
  const detail = english(sentence)
  return { verdict: 'unjudged', kind, status_code: statusCode, detail, said: sentence, final_address: null }
}

export const FORBIDDEN_BY_ROBOTS = unjudged(
  'forbidden_by_robots',
  said('robots.txt forbids robots to look at it'),
)
export const RULES_UNKNOWN = unjudged(
  'forbidden_by_robots',
  said('the host could not say what robots may look at'),
)
/** The verdict on a host whose robots.txt wants robots to wait longer than a crawl does. */
export const TOO_SLOW = unjudged(
  'forbidden_by_robots',
  said('robots.txt asks robots to wait longer than {seconds} s between two requests', {
    seconds: MAX_CRAWL_DELAY_SECONDS,
  }),
)
export const HOST_STOPPED = unjudged(
  'too_many_requests',
  said('its host answered 429 again and again, and was left alone'),
  429,
)

export function notLookedAt(reason: string): LinkOutcome {
  return {
    verdict: 'unjudged',
    kind: 'not_looked_at',
    status_code: null,
    detail: reason,
    final_address: null,
  }
}

import { english, said } from '../../language/said.ts'
import type { Translator, Values } from '../../language/translate.ts'
import type { LinkOutcome } from '../link-outcome.ts'
import { MAX_CRAWL_DELAY_SECONDS } from './robots.ts'

/** Verdicts on addresses that nobody asked for, or that did not let themselves be asked. */
function unjudged(kind: LinkOutcome['kind'], detail: string, statusCode: number | null = null): LinkOutcome {
  return { verdict: 'unjudged', kind, status_code: statusCode, detail, final_address: null }
}

export const FORBIDDEN_BY_ROBOTS = unjudged('forbidden_by_robots', 'robots.txt forbids robots to look at it')
export const RULES_UNKNOWN = unjudged('forbidden_by_robots', 'the host could not say what robots may look at')
/** The text about a host whose robots.txt wants robots to wait longer than a crawl does. */
const SLOW = said('robots.txt asks robots to wait longer than {seconds} s between two requests', {
  seconds: MAX_CRAWL_DELAY_SECONDS,
})
export const TOO_SLOW = unjudged('forbidden_by_robots', english(SLOW))
export const HOST_STOPPED = unjudged(
  'too_many_requests',
  'its host answered 429 again and again, and was left alone',
  429,
)

/** Begins the reason of a crawl that saw no page: it says nothing of the site. */
const HOME_UNREAD = 'the home page: '

export function homeUnread(why: string): string {
  return HOME_UNREAD + why
}

/** The reason of a crawl that is not whole, as it is stored, for a reader. */
export function sayCutShort(stored: string, t: Translator['t']): string {
  if (isHomeUnread(stored))
    return t('the home page: {reason}', { reason: sayCutShort(stored.slice(HOME_UNREAD.length), t) })
  return stored === english(SLOW) ? t(SLOW.text, SLOW.values as Values) : stored
}

export function isHomeUnread(cutShort: string | null): boolean {
  return cutShort?.startsWith(HOME_UNREAD) ?? false
}

export function notLookedAt(reason: string): LinkOutcome {
  return unjudged('not_looked_at', reason)
}

import type { QueryClient } from '@tanstack/react-query'
import type { SignedIn } from '../../../src/core/accounts/signed-in.ts'
import type { AnswerOf } from '../ask.ts'

/**
 * The overview as this browser last saw it, for opening the dashboard without a connection. It is kept for one session:
 * signing out, the end of the session and signing in as somebody else remove it.
 */
type LastSeen = {
  session: SignedIn
  team: number
  overview: AnswerOf<'getOverview'>
  seenAtMs: number
}

/** Set while the dashboard shows what was last seen. */
export type Offline = { sinceMs: number; seenAtMs: number }

export const OFFLINE_KEY = ['offline']

const STORE_KEY = 'upbeat-last-seen'
/** Older news would mislead more than it tells. */
const MAX_AGE_MS = 24 * 3_600_000
const MAX_LENGTH = 500_000
/** During an outage the overview changes many times a minute. */
const PACE_MS = 10_000

let keptAtMs = 0

/** Whether the page shows what was last seen: nothing is worth waiting for. */
export function isOffline(queries: QueryClient): boolean {
  return Boolean(queries.getQueryData<Offline | null>(OFFLINE_KEY))
}

/** Keeps the answer to a question, if it is the overview of a team. */
export function keepLastSeen(queries: QueryClient, [team, operation]: readonly unknown[]): void {
  if (operation !== 'getOverview' || typeof team !== 'number') return
  const session = queries.getQueryData<SignedIn | null>(['session'])
  const overview = queries.getQueryData<AnswerOf<'getOverview'>>(overviewKey(team))
  const nowMs = Date.now()
  if (!session || !overview || nowMs - keptAtMs < PACE_MS) return
  const text = JSON.stringify({ session, team, overview, seenAtMs: nowMs } satisfies LastSeen)
  if (text.length > MAX_LENGTH) return
  try {
    localStorage.setItem(STORE_KEY, text)
    keptAtMs = nowMs
  } catch {
    // The browser keeps nothing, or has no room: then nothing is shown without a connection.
  }
}

export function forgetLastSeen(): void {
  keptAtMs = 0
  localStorage.removeItem(STORE_KEY)
}

/** Forgets what was seen in this browser before the session, by another person or the same. */
export function forgetSeenBefore({ session_id }: SignedIn): void {
  if (readLastSeen()?.session.session_id !== session_id) forgetLastSeen()
}

/** Shows what was last seen; returns the session of that time, null if there is nothing to show. */
export function showLastSeen(queries: QueryClient): SignedIn | null {
  const seen = readLastSeen()
  if (!seen) return null
  const { session, team, overview, seenAtMs } = seen
  queries.setQueryData(overviewKey(team), overview, { updatedAt: seenAtMs })
  queries.setQueryData<Offline>(OFFLINE_KEY, { sinceMs: Date.now(), seenAtMs })
  return session
}

/** As `question` in ask.ts writes it. */
function overviewKey(team: number) {
  return [team, 'getOverview', null, null]
}

function readLastSeen(): LastSeen | null {
  try {
    const seen = JSON.parse(localStorage.getItem(STORE_KEY) ?? 'null') as LastSeen | null
    return seen && Date.now() - seen.seenAtMs < MAX_AGE_MS ? seen : null
  } catch {
    return null
  }
}

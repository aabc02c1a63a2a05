import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LiveSignal } from '../../src/core/live-event.ts'
import { type Connection, createConnection } from '../data/connection.ts'
import { isOffline } from '../data/device/last-seen.ts'
import { isNews, NEWS, stalenessOf } from '../data/news.ts'
import { createPace } from '../data/pace.ts'
import { refresh } from '../data/refresh.ts'
import { SESSION_KEY } from '../data/session.ts'

const SIGNALS = ['hello', 'alive', 'resync'] as const satisfies LiveSignal[]

/** A hidden tab gives up its connection: over HTTP/1.1 a browser has six of them for all of its tabs. */
const HIDDEN_FOR_MS = 5_000

/**
 * Follows a team's news while its page is visible. After a break everything is fetched again, so no news is missed.
 * Returns when the service was last heard from (in milliseconds), null while all is well.
 */
export function useLive(team: number): number | null {
  const queries = useQueryClient()
  const [lostSince, setLostSince] = useState<number | null>(null)
  useEffect(() => followWhileSeen(team, queries, setLostSince), [team, queries])
  return lostSince
}

type OnLost = (sinceMs: number | null) => void

function followWhileSeen(team: number, queries: QueryClient, onLost: OnLost): () => void {
  const connection = follow(team, queries, onLost)
  let timer: ReturnType<typeof setTimeout> | undefined

  function look() {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') timer = setTimeout(connection.stop, HIDDEN_FOR_MS)
    else connection.start()
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
    connection.stop()
    onLost(null)
  }
}

function follow(team: number, queries: QueryClient, onLost: OnLost): Connection {
  const pace = createPace((stale) => void refresh(queries, ({ queryHash }) => stale.has(queryHash)))
  const askForSession = () => void queries.invalidateQueries({ queryKey: SESSION_KEY })
  const refreshAll = () => void refresh(queries, ({ queryKey }) => queryKey[0] === team)

  function want(isStale: (queryKey: readonly unknown[]) => boolean) {
    const predicate = ({ queryKey }: Query) => queryKey[0] === team && isStale(queryKey)
    pace.want(
      queries
        .getQueryCache()
        .findAll({ predicate })
        .map(({ queryHash }) => queryHash),
    )
  }

  const { start, stop } = createConnection({
    open: () => new EventSource(`/app/teams/${team}/events`),
    events: [...NEWS, ...SIGNALS],
    onEvent(event, data) {
      // The cache may hold answers from before a break.
      if (event === 'hello') refreshAll()
      else if (event === 'resync') want(() => true)
      else if (isNews(event)) want(stalenessOf(event, data))
      // Team names are part of the session; and one that was last seen may have ended.
      if (event === 'team' || isOffline(queries)) askForSession()
    },
    // Refused for good: the session may have ended.
    onRefused: askForSession,
    onLost,
  })
  return {
    start,
    stop() {
      stop()
      pace.stop()
    },
  }
}

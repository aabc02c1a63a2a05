import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { OperationId } from '../../src/contract/contract.ts'
import type { LiveEventName, LiveSignal } from '../../src/core/live-event.ts'
import { type Connection, createConnection } from '../data/connection.ts'
import { SESSION_KEY } from '../data/session.ts'

/** What each kind of news makes stale. News are hints: the answers themselves are asked for again. */
const STALE = {
  monitor: [
    'getOverview',
    'listMonitorRows',
    'getMonitor',
    'getMonitorReport',
    'listCheckDetails',
    'listPings',
  ],
  incident: ['getOverview', 'listIncidentRows', 'getIncidentStory', 'getMonitor', 'getMonitorReport'],
  delivery: ['getOverview', 'listDeliveries', 'getDelivery', 'getIncidentStory', 'listContactSummaries'],
  monitors: [
    'getOverview',
    'listMonitorRows',
    'getMonitor',
    'getMonitorReport',
    'listDeletedMonitors',
    'getTeam',
  ],
  contacts: ['listContacts', 'getContact', 'listContactSummaries', 'getMonitor', 'getOverview'],
  team: ['getTeam', 'showTeamConfirmation', 'getMonitorReport', 'listMembers', 'listInvitations'],
} as const satisfies Record<Exclude<LiveEventName, LiveSignal>, OperationId[]>

const SIGNALS = ['hello', 'alive', 'resync'] as const satisfies LiveSignal[]

/** A storm of news asks for everything once in this time, not once for each. */
const GATHER_MS = 300

/** A tab that nobody sees gives its connection up: over HTTP/1.1 a browser has six of them for all of its tabs. */
const HIDDEN_FOR_MS = 5_000

/**
 * Follows a team's news while its page is seen. After a break everything is asked for anew: none is missed. Returns
 * since when nothing was heard of the service (in milliseconds), null while all is well.
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
  const stale = new Set<string>()

  function flush() {
    const operations = new Set(stale)
    stale.clear()
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === team && operations.has(queryKey[1] as string),
    })
  }

  function readNews(event: keyof typeof STALE) {
    // The names of the teams stand in the session.
    if (event === 'team') askForSession()
    if (stale.size === 0) setTimeout(flush, GATHER_MS)
    for (const operation of STALE[event]) stale.add(operation)
  }
  const askForSession = () => void queries.invalidateQueries({ queryKey: SESSION_KEY })
  const refreshAll = () =>
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === team })

  return createConnection({
    open: () => new EventSource(`/app/teams/${team}/events`),
    events: [...Object.keys(STALE), ...SIGNALS],
    onEvent(event) {
      // Also when it begins: what is there may have been asked for before a break.
      if (event === 'hello' || event === 'resync') refreshAll()
      else if (event !== 'alive') readNews(event as keyof typeof STALE)
    },
    // Refused for good: the session may have ended.
    onRefused: askForSession,
    onLost,
  })
}

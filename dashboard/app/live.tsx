import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { OperationId } from '../../src/contract/contract.ts'
import type { LiveEventName } from '../../src/core/live-event.ts'
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
} as const satisfies Record<Exclude<LiveEventName, 'hello' | 'resync'>, OperationId[]>

/** A storm of news asks for everything once in this time, not once for each. */
const GATHER_MS = 300

/** A tab that nobody sees gives its connection up: over HTTP/1.1 a browser has six of them for all of its tabs. */
const HIDDEN_FOR_MS = 5_000

/** Follows a team's news while its page is seen. After a break everything is asked for anew: none is missed. */
export function useLive(team: number): void {
  const queries = useQueryClient()
  useEffect(() => followWhileSeen(team, queries), [team, queries])
}

function followWhileSeen(team: number, queries: QueryClient): () => void {
  let unfollow: (() => void) | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function stop() {
    unfollow?.()
    unfollow = null
  }
  function look() {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') timer = setTimeout(stop, HIDDEN_FOR_MS)
    else unfollow ??= follow(team, queries)
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
    stop()
  }
}

function follow(team: number, queries: QueryClient): () => void {
  const stream = new EventSource(`/app/teams/${team}/events`)
  const stale = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    timer = undefined
    const operations = new Set(stale)
    stale.clear()
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === team && operations.has(queryKey[1] as string),
    })
  }

  // The names of the teams stand in the session.
  stream.addEventListener('team', () => void queries.invalidateQueries({ queryKey: SESSION_KEY }))
  for (const [kind, operations] of Object.entries(STALE)) {
    stream.addEventListener(kind, () => {
      for (const operation of operations) stale.add(operation)
      timer ??= setTimeout(flush, GATHER_MS)
    })
  }
  function refreshAll() {
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === team })
  }
  // Also when it begins: what is there may have been asked for before a break.
  stream.addEventListener('hello', refreshAll)
  stream.addEventListener('resync', refreshAll)
  stream.addEventListener('error', () => {
    // Refused for good: the session may have ended.
    if (stream.readyState === EventSource.CLOSED) void queries.invalidateQueries({ queryKey: SESSION_KEY })
  })
  return () => {
    clearTimeout(timer)
    stream.close()
  }
}

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { OperationId } from '../../src/contract/contract.ts'
import { SESSION_KEY } from '../data/session.ts'

/** What each kind of news makes stale. News are hints: the answers themselves are asked for again. */
const STALE = {
  monitor: ['getOverview', 'listMonitorRows', 'getMonitor', 'getMonitorReport', 'listCheckDetails'],
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
  team: ['getTeam', 'listMembers', 'listInvitations'],
} as const satisfies Record<string, OperationId[]>

/** A storm of news asks for everything once in this time, not once for each. */
const GATHER_MS = 300

/** Follows a team's news while it is shown. After a break everything is asked for anew: none is missed. */
export function useLive(team: number): void {
  const queries = useQueryClient()
  useEffect(() => follow(team, queries), [team, queries])
}

function follow(team: number, queries: QueryClient): () => void {
  const stream = new EventSource(`/app/teams/${team}/events`)
  const stale = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isFirst = true

  function flush() {
    timer = undefined
    const operations = new Set(stale)
    stale.clear()
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === team && operations.has(queryKey[1] as string),
    })
  }

  for (const [kind, operations] of Object.entries(STALE)) {
    stream.addEventListener(kind, () => {
      for (const operation of operations) stale.add(operation)
      timer ??= setTimeout(flush, GATHER_MS)
    })
  }
  function refreshAll() {
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === team })
  }
  stream.addEventListener('hello', () => {
    if (!isFirst) refreshAll()
    isFirst = false
  })
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

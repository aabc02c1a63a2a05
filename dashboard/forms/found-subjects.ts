import { useQuery } from '@tanstack/react-query'
import type { SubjectName } from '../../src/core/maintenance/shown-window.ts'
import { question } from '../data/ask.ts'

/** A server or site of a team, and what else there is to find it by. */
export type FoundSubject = SubjectName & { hint: string | null }
export type FoundKind = 'server' | 'site'

/** All of a team, by name; none until they are read. */
export function useFound(team: number, kind: FoundKind): FoundSubject[] {
  const servers = useQuery({ ...question(team, 'listServers', {}), enabled: kind === 'server' })
  const sites = useQuery({ ...question(team, 'listSites', {}), enabled: kind === 'site' })
  if (kind === 'site') return (sites.data?.data ?? []).map(({ id, name, url }) => ({ id, name, hint: url }))
  return (servers.data?.data ?? []).map(({ id, name, host_name }) => ({ id, name, hint: host_name }))
}

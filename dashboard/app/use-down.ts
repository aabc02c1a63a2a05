import { useQuery } from '@tanstack/react-query'
import { question } from '../data/ask.ts'

/** The numbers of monitors, servers and sites that are down, which every screen shows. */
export function useDown(team: number): { monitors: number; servers: number; sites: number } {
  const { data } = useQuery(question(team, 'getOverview', {}))
  return {
    monitors: data?.data.counts.down ?? 0,
    servers: data?.data.servers.counts.down ?? 0,
    sites: data?.data.sites.counts.down ?? 0,
  }
}

import { useQuery } from '@tanstack/react-query'
import { LiveStatus, type StatusCounts } from '../../src/core/monitors/status.ts'
import type { Counted } from '../../src/core/overview/counts.ts'
import { question } from '../data/ask.ts'

const NONE = Object.fromEntries(LiveStatus.options.map((status) => [status, 0])) as StatusCounts
const NOTHING: Counted = {
  counts: NONE,
  servers: { counts: NONE },
  sites: { counts: NONE },
  incidents_open: 0,
}

/** The numbers of a team that every screen shows, as the overview has them; all 0 until it is known. */
export function useCounted(team: number): Counted {
  const { data } = useQuery(question(team, 'getOverview', {}))
  return data?.data ?? NOTHING
}

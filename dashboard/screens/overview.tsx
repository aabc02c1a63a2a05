import { useQuery } from '@tanstack/react-query'
import { question } from '../data/ask.ts'
import { useTeam } from '../data/session.ts'
import { PageHead } from '../parts/panel.tsx'

/** The first screen: problems first. */
export function Overview() {
  const { id } = useTeam()
  const { data } = useQuery(question(id, 'getOverview', {}))
  return <PageHead title="Overview">{data?.data.counts.up} up</PageHead>
}

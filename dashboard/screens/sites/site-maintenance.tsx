import { useQuery } from '@tanstack/react-query'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { MaintainMenu } from '../../parts/maintenance/maintenance-buttons.tsx'
import { NextMaintenance, SubjectBanners, turnsOf } from '../../parts/maintenance/subject-maintenance.tsx'
import { untilNextTurn } from '../../parts/maintenance/windows.ts'

export function useSiteMaintenance(team: number, site: number) {
  return useQuery({
    ...question(team, 'getSiteMaintenance', { id: site }),
    refetchInterval: ({ state }) => untilNextTurn(turnsOf(state.data?.data)),
  })
}

/** One banner for each window that applies to a site now. */
export function SiteBanners({ site }: { site: number }) {
  const { id: team } = useTeam()
  const { data } = useSiteMaintenance(team, site)
  return <SubjectBanners maintenance={data?.data} />
}

/** Starts maintenance of a site, and names what is planned next. */
export function SiteMaintain({ site }: { site: number }) {
  const { id: team } = useTeam()
  const next = useSiteMaintenance(team, site).data?.data.next
  return <MaintainMenu sites={[site]} next={<NextMaintenance next={next} />} />
}

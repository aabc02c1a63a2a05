import { useQuery } from '@tanstack/react-query'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { MaintainMenu } from '../../parts/maintenance/maintenance-buttons.tsx'
import { NextMaintenance, SubjectBanners, turnsOf } from '../../parts/maintenance/subject-maintenance.tsx'
import { untilNextTurn } from '../../parts/maintenance/windows.ts'

export function useServerMaintenance(team: number, server: number) {
  return useQuery({
    ...question(team, 'getServerMaintenance', { id: server }),
    refetchInterval: ({ state }) => untilNextTurn(turnsOf(state.data?.data)),
  })
}

/** One banner for each window that applies to a server now. */
export function ServerBanners({ server }: { server: number }) {
  const { id: team } = useTeam()
  const { data } = useServerMaintenance(team, server)
  return <SubjectBanners maintenance={data?.data} />
}

/** Starts maintenance of a server, and names what is planned next. */
export function ServerMaintain({ server }: { server: number }) {
  const { id: team } = useTeam()
  const next = useServerMaintenance(team, server).data?.data.next
  return <MaintainMenu servers={[server]} next={<NextMaintenance next={next} />} />
}

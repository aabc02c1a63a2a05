import { useQuery } from '@tanstack/react-query'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { MaintainMenu } from '../../parts/maintenance/maintenance-buttons.tsx'
import { NextMaintenance, SubjectBanners, turnsOf } from '../../parts/maintenance/subject-maintenance.tsx'
import { untilNextTurn } from '../../parts/maintenance/windows.ts'

export function useMonitorMaintenance(team: number, monitor: number) {
  return useQuery({
    ...question(team, 'getMonitorMaintenance', { id: monitor }),
    refetchInterval: ({ state }) => untilNextTurn(turnsOf(state.data?.data)),
  })
}

/** One banner for each window that applies to a monitor now. */
export function MonitorBanners({ monitor }: { monitor: number }) {
  const { id: team } = useTeam()
  const { data } = useMonitorMaintenance(team, monitor)
  return <SubjectBanners maintenance={data?.data} />
}

/** Starts maintenance of a monitor, and names what is planned next. */
export function MonitorMaintain({ monitor }: { monitor: number }) {
  const { id: team } = useTeam()
  const next = useMonitorMaintenance(team, monitor).data?.data.next
  return <MaintainMenu monitors={[monitor]} next={<NextMaintenance next={next} />} />
}

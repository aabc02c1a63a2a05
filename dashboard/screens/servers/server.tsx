import { useParams, useSearch } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { FlappingNotice } from '../../parts/alerting/flapping.tsx'
import { SubjectBanners, useSubjectMaintenance } from '../../parts/maintenance/subject-maintenance.tsx'
import { PageHead } from '../../parts/panel.tsx'
import { RecordScreen } from '../../parts/records/record-screen.tsx'
import { TagList } from '../../parts/tags/tag-chips.tsx'
import { Time } from '../../parts/time.tsx'
import { Containers, Units } from './hosted-tables.tsx'
import { NotUnderstood } from './not-understood.tsx'
import { ServerActions } from './server-actions.tsx'
import { ServerCharts } from './server-charts.tsx'
import { type Server, useServer } from './server-data.ts'
import { Figures, MachineFacts } from './server-facts.tsx'
import { ServerIncidents } from './server-incidents.tsx'
import { InstallDialog } from './server-install.tsx'
import { ServerState } from './server-state.tsx'
import { Disks, FileSystems, Interfaces } from './server-tables.tsx'

export default function ServerScreen() {
  const { id: team } = useTeam()
  const { server: named } = useParams({ from: '/signed-in/teams/$team/servers/$server' })
  const server = useServer(team, Number(named))
  const { isPending } = useSubjectMaintenance(team, { kind: 'server', id: Number(named) })
  return (
    <RecordScreen record={server} isPending={isPending}>
      {(shown) => <ServerPage server={shown} />}
    </RecordScreen>
  )
}

function ServerPage({ server }: { server: Server }) {
  const { may } = useTeam()
  const search = useSearch({ from: '/signed-in/teams/$team/servers/$server' })
  return (
    <>
      <PageHead title={server.name} actions={may('write') && <ServerActions server={server} />}>
        <span className="break-all">{server.host_name ?? t('A server')}</span>
        {server.tags.length > 0 && <TagList tags={server.tags} className="mt-2" />}
      </PageHead>
      <div className="flex flex-col gap-5">
        <SubjectBanners of={{ kind: 'server', id: server.id }} />
        <FlappingNotice since={server.flapping_since} />
        <ServerState server={server} />
        <OtherMachine server={server} />
        <NotUnderstood server={server} />
        <Figures server={server} />
        {server.last_report_at !== null && <ServerCharts key={server.id} server={server} search={search} />}
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="flex min-w-0 flex-col gap-5">
            <Containers server={server} />
            <FileSystems server={server} />
            <Disks server={server} />
            <Interfaces server={server} />
            <Units server={server} />
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <ServerIncidents server={server} />
            <MachineFacts server={server} />
          </div>
        </div>
      </div>
      {may('write') && <InstallDialog server={server} isOpen={search.install === true} />}
    </>
  )
}

/** Figures of two machines would be an average of neither. */
function OtherMachine({ server: { other_machine: other, host_name } }: { server: Server }) {
  if (!other) return null
  const time = <Time at={other.at} />
  const strong = (inside: ReactNode[]) => <strong className="font-semibold">{inside}</strong>
  return (
    <p role="alert" className="flex items-start gap-2.5 rounded-lg border border-degraded bg-panel px-4 py-3">
      <TriangleAlert aria-hidden size={18} className="mt-0.5 shrink-0 text-degraded" />
      <span className="min-w-0 break-words">
        {other.host_name
          ? rich('<strong>Another machine, {name}, uses the address of this server</strong> (last {time}).', {
              strong,
              name: other.host_name,
              time,
            })
          : rich('<strong>Another machine uses the address of this server</strong> (last {time}).', {
              strong,
              time,
            })}{' '}
        {host_name
          ? t('Its reports are refused while {name} reports.', { name: host_name })
          : t('Its reports are refused.')}{' '}
        {t('Add a server of its own for it, or give this one a new address.')}
      </span>
    </p>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { SERVER_LIST } from '../../../src/core/lists/server-list.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { SubjectList } from '../../parts/lists/subject-list.tsx'
import { Empty } from '../../parts/panel.tsx'
import { ChosenBar } from '../../parts/tags/chosen-bar.tsx'
import { TagFilter } from '../../parts/tags/tag-filter.tsx'
import { serversQuestion } from './server-data.ts'
import { ServerTable } from './servers-table.tsx'

/** All servers of a team. */
export default function Servers() {
  const { id, may } = useTeam()
  const search = useSearch({ from: '/signed-in/teams/$team/servers' })
  const navigate = useNavigate({ from: '/teams/$team/servers' })
  const useRows = (asked: typeof search, enabled: boolean) =>
    useQuery({ ...serversQuestion(id, asked), enabled })
  const add = (label: string) =>
    may('write') && (
      <Link to="/teams/$team/servers/new" params={{ team: String(id) }} className={buttonLook('main')}>
        {label}
      </Link>
    )
  return (
    <SubjectList
      list={SERVER_LIST}
      csv="servers"
      title={t('Servers')}
      search={search}
      onSearch={(search, options) => void navigate({ search, ...options })}
      useRows={useRows}
      actions={(isEmpty) => !isEmpty && add(t('Add server'))}
      fields={(show) => ({ tags: <TagFilter search={search} onChange={show} /> })}
      chosenBar={(choice) => <ChosenBar kind="server" {...choice} />}
      noneYet={
        <Empty icon={Server} title={t('No servers yet')} action={add(t('Add your first server'))}>
          {t(
            'A server reports its CPU, memory, disks and network every minute, by a shell script that you can read or by what runs there already: OpenTelemetry, Telegraf or Prometheus. Upbeat alerts you when it is silent, its disks fill up or its memory runs out.',
          )}
          {!may('write') && ` ${t('An owner or admin of this team can add the first server.')}`}
        </Empty>
      }
      noMatch={{ title: t('No matching servers'), text: t('Search covers names and host names.') }}
    >
      {(shown) => <ServerTable {...shown} />}
    </SubjectList>
  )
}

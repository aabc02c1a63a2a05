import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { MONITOR_LIST } from '../../../src/core/lists/monitor-list.ts'
import { question } from '../../data/ask.ts'
import { PER_PAGE } from '../../data/lists/page-size.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { LazyPart, LoadAgain, preloadable } from '../../parts/lazy-part.tsx'
import { SubjectList } from '../../parts/lists/subject-list.tsx'
import { Empty } from '../../parts/panel.tsx'
import { TagFilter } from '../../parts/tags/tag-filter.tsx'
import { MonitorTable } from './monitors-table.tsx'

/** Its forms are most of what this screen would load, and few people come to use them. */
const MonitorBulk = preloadable(async () => ({ default: (await import('./monitors-bulk.tsx')).MonitorBulk }))

/** All monitors of a team. */
export default function Monitors() {
  const { id, may } = useTeam()
  const params = { team: String(id) }
  const search = useSearch({ from: '/signed-in/teams/$team/monitors' })
  const navigate = useNavigate({ from: '/teams/$team/monitors' })
  const useRows = (asked: typeof search, enabled: boolean) =>
    useQuery({
      ...question(id, 'listMonitorRows', { query: { per_page: PER_PAGE, ...asked } }),
      placeholderData: keepPreviousData,
      enabled,
    })
  const none = (
    <Empty
      icon={Activity}
      title={t('No monitors yet')}
      action={
        may('write') && (
          <div className="flex flex-wrap justify-center gap-2">
            <Link to="/teams/$team/welcome" params={params} className={buttonLook('main')}>
              {t('Add your first monitor')}
            </Link>
            <Link to="/teams/$team/monitors/import" params={params} className={buttonLook()}>
              {t('Import from another tool')}
            </Link>
          </div>
        )
      }
    >
      {t(
        'A monitor checks a URL, a certificate, a port, a host or a job, and opens an incident when it fails.',
      )}
    </Empty>
  )
  return (
    <SubjectList
      list={MONITOR_LIST}
      csv="monitors"
      title={t('Monitors')}
      search={search}
      onSearch={(search, options) => void navigate({ search, ...options })}
      useRows={useRows}
      actions={() => (
        <>
          <Link to="/teams/$team/monitors/deleted" params={params} className={buttonLook('quiet')}>
            {t('Deleted')}
          </Link>
          {may('write') && (
            <Link to="/teams/$team/monitors/many" params={params} className={`${buttonLook()} max-sm:hidden`}>
              {t('Add many')}
            </Link>
          )}
          {may('write') && (
            <Link to="/teams/$team/monitors/new" params={params} className={buttonLook('main')}>
              {t('Add monitor')}
            </Link>
          )}
        </>
      )}
      fields={(show) => ({ tags: <TagFilter search={search} onChange={show} /> })}
      chosenBar={(choice) => (
        <LazyPart failed={<LoadAgain>{t('The actions failed to load.')}</LoadAgain>}>
          <MonitorBulk {...choice} />
        </LazyPart>
      )}
      noneYet={none}
      noMatch={{ title: t('No matching monitors'), text: t('Search covers names and addresses.') }}
    >
      {(shown) => <MonitorTable {...shown} />}
    </SubjectList>
  )
}

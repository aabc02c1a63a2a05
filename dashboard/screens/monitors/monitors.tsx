import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Activity, SearchX } from 'lucide-react'
import { useState } from 'react'
import { question } from '../../data/ask.ts'
import type { MonitorSearch } from '../../data/monitor-search.ts'
import { useTeam } from '../../data/session.ts'
import { selectorsOf, withSelector } from '../../data/tags/tag-search.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'
import { GroupBar } from '../../parts/tags/group-bar.tsx'
import { useSteadyOrder } from '../../parts/use-steady-order.ts'
import { MonitorBulk } from './monitors-bulk.tsx'
import { MonitorFilters } from './monitors-filters.tsx'
import { MonitorTable } from './monitors-table.tsx'

const PER_PAGE = 50

/** All monitors of a team; searching, sorting and paging are the service's work. */
export default function Monitors() {
  const { id, may } = useTeam()
  const team = String(id)
  const search = useSearch({ from: '/signed-in/teams/$team/monitors' })
  const navigate = useNavigate({ from: '/teams/$team/monitors' })
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const { data, error, isPlaceholderData } = useQuery({
    ...question(id, 'listMonitorRows', { query: { per_page: PER_PAGE, ...search } }),
    placeholderData: keepPreviousData,
  })

  function show(change: MonitorSearch) {
    setChosen(new Set())
    const kept = Object.entries({ ...search, page: undefined, ...change }).filter(
      ([, value]) => value !== undefined,
    )
    void navigate({ search: Object.fromEntries(kept), replace: 'search' in change })
  }

  const steady = useSteadyOrder(data?.data ?? [], `${isPlaceholderData} ${JSON.stringify(search)}`)
  /** Keeps its place, a different one on narrow screens, so that it pushes nothing when it appears. */
  const sortAgain = (place: string) => (
    <Button
      tone="quiet"
      className={`${place} ${steady.isOutOfOrder ? '' : 'invisible'}`}
      onClick={steady.sortAnew}
    >
      {t('Sort again')}
    </Button>
  )
  const isFiltered = Boolean(search.search || search.status || search.type || search.tags)
  return (
    <>
      <PageHead
        title={t('Monitors')}
        actions={
          <>
            {sortAgain('max-lg:hidden')}
            <Link to="/teams/$team/monitors/deleted" params={{ team }} className={buttonLook('quiet')}>
              {t('Deleted')}
            </Link>
            {may('write') && (
              <Link to="/teams/$team/monitors/new" params={{ team }} className={buttonLook('main')}>
                {t('Add monitor')}
              </Link>
            )}
            <ListMenu list="monitors" query={search} />
          </>
        }
      />
      <MonitorFilters search={search} onChange={show}>
        {sortAgain('self-end lg:hidden')}
      </MonitorFilters>
      {data?.groups && search.group && (
        <GroupBar
          groups={data.groups}
          groupKey={search.group}
          chosen={selectorsOf(search)}
          onPick={(tag) => show(withSelector(search, tag))}
        />
      )}
      {chosen.size > 0 && <MonitorBulk chosen={chosen} onDone={() => setChosen(new Set())} />}
      <Panel isStale={isPlaceholderData}>
        {error ? (
          <Trouble error={error} within />
        ) : !data || (isPlaceholderData && data.data.length === 0) ? (
          // Nothing found by the search before says nothing about this one.
          <Waiting lines={12} />
        ) : data.data.length === 0 ? (
          <Empty
            icon={isFiltered ? SearchX : Activity}
            title={isFiltered ? t('No matching monitors') : t('No monitors yet')}
            action={
              isFiltered ? (
                <Button onClick={() => void navigate({ search: {} })}>{t('Show all')}</Button>
              ) : (
                may('write') && (
                  <Link to="/teams/$team/welcome" params={{ team }} className={buttonLook('main')}>
                    {t('Add your first monitor')}
                  </Link>
                )
              )
            }
          >
            {isFiltered
              ? t('Search covers names and addresses.')
              : t(
                  'A monitor checks a URL, a certificate, a port, a host or a job, and opens an incident when it fails.',
                )}
          </Empty>
        ) : (
          <>
            <MonitorTable
              rows={steady.rows}
              search={search}
              groups={data.groups}
              onTag={(tag) => show(withSelector(search, tag))}
              onSort={(sort, order) => show({ sort, order })}
              {...(may('write') && { chosen, onChoose: setChosen })}
            />
            <Pages meta={data.meta} onPage={(page) => show({ page })} />
          </>
        )}
      </Panel>
    </>
  )
}

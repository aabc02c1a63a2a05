import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useMemo, useState } from 'react'
import { groupsOf } from '../../../src/core/tags/tag-group.ts'
import type { ServerSearch } from '../../data/servers/server-search.ts'
import { useTeam } from '../../data/session.ts'
import { selectorsOf, withSelector } from '../../data/tags/tag-search.ts'
import { ChosenBar } from '../../forms/tags/chosen-bar.tsx'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'
import { GroupBar } from '../../parts/tags/group-bar.tsx'
import { useSteadyOrder } from '../../parts/use-steady-order.ts'
import { serversQuestion } from './server-data.ts'
import { pageOf, serversFound } from './server-list.ts'
import { ServerFilters } from './servers-filters.tsx'
import { ServerTable } from './servers-table.tsx'

/** All servers of a team. They are searched, sorted and paged here: figures that arrive need no other question. */
export default function Servers() {
  const { id, may } = useTeam()
  const team = String(id)
  const search = useSearch({ from: '/signed-in/teams/$team/servers' })
  const navigate = useNavigate({ from: '/teams/$team/servers' })
  const { data, error } = useQuery(serversQuestion(id))
  const found = useMemo(() => serversFound(data?.data ?? [], search), [data, search])
  const groups = useMemo(() => (search.group ? groupsOf(found, search.group) : null), [found, search.group])
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const { page: _page, ...filters } = search
  const steady = useSteadyOrder(found, JSON.stringify(filters))
  const { rows, meta } = pageOf(steady.rows, search.page)

  function show(change: ServerSearch) {
    setChosen(new Set())
    const kept = Object.entries({ ...search, page: undefined, ...change }).filter(
      ([, value]) => value !== undefined,
    )
    void navigate({ search: Object.fromEntries(kept), replace: 'search' in change })
  }

  const add = (label: string) =>
    may('write') && (
      <Link to="/teams/$team/servers/new" params={{ team }} className={buttonLook('main')}>
        {label}
      </Link>
    )
  const isEmpty = data?.data.length === 0
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
  return (
    <>
      <PageHead
        title={t('Servers')}
        actions={
          <>
            {sortAgain('max-lg:hidden')}
            {!isEmpty && add(t('Add server'))}
            {!isEmpty && <ListMenu list="servers" query={search} />}
          </>
        }
      />
      {!isEmpty && (
        <ServerFilters search={search} onChange={show}>
          {sortAgain('self-end lg:hidden')}
        </ServerFilters>
      )}
      {groups && search.group && (
        <GroupBar
          groups={groups}
          groupKey={search.group}
          chosen={selectorsOf(search)}
          onPick={(tag) => show(withSelector(search, tag))}
        />
      )}
      <ChosenBar kind="server" chosen={chosen} onDone={() => setChosen(new Set())} />
      <Panel>
        {error && !data ? (
          <Trouble error={error} within />
        ) : !data ? (
          <Waiting lines={12} />
        ) : isEmpty ? (
          <Empty icon={Server} title={t('No servers yet')} action={add(t('Add your first server'))}>
            {t(
              'A server reports its CPU, memory, disks and network every minute, by a shell script that you can read or by what runs there already: OpenTelemetry, Telegraf or Prometheus. Upbeat alerts you when it is silent, its disks fill up or its memory runs out.',
            )}
            {!may('write') && ` ${t('An owner or admin of this team can add the first server.')}`}
          </Empty>
        ) : rows.length === 0 ? (
          <Empty
            title={t('No matching servers')}
            action={<Button onClick={() => void navigate({ search: {} })}>{t('Show all')}</Button>}
          >
            {t('Search covers names and host names.')}
          </Empty>
        ) : (
          <>
            <ServerTable
              rows={rows}
              search={search}
              groups={groups}
              onTag={(tag) => show(withSelector(search, tag))}
              onSort={(sort, order) => show({ sort, order })}
              {...(may('write') && { chosen, onChoose: setChosen })}
            />
            <Pages meta={meta} onPage={(page) => show({ page })} />
          </>
        )}
      </Panel>
    </>
  )
}

import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Wrench } from 'lucide-react'
import type { WindowRow } from '../../../src/core/maintenance/shown-window.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { useWindows } from '../../parts/maintenance/windows.ts'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'
import { Segments } from '../../parts/segments.tsx'
import { MaintenanceCalendar } from './calendar.tsx'
import { CalendarFeed } from './calendar-feed.tsx'
import { PastOccurrences } from './past-occurrences.tsx'
import { OverRow, PlannedRow, RunningRow, SwitchRow, WindowRows } from './window-rows.tsx'

const VIEWS = [
  { value: 'list', label: t('List') },
  { value: 'calendar', label: t('Calendar') },
] as const

export default function Maintenance() {
  const { id, may } = useTeam()
  const search = useSearch({ from: '/signed-in/teams/$team/maintenance' })
  const navigate = useNavigate({ from: '/teams/$team/maintenance' })
  const { data, error } = useWindows(id)
  const add = may('write') && (
    <Link to="/teams/$team/maintenance/new" params={{ team: String(id) }} className={buttonLook('main')}>
      {t('New window')}
    </Link>
  )
  return (
    <>
      <PageHead
        title={t('Maintenance')}
        actions={
          <>
            <Segments
              label={t('View')}
              value={search.view ?? 'list'}
              options={VIEWS}
              onChoose={(view) =>
                void navigate({ search: view === 'calendar' ? { view } : {}, resetScroll: false })
              }
            />
            {add}
            <ListMenu list="maintenance" />
          </>
        }
      >
        {t('Planned failures alert no one and do not count toward uptime.')}
      </PageHead>
      {error && !data ? (
        <Trouble error={error} within />
      ) : search.view === 'calendar' ? (
        <MaintenanceCalendar
          month={search.month}
          onMonth={(month) => void navigate({ search: { view: 'calendar', month }, resetScroll: false })}
        />
      ) : !data ? (
        <Panel>
          <Waiting lines={8} />
        </Panel>
      ) : data.data.length === 0 ? (
        <div className="flex flex-col gap-5">
          <Panel>
            <Empty icon={Wrench} title={t('No maintenance windows yet')} action={add}>
              {may('write')
                ? t(
                    'Plan one before work that makes monitors fail: once, every week, or switched on by a deploy script. A single monitor goes under maintenance in two clicks, on its page.',
                  )
                : t('An owner or admin of this team can plan maintenance.')}
            </Empty>
          </Panel>
          <PastOccurrences />
        </div>
      ) : (
        <Windows windows={data.data} />
      )}
    </>
  )
}

function Windows({ windows }: { windows: WindowRow[] }) {
  const { may } = useTeam()
  const running = sorted(
    windows.filter(({ current }) => current),
    ({ current }) => current?.ends_at,
  )
  const planned = sorted(
    windows.filter(({ kind, current, next }) => kind !== 'switch' && !current && next),
    ({ next }) => next?.starts_at,
  )
  const switches = windows.filter(({ kind }) => kind === 'switch')
  const over = windows.filter(({ kind, current, next }) => kind !== 'switch' && !current && !next)
  return (
    <div className="flex flex-col gap-5">
      <WindowRows
        title={t('Now')}
        windows={running}
        row={RunningRow}
        empty={t('Nothing is under maintenance right now.')}
      />
      <WindowRows title={t('Planned')} windows={planned} row={PlannedRow} empty={t('Nothing is planned.')} />
      {switches.length > 0 && <WindowRows title={t('Switches')} windows={switches} row={SwitchRow} />}
      {over.length > 0 && <WindowRows title={t('No more occurrences')} windows={over} row={OverRow} />}
      <PastOccurrences />
      {may('write') && <CalendarFeed />}
    </div>
  )
}

function sorted(windows: WindowRow[], by: (window: WindowRow) => string | undefined): WindowRow[] {
  return [...windows].sort((one, other) => (by(one) ?? '').localeCompare(by(other) ?? ''))
}

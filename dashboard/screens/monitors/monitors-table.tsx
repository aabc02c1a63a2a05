import type { ReactNode } from 'react'
import { WHAT_UPTIME_COUNTS } from '../../../src/core/history/uptime.ts'
import { MONITOR_LIST } from '../../../src/core/lists/monitor-list.ts'
import type { SearchOf } from '../../../src/core/lists/search.ts'
import type { MonitorRow } from '../../../src/core/monitors/monitor-row.ts'
import { hasInterval } from '../../../src/core/monitors/monitor-types.ts'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { sayInterval, sayMs, sayShare } from '../../parts/figures.ts'
import { SortHead } from '../../parts/lists/sorting.tsx'
import type { Shown } from '../../parts/lists/subject-list.tsx'
import { NameCell, SubjectTable } from '../../parts/lists/subject-table.tsx'
import { useNarrow } from '../../parts/lists/use-narrow.ts'
import { typeWord } from '../../parts/monitors/type-word.ts'
import { UptimeBars } from '../../parts/monitors/uptime-bars.tsx'
import { Since, Time } from '../../parts/time.tsx'

/** The list of monitors. On a narrow screen the bars and the uptime stand below the name, and the figures that do not fit are left out. */
export function MonitorTable(shown: Shown<SearchOf<typeof MONITOR_LIST>, MonitorRow>) {
  const isNarrow = useNarrow()
  const sorted = { list: MONITOR_LIST, search: shown.search, onSort: shown.onSort }
  return (
    <>
      <SubjectTable
        title={t('Monitors')}
        shown={shown}
        head={
          <>
            <SortHead sort="name" label={t('Name')} {...sorted} />
            <Head className="hidden w-44 md:table-cell">{t('Last 30 days')}</Head>
            <Head className="hidden w-28 text-right md:table-cell">{t('Uptime')}</Head>
            <Head className="hidden w-48 text-right xl:table-cell">p50 / p95</Head>
            <SortHead
              sort="last_checked_at"
              label={t('Last check')}
              {...sorted}
              className="hidden w-40 lg:table-cell"
            />
          </>
        }
      >
        {(row) => <Cells row={row} isNarrow={isNarrow} onTag={shown.onTag} />}
      </SubjectTable>
      <p className="hidden border-t border-line px-4 py-3 text-sm text-soft sm:block">
        {t(WHAT_UPTIME_COUNTS)}
      </p>
    </>
  )
}

function Cells({
  row,
  isNarrow,
  onTag,
}: {
  row: MonitorRow
  isNarrow: boolean
  onTag: (tag: string) => void
}) {
  const { id } = useTeam()
  const bars = <UptimeBars days={row.days} maintenance={row.maintenance_days} />
  return (
    <>
      <NameCell
        row={row}
        status={liveStatus(row)}
        to={{
          to: '/teams/$team/monitors/$monitor',
          params: { team: String(id), monitor: String(row.id) },
        }}
        fact={said(row)}
        onTag={onTag}
      >
        {isNarrow && (
          <span className="mt-1.5 flex items-end justify-between gap-3">
            {bars}
            <span className="text-sm whitespace-nowrap">{sayShare(row.uptime_30d)}</span>
          </span>
        )}
      </NameCell>
      <td className="hidden px-3 md:table-cell">{!isNarrow && bars}</td>
      <td className="hidden px-3 text-right whitespace-nowrap md:table-cell">{sayShare(row.uptime_30d)}</td>
      <td className="hidden px-3 text-right whitespace-nowrap text-soft xl:table-cell">
        {row.p50_ms === null ? '–' : `${sayMs(row.p50_ms)} / ${sayMs(row.p95_ms)}`}
      </td>
      {/* To the left: a time that gets longer moves nothing. */}
      <td className="hidden py-2 pr-4 pl-3 text-soft lg:table-cell">
        {row.last_checked_at ? <Time at={row.last_checked_at} /> : t('Not yet')}
      </td>
    </>
  )
}

/** The most important fact besides the name. */
function said(row: MonitorRow): ReactNode {
  if (row.is_active && row.status === 'down') {
    return (
      <span className="text-down">
        {row.cause} · <Since at={row.status_since} />
      </span>
    )
  }
  if (row.is_active && row.status === 'maintenance') {
    return (
      <span className="text-maintenance">
        {t('Failing under maintenance')} · <Since at={row.status_since} />
      </span>
    )
  }
  return [
    typeWord(row.type),
    row.target,
    row.schedule ??
      (hasInterval(row.type) && t('every {interval}', { interval: sayInterval(row.interval_seconds) })),
  ]
    .filter(Boolean)
    .join(' · ')
}

function Head({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <th className={`px-3 py-2 font-medium ${className}`}>{children}</th>
}

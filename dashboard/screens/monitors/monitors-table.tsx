import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { WHAT_UPTIME_COUNTS } from '../../../src/core/history/uptime.ts'
import type { MonitorRow, MonitorSort } from '../../../src/core/monitors/monitor-row.ts'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import type { TagGroup } from '../../../src/core/tags/tag-group.ts'
import type { MonitorSearch } from '../../data/monitor-search.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { sayInterval, sayMs, sayShare } from '../../parts/figures.ts'
import { useNarrow } from '../../parts/lists/use-narrow.ts'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { typeWord } from '../../parts/monitors/type-word.ts'
import { UptimeBars } from '../../parts/monitors/uptime-bars.tsx'
import { GroupHead } from '../../parts/tags/group-bar.tsx'
import { inGroups } from '../../parts/tags/in-groups.ts'
import { TagChips } from '../../parts/tags/tag-chips.tsx'
import { Since, Time } from '../../parts/time.tsx'

type Choice = { chosen?: ReadonlySet<number>; onChoose?: (chosen: ReadonlySet<number>) => void }

/** The list of monitors. The head fixes all widths, so that no figure moves a column as it grows. On a narrow screen the bars and the uptime stand below the name, and the figures that do not fit are left out. */
export function MonitorTable({
  rows,
  search,
  groups,
  onTag,
  onSort,
  chosen,
  onChoose,
}: {
  rows: MonitorRow[]
  search: MonitorSearch
  groups: readonly TagGroup[] | null
  onTag: (tag: string) => void
  onSort: (sort: MonitorSort, order: 'asc' | 'desc') => void
} & Choice) {
  const isNarrow = useNarrow()
  const isAll = chosen !== undefined && rows.every(({ id }) => chosen.has(id))
  const sortable = (sort: MonitorSort, label: string) => (
    <SortHead label={label} sort={sort} search={search} onSort={onSort} />
  )
  return (
    <>
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">{t('Monitors')}</caption>
        <thead className="text-left text-sm text-soft">
          <tr className="border-b border-line">
            {chosen && onChoose && (
              <th className="w-10 py-2 pl-4">
                <input
                  type="checkbox"
                  aria-label={t('Select all on this page')}
                  className="size-4.5 accent-accent align-middle"
                  checked={isAll}
                  onChange={() => onChoose(isAll ? new Set() : new Set(rows.map(({ id }) => id)))}
                />
              </th>
            )}
            {sortable('name', t('Name'))}
            <Head className="hidden w-44 md:table-cell">{t('Last 30 days')}</Head>
            <Head className="hidden w-28 text-right md:table-cell">{t('Uptime')}</Head>
            <Head className="hidden w-48 text-right xl:table-cell">p50 / p95</Head>
            <SortHead
              label={t('Last check')}
              sort="last_checked_at"
              search={search}
              onSort={onSort}
              className="hidden w-40 text-right lg:table-cell"
            />
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {inGroups(rows, search.group).map(({ row, begins }) => (
            <Fragment key={row.id}>
              {begins !== undefined && (
                <GroupHead
                  tag={begins}
                  groupKey={search.group ?? ''}
                  group={groups?.find(({ tag }) => tag === begins)}
                  columns={chosen ? 2 : 1}
                />
              )}
              <Row
                row={row}
                isNarrow={isNarrow}
                onTag={onTag}
                {...(chosen &&
                  onChoose && {
                    isChosen: chosen.has(row.id),
                    onToggle: () => onChoose(toggled(chosen, row.id)),
                  })}
              />
            </Fragment>
          ))}
        </tbody>
      </table>
      <p className="hidden border-t border-line px-4 py-3 text-sm text-soft sm:block">
        {t(WHAT_UPTIME_COUNTS)}
      </p>
    </>
  )
}

function Row({
  row,
  isNarrow,
  onTag,
  isChosen,
  onToggle,
}: {
  row: MonitorRow
  isNarrow: boolean
  onTag: (tag: string) => void
  isChosen?: boolean
  onToggle?: () => void
}) {
  const { id } = useTeam()
  const bars = <UptimeBars days={row.days} maintenance={row.maintenance_days} />
  return (
    <tr data-row className={`hover:bg-sunken ${isChosen ? 'bg-sunken' : ''}`}>
      {onToggle && (
        <td className="py-2 pl-4">
          <input
            type="checkbox"
            aria-label={t('Select {name}', { name: row.name })}
            className="size-4.5 accent-accent align-middle"
            checked={isChosen ?? false}
            onChange={onToggle}
          />
        </td>
      )}
      <td className="py-2 pr-3 pl-4">
        <div className="flex items-center gap-3">
          <StatusMark status={liveStatus(row)} size={18} />
          <div className="min-w-0 flex-1">
            <div className="flex min-w-0 items-center gap-2">
              <Link
                to="/teams/$team/monitors/$monitor"
                params={{ team: String(id), monitor: String(row.id) }}
                className="font-medium hover:underline max-md:line-clamp-2 max-md:break-words md:truncate md:block"
              >
                {row.name}
              </Link>
              <TagChips tags={row.tags} onPick={onTag} className="max-md:hidden" />
            </div>
            <span className="text-sm text-soft max-md:line-clamp-2 max-md:break-words md:truncate md:block">
              {said(row)}
            </span>
            {isNarrow && (
              <span className="mt-1.5 flex items-end justify-between gap-3">
                {bars}
                <span className="text-sm whitespace-nowrap">{sayShare(row.uptime_30d)}</span>
              </span>
            )}
          </div>
        </div>
      </td>
      <td className="hidden px-3 md:table-cell">{!isNarrow && bars}</td>
      <td className="hidden px-3 text-right whitespace-nowrap md:table-cell">{sayShare(row.uptime_30d)}</td>
      <td className="hidden px-3 text-right whitespace-nowrap text-soft xl:table-cell">
        {row.p50_ms === null ? '–' : `${sayMs(row.p50_ms)} / ${sayMs(row.p95_ms)}`}
      </td>
      <td className="hidden py-2 pr-4 pl-3 text-right text-soft lg:table-cell">
        {row.last_checked_at ? <Time at={row.last_checked_at} /> : t('Not yet')}
      </td>
    </tr>
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
    t('every {interval}', { interval: sayInterval(row.interval_seconds) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

function Head({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <th className={`px-3 py-2 font-medium ${className}`}>{children}</th>
}

function SortHead({
  label,
  sort,
  search,
  onSort,
  className = 'pl-4',
}: {
  label: string
  sort: MonitorSort
  search: MonitorSearch
  onSort: (sort: MonitorSort, order: 'asc' | 'desc') => void
  className?: string
}) {
  const isSorted = search.sort === sort
  const isDown = isSorted && search.order === 'desc'
  return (
    <th
      className={`px-3 py-2 font-medium ${className}`}
      {...(isSorted && { 'aria-sort': isDown ? 'descending' : 'ascending' })}
    >
      <button
        type="button"
        className="hover:text-ink"
        onClick={() => onSort(sort, isSorted && !isDown ? 'desc' : 'asc')}
      >
        {label}
        {isSorted && <span aria-hidden> {isDown ? '↓' : '↑'}</span>}
      </button>
    </th>
  )
}

function toggled(chosen: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

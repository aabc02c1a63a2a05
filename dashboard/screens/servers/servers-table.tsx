import type { ReactNode } from 'react'
import type { SortName } from '../../../src/core/lists/list.ts'
import type { SearchOf } from '../../../src/core/lists/search.ts'
import { SERVER_LIST } from '../../../src/core/lists/server-list.ts'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import type { ServerRow } from '../../../src/core/servers/shown-server.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { SortHead } from '../../parts/lists/sorting.tsx'
import type { Shown } from '../../parts/lists/subject-list.tsx'
import { NameCell, SubjectTable } from '../../parts/lists/subject-table.tsx'
import { statusColour, statusWord } from '../../parts/monitors/status.tsx'
import { sayLoad, sayPercent } from '../../parts/servers/figures.ts'
import { UsageBar } from '../../parts/servers/usage-bar.tsx'
import { Since, Time } from '../../parts/time.tsx'

/** Where a load per CPU fills its bar: the level at which the condition begins by default. */
const FULL_LOAD = 2

/** The list of servers. On a narrow screen the figures stand below the name. */
export function ServerTable(shown: Shown<SearchOf<typeof SERVER_LIST>, ServerRow>) {
  const { search, onSort } = shown
  const head = (sort: SortName<typeof SERVER_LIST>, label: string, className?: string) => (
    <SortHead list={SERVER_LIST} {...{ sort, label, search, onSort }} {...(className && { className })} />
  )
  const figure = 'hidden w-32 text-right lg:table-cell'
  return (
    <SubjectTable
      title={t('Servers')}
      shown={shown}
      head={
        <>
          {head('name', t('Name'))}
          {head('cpu', 'CPU', figure)}
          {head('memory', t('Memory'), figure)}
          {head('disk', t('Fullest disk'), 'hidden w-40 text-right lg:table-cell')}
          {head('load', t('Load per CPU'), figure)}
          {head('last_report_at', t('Last report'), 'hidden w-40 md:table-cell')}
        </>
      }
    >
      {(row) => <Cells row={row} onTag={shown.onTag} />}
    </SubjectTable>
  )
}

function Cells({ row, onTag }: { row: ServerRow; onTag: (tag: string) => void }) {
  const { id } = useTeam()
  const figures = figuresOf(row)
  return (
    <>
      <NameCell
        row={row}
        status={liveStatus(row)}
        to={{ to: '/teams/$team/servers/$server', params: { team: String(id), server: String(row.id) } }}
        fact={said(row)}
        onTag={onTag}
      >
        {/* Read out once, in the columns, which are there on wide screens only. */}
        {row.last_report_at !== null && (
          <span className="mt-1 grid grid-cols-4 gap-3 lg:hidden">
            {figures.map(({ name, percent, text, high }) => (
              <span key={name} className="min-w-0">
                <span className="block truncate text-xs text-soft">{name}</span>
                <UsageBar percent={percent} text={text} high={high} className="w-full" />
              </span>
            ))}
          </span>
        )}
      </NameCell>
      {figures.map(({ name, percent, text, high, of, isWide }) => (
        <td key={name} className="hidden px-3 text-right lg:table-cell" {...(of && { title: of })}>
          <UsageBar percent={percent} text={text} high={high} className={isWide ? 'w-full' : 'w-24'} />
          {of && <span className="block truncate text-right text-xs text-soft">{of}</span>}
        </td>
      ))}
      {/* To the left: a time that gets longer moves nothing. */}
      <td className="hidden py-2 pr-4 pl-3 text-soft md:table-cell">
        {row.last_report_at ? <Time at={row.last_report_at} /> : t('None yet')}
      </td>
    </>
  )
}

type Figure = {
  name: string
  percent: number | null
  text: string
  high: number
  of?: string
  isWide?: true
}

function figuresOf({ cpu_percent, memory_used_percent, fullest, load_per_cpu }: ServerRow): Figure[] {
  return [
    { name: 'CPU', percent: cpu_percent, text: sayPercent(cpu_percent), high: 90 },
    { name: t('Memory'), percent: memory_used_percent, text: sayPercent(memory_used_percent), high: 90 },
    {
      name: t('Disk'),
      percent: fullest?.used_percent ?? null,
      text: sayPercent(fullest?.used_percent),
      high: 90,
      isWide: true,
      ...(fullest && { of: fullest.mount }),
    },
    {
      name: t('Load'),
      percent: load_per_cpu === null ? null : (load_per_cpu / FULL_LOAD) * 100,
      text: sayLoad(load_per_cpu),
      high: 100,
    },
  ]
}

/** The most important fact besides the name. */
function said(row: ServerRow): ReactNode {
  const status = liveStatus(row)
  if (status === 'down' || status === 'degraded' || status === 'maintenance') {
    const [cause = statusWord(status), ...more] = row.causes
    return (
      <span className={statusColour(status)}>
        {more.length > 0 ? t('{cause} and {count, number} more', { cause, count: more.length }) : cause} ·{' '}
        <Since at={row.status_since} />
      </span>
    )
  }
  if (row.last_report_at === null && status === 'pending') return t('Waiting for the first report')
  return row.host_name ?? statusWord(status)
}

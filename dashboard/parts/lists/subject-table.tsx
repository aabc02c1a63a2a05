import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import type { LiveStatus } from '../../../src/core/monitors/status.ts'
import { FlappingMark } from '../alerting/flapping.tsx'
import { StatusMark } from '../monitors/status.tsx'
import type { Place } from '../records/form-screen.tsx'
import { ChooseAll, ChooseOne } from '../tags/choose.tsx'
import { GroupHead } from '../tags/group-bar.tsx'
import { inGroups } from '../tags/in-groups.ts'
import { TagChips } from '../tags/tag-chips.tsx'
import type { Shown } from './subject-list.tsx'

type Subject = { id: number; name: string; tags: readonly string[] }
type Flapping = { flapping_since: string | null }

/** Rows in columns, with their groups. The head fixes all widths, so that no figure moves a column as it grows. */
export function SubjectTable<Row extends Subject>({
  title,
  head,
  shown: { rows, groups, search, chosen, onChoose },
  children,
}: {
  title: string
  /** The heads of the columns. */
  head: ReactNode
  shown: Pick<
    Shown<{ group?: string | undefined }, Row>,
    'rows' | 'groups' | 'search' | 'chosen' | 'onChoose'
  >
  /** The cells of a row. */
  children: (row: Row) => ReactNode
}) {
  const choosing = chosen && onChoose && { chosen, onChoose }
  return (
    <table className="w-full table-fixed border-collapse">
      <caption className="sr-only">{title}</caption>
      <thead className="text-left text-sm text-soft">
        <tr className="border-b border-line">
          {choosing && (
            <th className="w-10 py-2 pl-4">
              <ChooseAll ids={rows.map(({ id }) => id)} {...choosing} />
            </th>
          )}
          {head}
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
                columns={choosing ? 2 : 1}
              />
            )}
            <tr data-row className={`hover:bg-sunken ${chosen?.has(row.id) ? 'bg-sunken' : ''}`}>
              {choosing && (
                <td className="py-2 pl-4">
                  <ChooseOne id={row.id} name={row.name} {...choosing} />
                </td>
              )}
              {children(row)}
            </tr>
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

/** The first cell of a row: its status, its name, its tags, and below them the most important fact besides the name. */
export function NameCell({
  row,
  status,
  to,
  fact,
  onTag,
  children,
}: {
  row: Subject & Flapping
  status: LiveStatus
  to: Place
  fact: ReactNode
  onTag: (tag: string) => void
  /** Stands below on a narrow screen. */
  children: ReactNode
}) {
  return (
    <td className="py-2 pr-3 pl-4">
      <div className="flex items-center gap-3">
        <StatusMark status={status} size={18} />
        <div className="min-w-0 flex-1">
          <NameLine row={row} to={to} onTag={onTag} />
          {/* As high for a cause as for an address: what changes moves no row. */}
          <span className="text-sm text-soft max-md:line-clamp-2 max-md:min-h-[2lh] max-md:break-words md:truncate md:block">
            <FlappingFact row={row}>{fact}</FlappingFact>
          </span>
          {children}
        </div>
      </div>
    </td>
  )
}

/** The fact of a row, with that it flaps before it. Beside the name, it would make another line of that on a phone. */
export function FlappingFact({
  row: { flapping_since: since },
  children,
}: {
  row: Flapping
  children: ReactNode
}) {
  return (
    <>
      {since !== null && (
        <>
          <FlappingMark since={since} /> ·{' '}
        </>
      )}
      {children}
    </>
  )
}

/** The name of a subject, which leads to its page, and its tags. */
export function NameLine({
  row: { name, tags },
  to,
  onTag,
}: {
  row: Subject
  to: Place
  onTag: (tag: string) => void
}) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      <Link
        {...to}
        className="font-medium hover:underline max-md:line-clamp-2 max-md:break-words md:truncate md:block"
      >
        {name}
      </Link>
      <TagChips tags={tags} onPick={onTag} className="max-md:hidden" />
    </div>
  )
}

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SUBJECT_KINDS, type SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { LiveStatus } from '../../../src/core/monitors/status.ts'
import { allCounts, type Counted, countsOf } from '../../../src/core/overview/counts.ts'
import { useTeam } from '../../data/session.ts'
import { SHOWN_KINDS, sayKindCount } from '../../data/subjects/shown-kinds.ts'
import { sayCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { StatusMark, statusColour, statusWord } from '../../parts/monitors/status.tsx'
import { totalOf } from './overview-counts.ts'

/**
 * The numbers of all subjects by status, as the heading counts them. Each leads to their list, and says
 * beneath of what it is where the team has several kinds. On a phone they are one line of shapes and numbers.
 */
export function StatusTiles({ counted }: { counted: Counted }) {
  const all = allCounts(counted)
  const kinds = SUBJECT_KINDS.filter((kind) => totalOf(countsOf(counted, kind)) > 0)
  return (
    <ul
      aria-label={t('By status')}
      className="mb-3 grid grid-cols-6 gap-1.5 sm:mb-5 sm:grid-cols-3 sm:gap-3 xl:grid-cols-6"
    >
      {LiveStatus.options.map((status) => (
        <li
          key={status}
          className="min-w-0 rounded-lg border border-line bg-panel sm:flex sm:flex-col sm:px-4 sm:py-3"
        >
          <InList
            kind={firstWith(counted, status)}
            status={status}
            className="flex h-11 items-center justify-center gap-1 hover:bg-sunken sm:h-auto sm:justify-start sm:gap-3 sm:hover:bg-transparent sm:hover:underline"
          >
            <span className={`flex shrink-0 ${all[status] > 0 ? statusColour(status) : 'text-soft'}`}>
              <StatusMark status={status} size={18} />
            </span>
            <span className="min-w-0">
              <span className="block text-sm leading-tight font-semibold sm:text-xl">
                {sayCount(all[status])}
              </span>
              <span className="block text-sm text-soft max-sm:sr-only">{statusWord(status)}</span>
            </span>
          </InList>
          {kinds.length > 1 && <OfWhat counted={counted} status={status} />}
        </li>
      ))}
    </ul>
  )
}

/** The line has its place while it says nothing, so that a number that comes moves no other. */
function OfWhat({ counted, status }: { counted: Counted; status: LiveStatus }) {
  const kinds = SUBJECT_KINDS.filter((kind) => countsOf(counted, kind)[status] > 0)
  return (
    <span className="mt-1 flex min-h-[1lh] flex-wrap gap-x-2 text-sm text-soft max-sm:hidden">
      {kinds.map((kind) => (
        <InList key={kind} kind={kind} status={status} className="whitespace-nowrap hover:underline">
          {sayKindCount(kind, countsOf(counted, kind)[status])}
        </InList>
      ))}
    </span>
  )
}

function firstWith(counted: Counted, status: LiveStatus): SubjectKind {
  return SUBJECT_KINDS.find((kind) => countsOf(counted, kind)[status] > 0) ?? 'monitor'
}

function InList({
  kind,
  status,
  className,
  children,
}: {
  kind: SubjectKind
  status: LiveStatus
  className: string
  children: ReactNode
}) {
  const { id } = useTeam()
  return (
    <Link
      to={SHOWN_KINDS[kind].list}
      params={{ team: String(id) }}
      search={{ status } as never}
      className={className}
    >
      {children}
    </Link>
  )
}

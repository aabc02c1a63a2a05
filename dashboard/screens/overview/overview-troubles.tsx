import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import type { Overview } from '../../../src/core/overview/overview.ts'
import { useTeam } from '../../data/session.ts'
import { pageOfSubject, SHOWN_KINDS, sayKindCount } from '../../data/subjects/shown-kinds.ts'
import { sayCount } from '../../language/count.ts'
import { rich, t } from '../../language/language.ts'
import { FlappingCount, FlappingMark } from '../../parts/alerting/flapping.tsx'
import { preloaded } from '../../parts/lazy-part.tsx'
import { useHeld } from '../../parts/lists/use-held.ts'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { AcknowledgedCount, AcknowledgedMark } from '../../parts/on-call/acknowledged-mark.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Since } from '../../parts/time.tsx'
import { type HeldSubject, type HeldTrouble, holdTroubles } from './held-troubles.ts'
import { RenewButton } from './renew-button.tsx'

/** The first screen does without it: it stands in groups, which are closed. */
const GroupActions = preloaded(() => import('./group-actions.tsx'))

/** This many lines have their place while there are none: the first ones push nothing away. */
const KEPT_LINES = 3
const KEPT = 'min-h-63 sm:min-h-48'
/** Three lines of text on a phone, two elsewhere, whatever stands in them. */
const LINE = 'flex h-21 items-start gap-3 overflow-hidden px-4 py-2.5 hover:bg-sunken sm:h-16'

/** All that is down, degraded or cannot be judged, by cause. Lines keep their places until their reader asks for what is new. */
export function Troubles({ overview }: { overview: Overview }) {
  const { shown, comparedWith, renew } = useHeld(overview, { keep: fillIn })
  const newSince = comparedWith.at
  const { rows, waiting, isStale } = holdTroubles(shown, overview)
  return (
    <Panel
      title={t('Needs attention')}
      actions={
        <RenewButton waiting={waiting} isStale={isStale} what={t('needs attention')} onRenew={renew} />
      }
    >
      <div className={KEPT}>
        {rows.length === 0 ? (
          <p className="px-4 py-6 text-soft">
            {t(
              'Nothing right now. Monitors, servers and sites that are down or have a warning appear here, newest first.',
            )}
          </p>
        ) : (
          <ul className="divide-y divide-line">
            {rows.map((row) => {
              const ids = shown.troubles.find(({ key }) => key === row.key)?.ids ?? []
              return (
                <li key={row.key} data-row>
                  {ids.length === 1 ? (
                    <Single subject={row.subjects[0] as HeldSubject} newSince={newSince} />
                  ) : (
                    <Group row={row} ids={ids} newSince={newSince} />
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </div>
      {shown.troubles_rest > 0 && (
        <p className="border-t border-line px-4 py-2.5 text-soft">
          {t('and {count} more', { count: sayCount(shown.troubles_rest) })}
        </p>
      )}
    </Panel>
  )
}

function fillIn(shown: Overview, latest: Overview): Overview {
  if (shown.troubles.length > 0 || latest.troubles.length === 0) return shown
  return { ...latest, troubles: latest.troubles.slice(0, KEPT_LINES) }
}

/** A number and their cause in one line, which opens to its subjects. */
function Group({ row, ids, newSince }: { row: HeldTrouble; ids: readonly number[]; newSince: string }) {
  const { kind, count, cause, acknowledged, flapping, subjects } = row
  const isOver = count === 0
  const isNew = subjects.some(({ since }) => since > newSince)
  return (
    <details className="group">
      <summary className={`${LINE} list-none [&::-webkit-details-marker]:hidden`}>
        <span className="pt-0.5">
          <StatusMark status={isOver ? 'up' : row.status} size={18} />
        </span>
        <span className="min-w-0 flex-1">
          <span
            className="line-clamp-2 min-h-[2lh] font-medium sm:line-clamp-1 sm:min-h-0"
            title={cause ?? ''}
          >
            {isOver ? t('All recovered: {cause}', { cause }) : `${sayKindCount(kind, count)}: ${cause}`}
          </span>
          <span className="flex items-center gap-3">
            <span className="truncate text-soft">{subjects.map(({ name }) => name).join(', ')}</span>
            {!isOver && <FlappingCount count={flapping} of={count} />}
            {acknowledged > 0 && !isOver && <AcknowledgedCount count={acknowledged} of={count} />}
          </span>
        </span>
        <When since={row.began} isOver={isOver} isNew={isNew} />
        <ChevronRight
          aria-hidden
          size={18}
          className="mt-0.5 -mr-1 shrink-0 text-soft transition-transform group-open:rotate-90"
        />
      </summary>
      <ul className="divide-y divide-line border-t border-line bg-sunken/50 sm:pl-7.5">
        <Suspense fallback={null}>
          <GroupActions row={row} ids={ids} />
        </Suspense>
        {subjects.map((subject) => (
          <li key={subject.id}>
            <Single subject={subject} newSince={newSince} />
          </li>
        ))}
        {count > subjects.length && <Rest row={row} count={count - subjects.length} />}
      </ul>
    </details>
  )
}

function Rest({ row: { kind, status, place }, count }: { row: HeldTrouble; count: number }) {
  const { id } = useTeam()
  return (
    <li className="px-4 py-2.5 text-soft">
      {rich('and {count} more – <link>show in the list</link>', {
        count: sayCount(count),
        link: (inside) => (
          <Link
            to={SHOWN_KINDS[kind].list}
            params={{ team: String(id) }}
            search={{ status, ...(place !== null && { search: place }) } as never}
            className="underline"
          >
            {inside}
          </Link>
        ),
      })}
    </li>
  )
}

function Single({ subject, newSince }: { subject: HeldSubject; newSince: string }) {
  const { name, status, reason, target, since, flapping_since: flapping, acknowledgement, isOver } = subject
  return (
    <SubjectLink subject={subject}>
      <span className="pt-0.5">
        <StatusMark status={isOver ? 'up' : status} size={18} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-3">
          <span className="truncate font-medium">{name}</span>
          {!isOver && <FlappingMark since={flapping} />}
          {acknowledgement && !isOver && (
            <AcknowledgedMark holder={acknowledgement} className="max-w-[45%] shrink-0" />
          )}
        </span>
        <span className="line-clamp-2 text-soft sm:line-clamp-1" title={reason ?? target ?? ''}>
          {isOver ? t('Recovered') : (reason ?? target)}
        </span>
      </span>
      <When since={since} isOver={isOver} isNew={since > newSince} />
    </SubjectLink>
  )
}

/** The width is fixed, and the text aligned to the left: a time that gets longer moves nothing. */
function When({ since, isOver, isNew }: { since: string; isOver: boolean; isNew: boolean }) {
  return (
    <span className="w-22 shrink-0 text-sm text-soft">
      <span className="block h-[1lh]">{!isOver && <Since at={since} />}</span>
      {isNew && !isOver && <span className="font-semibold text-accent">{t('New')}</span>}
    </span>
  )
}

function SubjectLink({ subject, children }: { subject: HeldSubject; children: ReactNode }) {
  const { id } = useTeam()
  return (
    <Link {...pageOfSubject(id, subject)} className={LINE}>
      {children}
    </Link>
  )
}

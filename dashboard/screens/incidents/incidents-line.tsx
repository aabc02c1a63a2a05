import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatDuration } from '../../../src/core/duration.ts'
import type { IncidentRow } from '../../../src/core/monitors/incident-story.ts'
import { sayCondition } from '../../../src/core/servers/condition-words.ts'
import { AREA_NAMES, SiteArea } from '../../../src/core/sites/area.ts'
import { SHOWN_KINDS } from '../../data/subjects/shown-kinds.ts'
import { t } from '../../language/language.ts'
import { IncidentMark } from '../../parts/monitors/incident-mark.tsx'
import { AcknowledgedMark } from '../../parts/on-call/acknowledged-mark.tsx'
import { Since, Time } from '../../parts/time.tsx'

/** A line of the list, all of which leads to the incident: columns on a wide screen, a card on a narrow one. */
export function IncidentLine({
  team,
  incident,
  choice,
}: {
  team: number
  incident: IncidentRow
  /** The box that chooses it; null where the others of the list have one. */
  choice?: ReactNode
}) {
  const { icon: Icon, words } = SHOWN_KINDS[incident.kind]
  const about = aboutWords(incident)
  return (
    <li data-row className="relative flex items-center hover:bg-sunken">
      {choice !== undefined && <span className="relative z-1 flex w-9 shrink-0 justify-end">{choice}</span>}
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-2.5 lg:grid-cols-[7rem_minmax(0,15rem)_minmax(0,1fr)_auto_11rem_8rem]">
        <span className="flex min-w-0 items-center gap-2 py-1 font-medium lg:order-2">
          <Icon aria-hidden size={16} className="shrink-0 text-soft" />
          <span className="sr-only">{t(words.one)}</span>
          <span className="max-lg:line-clamp-2 max-lg:break-words lg:truncate">{incident.subject_name}</span>
        </span>
        <span className="text-right lg:order-6">
          {incident.duration_seconds === null ? (
            <Since at={incident.started_at} />
          ) : (
            formatDuration(incident.duration_seconds)
          )}
        </span>
        <span className="min-w-0 max-lg:col-span-2 lg:order-3">
          <ToIncident team={team} incident={incident}>
            <span className="line-clamp-2 break-words lg:line-clamp-1" title={incident.cause ?? undefined}>
              {about && <span className="text-soft">{about}: </span>}
              {incident.cause ?? t('The check failed')}
            </span>
          </ToIncident>
        </span>
        <span className="flex items-center justify-between max-lg:col-span-2 max-lg:pt-0.5 max-lg:text-sm lg:contents">
          <span className="lg:order-1">
            <IncidentMark resolved={incident.resolved} warnsOnly={incident.warns_only} />
          </span>
          <span className="flex min-w-0 px-2 max-lg:empty:hidden lg:order-4 lg:px-0">
            {incident.acknowledgement && (
              <AcknowledgedMark holder={incident.acknowledgement} className="max-w-40" />
            )}
          </span>
          <span className="shrink-0 text-soft lg:order-5 lg:text-ink">
            <Time at={incident.started_at} as="date" />
          </span>
        </span>
      </div>
    </li>
  )
}

/** A link that covers its whole row. */
function ToIncident({
  team,
  incident,
  children,
}: {
  team: number
  incident: IncidentRow
  children: ReactNode
}) {
  const params = { team: String(team), incident: String(incident.id) }
  const look = 'after:absolute after:inset-0 hover:underline'
  switch (incident.kind) {
    case 'monitor':
      return (
        <Link to="/teams/$team/incidents/$incident" params={params} className={look}>
          {children}
        </Link>
      )
    case 'server':
      return (
        <Link to="/teams/$team/incidents/servers/$incident" params={params} className={look}>
          {children}
        </Link>
      )
    case 'site':
      return (
        <Link to="/teams/$team/incidents/sites/$incident" params={params} className={look}>
          {children}
        </Link>
      )
  }
}

/** The condition of a server or the area of a site; null for a monitor. */
export function aboutWords({ kind, about }: Pick<IncidentRow, 'kind' | 'about'>): string | null {
  if (about === null) return null
  switch (kind) {
    case 'monitor':
      return about
    case 'server':
      return sayCondition(about, t)
    case 'site': {
      const area = SiteArea.safeParse(about).data
      return area ? t(AREA_NAMES[area]) : about
    }
  }
}

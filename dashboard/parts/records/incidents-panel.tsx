import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { formatDuration } from '../../../src/core/duration.ts'
import { t } from '../../language/language.ts'
import { IncidentAlerts } from '../alerting/incident-alerts.tsx'
import { Button } from '../button.tsx'
import { Answered } from '../feedback/answered.tsx'
import { AllIncidents } from '../lists/all-incidents.tsx'
import { HeldArea, useHeldRows } from '../lists/held-list.tsx'
import type { OneSubject } from '../lists/subject-filter.tsx'
import { IncidentMark } from '../monitors/incident-mark.tsx'
import { Panel } from '../panel.tsx'
import { Since, Time } from '../time.tsx'
import type { Place } from './form-screen.tsx'

const SHOWN = 10

/** The incidents of a subject, newest first: all that were answered, or the first and a button for the rest. */
export function IncidentsPanel<Incident extends { id: number }>({
  of,
  asked,
  page = 1,
  pages,
  children,
}: {
  of: OneSubject
  asked: {
    data: { data: readonly Incident[] } | undefined
    error: Error | null
    isFetching: boolean
    isPlaceholderData: boolean
  }
  /** The page that is asked for, and what leads to the others, where the service answers page by page. */
  page?: number
  pages?: ReactNode
  children: (incident: Incident) => ReactNode
}) {
  const [isAll, setAll] = useState(false)
  const isWhole = isAll || pages !== undefined
  const incidents = asked.data?.data
  const shown = useMemo(() => (isWhole ? incidents : incidents?.slice(0, SHOWN)), [incidents, isWhole])
  const held = useHeldRows<Incident>(shown, {
    keyOf: ({ id }) => String(id),
    list: `${isAll} ${page} ${asked.isPlaceholderData}`,
    isFetching: asked.isFetching,
  })
  return (
    <Panel title={t('Incidents')} actions={<AllIncidents of={of} />}>
      <Answered answer={asked} lines={2}>
        {() =>
          held.rows.length === 0 ? (
            <p className="px-4 py-3 text-soft">{t('No incidents yet.')}</p>
          ) : (
            <HeldArea held={held}>
              <ul className="divide-y divide-line">{held.rows.map((incident) => children(incident))}</ul>
            </HeldArea>
          )
        }
      </Answered>
      {pages}
      {!isWhole && incidents && incidents.length > SHOWN && (
        <p className="border-t border-line px-4 py-2">
          <Button size="small" onClick={() => setAll(true)}>
            {t('Show all {count, number}', { count: incidents.length })}
          </Button>
        </p>
      )}
    </Panel>
  )
}

/** Whether an incident lasts, since when and how long. */
export function IncidentTimes({
  startedAt,
  seconds,
  warnsOnly = false,
}: {
  startedAt: string
  /** Null while it lasts. */
  seconds: number | null
  warnsOnly?: boolean
}) {
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-3 text-sm">
      <IncidentMark resolved={seconds !== null} warnsOnly={warnsOnly} />
      <span className="text-soft">
        <Time at={startedAt} as="date" />
        {', '}
        {seconds === null ? <Since at={startedAt} /> : formatDuration(seconds)}
      </span>
    </span>
  )
}

/** A line about an incident of a server or site, with its alerts. */
export function IncidentLine({
  incident: { started_at, resolved_at, cause },
  warnsOnly = false,
  to,
  name,
  alertsOf,
  children,
}: {
  incident: { started_at: string; resolved_at: string | null; cause: string | null }
  warnsOnly?: boolean
  /** The screen of the incident. */
  to: Place
  /** Names the trouble. */
  name: string
  alertsOf: Parameters<typeof IncidentAlerts>[0]['of']
  children?: ReactNode
}) {
  const seconds = resolved_at === null ? null : (Date.parse(resolved_at) - Date.parse(started_at)) / 1_000
  return (
    <li data-row className="px-4 py-2.5">
      <IncidentTimes startedAt={started_at} seconds={seconds} warnsOnly={warnsOnly} />
      <Link {...to} className="mt-0.5 block py-1 font-medium break-words hover:underline">
        {name}
      </Link>
      <span className="block break-words">{cause}</span>
      <IncidentAlerts of={alertsOf} />
      {children}
    </li>
  )
}

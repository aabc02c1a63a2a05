import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { MAX_FIGURED, type TeamFigures } from '../../../src/core/overview/team-figures.ts'
import { useTeam } from '../../data/session.ts'
import { sayCount } from '../../language/count.ts'
import { rich, t } from '../../language/language.ts'
import { sayMs, sayShare } from '../../parts/figures.ts'
import { HeldArea, useHeldRows } from '../../parts/lists/held-list.tsx'
import { useWindows } from '../../parts/maintenance/windows.ts'
import { OnCallName, OnCallUntil } from '../../parts/on-call/on-call-now.tsx'
import { useSchedules } from '../../parts/on-call/schedules.ts'
import { Panel, Waiting } from '../../parts/panel.tsx'
import { Time, TimeOfDay, useNow } from '../../parts/time.tsx'
import { figuresQuestion } from './figures-question.ts'

const DAY_MS = 86_400_000
/** Closer than this it is marked, as on the screen of expiry dates. */
const SOON_DAYS = 30
const KEPT_LINES = 'min-h-48'

/** How the team did lately, and what comes next: the questions of a morning. Each list has its place, whatever is in it. */
export function Figures() {
  const { id } = useTeam()
  const { data } = useQuery(figuresQuestion(id))
  const figures = data?.data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 sm:grid-cols-[repeat(2,minmax(0,1fr))]">
      <UptimeOfAll figures={figures} />
      <Ranked
        title={t('Most incidents in 24 hours')}
        none={t('No monitor went down twice.')}
        figures={figures}
      >
        {sayFlapping}
      </Ranked>
      <Ranked title={t('Slowest in 24 hours')} none={t('No response times yet.')} figures={figures}>
        {saySlowest}
      </Ranked>
      <Expiring figures={figures} />
      <NextMaintenance />
      <OnCallNow />
    </div>
  )
}

/** The boxes that have something in them, for a team that is just beginning. */
export function FirstFigures() {
  return (
    <OnlyFilled value={true}>
      <Figures />
    </OnlyFilled>
  )
}

const OnlyFilled = createContext(false)

function sayIncidents(count: number): string {
  return t('{count, plural, one {# incident} other {# incidents}}', { count })
}

type Given = { figures: TeamFigures | undefined }

function UptimeOfAll({ figures }: Given) {
  if (useContext(OnlyFilled) && (figures?.uptime['24h'] ?? null) === null) return null
  return (
    <Panel title={t('Uptime of all monitors')}>
      <div className={KEPT_LINES}>
        {figures ? (
          <>
            <dl className="grid grid-cols-3 gap-3 px-4 py-3">
              <Figure name={t('24 hours')}>{sayShare(figures.uptime['24h'])}</Figure>
              <Figure name={t('7 days')}>{sayShare(figures.uptime['7d'])}</Figure>
              <Figure name={t('Incidents')}>{sayCount(figures.incidents_24h)}</Figure>
            </dl>
            <p className="px-4 pb-3 text-sm text-soft">
              {figures.until === null
                ? t('Figures appear once the first hour is complete.')
                : rich(
                    'The share of judged time in which monitors were up or degraded. Maintenance and unknown time do not count. Up to {time}.',
                    { time: <TimeOfDay at={new Date(figures.until)} /> },
                  )}
            </p>
          </>
        ) : (
          <Waiting lines={4} />
        )}
      </div>
    </Panel>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="text-xl font-semibold">{children}</dd>
    </div>
  )
}

type Line = { id: number; name: string; figure: string }

function sayFlapping({ flapping }: TeamFigures): Line[] {
  return flapping.map((one) => ({ ...one, figure: sayIncidents(one.incidents) }))
}

function saySlowest({ slowest }: TeamFigures): Line[] {
  return slowest.map((one) => ({ ...one, figure: sayMs(one.mean_ms) }))
}

/** Monitors with a figure each. Lines are places, not monitors: another one takes the place of one that is overtaken. */
function Ranked({
  title,
  none,
  figures,
  children: linesOf,
}: Given & { title: string; none: string; children: (figures: TeamFigures) => Line[] }) {
  const { id: team } = useTeam()
  const lines = useMemo(() => figures && linesOf(figures), [figures, linesOf])
  return (
    <Listed title={title} none={none} rows={lines} keyOf={({ id }) => String(id)}>
      {({ id, name, figure }) => (
        <Link
          to="/teams/$team/monitors/$monitor"
          params={{ team: String(team), monitor: String(id) }}
          className="flex gap-3 px-4 py-2 hover:bg-sunken"
        >
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="whitespace-nowrap text-soft">{figure}</span>
        </Link>
      )}
    </Listed>
  )
}

const PLACES = Array.from({ length: MAX_FIGURED }, (_, place) => `place ${place}`)

/** Lines that keep their places while somebody is at them. `rows`: undefined until they are known; the same array until they change. */
function Listed<Row>({
  title,
  none,
  actions,
  rows,
  keyOf,
  children,
}: {
  title: string
  none: string
  actions?: ReactNode
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  children: (row: Row) => ReactNode
}) {
  const held = useHeldRows(rows, { keyOf, list: title, isFetching: rows === undefined })
  const isEmpty = held.rows.length === 0
  if (useContext(OnlyFilled) && isEmpty) return null
  return (
    <Panel title={title} actions={actions}>
      <div className={KEPT_LINES}>
        {rows === undefined ? (
          <Waiting lines={4} />
        ) : isEmpty ? (
          <p className="grid min-h-48 place-items-center px-6 text-center text-soft">{none}</p>
        ) : (
          <HeldArea held={held}>
            <ul className="divide-y divide-line">
              {held.rows.map((row, place) => (
                <li key={PLACES[place]} data-row>
                  {children(row)}
                </li>
              ))}
            </ul>
          </HeldArea>
        )}
      </div>
    </Panel>
  )
}

const EXPIRING = { certificate: t('certificate'), domain: t('domain') } as const

function Expiring({ figures }: Given) {
  const { id } = useTeam()
  const team = String(id)
  const now = useNow()
  return (
    <Listed
      title={t('Expiring next')}
      none={t('No certificates or domains yet.')}
      rows={figures?.expiring}
      keyOf={({ of, subject, subject_id }) => `${of} ${subject} ${subject_id}`}
      actions={
        <Link to="/teams/$team/expiries" params={{ team }} className="text-sm underline">
          {t('All dates')}
        </Link>
      }
    >
      {({ of, subject, subject_id, name, at }) => {
        const leftDays = (Date.parse(at) - now) / DAY_MS
        const colour = leftDays <= 0 ? 'text-down' : leftDays <= SOON_DAYS ? 'text-degraded' : 'text-soft'
        return (
          <Link
            to={subject === 'site' ? '/teams/$team/sites/$site' : '/teams/$team/monitors/$monitor'}
            params={{ team, [subject]: String(subject_id) } as never}
            className="flex gap-3 px-4 py-2 hover:bg-sunken"
          >
            <span className="min-w-0 flex-1 truncate">
              {name} <span className="text-soft">({EXPIRING[of]})</span>
            </span>
            <span className={`whitespace-nowrap ${colour}`}>
              <Time at={at} />
            </span>
          </Link>
        )
      }}
    </Listed>
  )
}

/** A line for each schedule: its participant on call, and until when. */
function OnCallNow() {
  const { id } = useTeam()
  const team = String(id)
  const { data } = useSchedules(id)
  const rows = useMemo(() => data?.data.slice(0, MAX_FIGURED), [data])
  return (
    <Listed
      title={t('On call now')}
      none={t('No on-call schedules yet.')}
      rows={rows}
      keyOf={({ id: schedule }) => String(schedule)}
      actions={
        <Link to="/teams/$team/on-call" params={{ team }} className="text-sm underline">
          {t('All schedules')}
        </Link>
      }
    >
      {({ id: schedule, name, on_call }) => (
        <Link
          to="/teams/$team/on-call/schedules/$schedule"
          params={{ team, schedule: String(schedule) }}
          className="block px-4 py-2 hover:bg-sunken"
        >
          <span className="flex gap-3">
            <span className="min-w-0 flex-1 truncate">
              <OnCallName onCall={on_call} />
            </span>
            <span className="max-w-1/2 truncate text-soft">{name}</span>
          </span>
          <span className="block text-sm text-soft">
            <OnCallUntil onCall={on_call} />
          </span>
        </Link>
      )}
    </Listed>
  )
}

function NextMaintenance() {
  const { id } = useTeam()
  const team = String(id)
  const { data } = useWindows(id)
  const planned = useMemo(
    () =>
      data?.data
        .flatMap(({ next, ...window }) => (next ? [{ ...window, startsAt: next.starts_at }] : []))
        .sort((a, b) => a.startsAt.localeCompare(b.startsAt))
        .slice(0, MAX_FIGURED),
    [data],
  )
  return (
    <Listed
      title={t('Maintenance next')}
      none={t('Nothing is planned.')}
      rows={planned}
      keyOf={({ id: window }) => String(window)}
      actions={
        <Link to="/teams/$team/maintenance" params={{ team }} className="text-sm underline">
          {t('All windows')}
        </Link>
      }
    >
      {({ id: window, name, startsAt }) => (
        <Link
          to="/teams/$team/maintenance/$window"
          params={{ team, window: String(window) }}
          className="flex gap-3 px-4 py-2 hover:bg-sunken"
        >
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="whitespace-nowrap text-soft">
            <Time at={startsAt} />
          </span>
        </Link>
      )}
    </Listed>
  )
}

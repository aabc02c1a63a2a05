import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Maximize, WifiOff, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { LiveStatus } from '../../../src/core/monitors/status.ts'
import { allCounts, downOf } from '../../../src/core/overview/counts.ts'
import type { Overview } from '../../../src/core/overview/overview.ts'
import { DownMark } from '../../app/down-mark.ts'
import { useLive } from '../../app/live.tsx'
import { showDark } from '../../app/theme.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { sayCount } from '../../language/count.ts'
import { rich, t } from '../../language/language.ts'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { sayShare } from '../../parts/figures.ts'
import { statusColour, statusWord } from '../../parts/monitors/status.tsx'
import { usePageTitle, useTitleMark } from '../../parts/page-title.ts'
import { Waiting } from '../../parts/panel.tsx'
import { TimeOfDay, useNow } from '../../parts/time.tsx'
import { figuresQuestion } from './figures-question.ts'
import { sayDown, saySubjects, totalOf } from './overview-counts.ts'
import { useWakeLock } from './use-wake-lock.ts'
import { WallLines } from './wall-lines.tsx'
import { useWallPlaces } from './wall-places.ts'

/** The state of a team for a screen on a wall: nothing to press, and type that is read from across the room. */
export default function Wallboard() {
  const { id, name } = useTeam()
  const lostSince = useLive(id)
  const { data, error } = useQuery(question(id, 'getOverview', {}))
  usePageTitle(t('Wallboard'))
  useTitleMark('connection', lostSince === null ? null : t('No connection'))
  useWakeLock()
  useEffect(showDark, [])
  useEscape(id)
  return (
    <div className="wallboard flex h-dvh flex-col overflow-hidden text-base">
      <DownMark team={id} />
      <header className="flex items-center gap-[1em] px-[1.2em] pt-[0.8em]">
        <p className="min-w-0 truncate font-medium text-soft">{name}</p>
        <p className="ml-auto font-medium">
          <Clock />
        </p>
        <Controls team={id} />
      </header>
      <LostConnection since={lostSince} />
      <main id="content" className="flex min-h-0 flex-1 flex-col gap-[1em] px-[1.2em] pb-[1em]">
        {error && !data ? (
          <Trouble error={error} />
        ) : data ? (
          <Board overview={data.data} isStale={lostSince !== null} />
        ) : (
          <>
            <h1 className="sr-only">{t('Wallboard')}</h1>
            <Waiting lines={6} />
          </>
        )}
      </main>
    </div>
  )
}

/** Escape leaves the wallboard; on a full screen the browser ends that first. */
function useEscape(team: number) {
  const navigate = useNavigate()
  useEffect(() => {
    const leave = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || document.fullscreenElement) return
      void navigate({ to: '/teams/$team', params: { team: String(team) } })
    }
    window.addEventListener('keydown', leave)
    return () => window.removeEventListener('keydown', leave)
  }, [navigate, team])
}

function Board({ overview, isStale }: { overview: Overview; isStale: boolean }) {
  const down = downOf(overview)
  return (
    <div
      className={`flex min-h-0 flex-1 flex-col gap-[0.8em] [@media(max-height:40rem)]:gap-[0.5em] ${isStale ? 'opacity-60' : ''}`}
    >
      <div className="[@media(max-height:40rem)]:flex [@media(max-height:40rem)]:items-baseline [@media(max-height:40rem)]:gap-[0.8em]">
        <h1
          className={`shrink-0 text-3xl leading-tight font-semibold tracking-tight [@media(max-height:40rem)]:text-2xl ${down > 0 ? 'text-down' : 'text-up'}`}
        >
          {down > 0 ? t('{count} down', { count: sayCount(down) }) : t('All is well')}
        </h1>
        <p className="min-w-0 truncate text-soft">
          {down > 0 ? sayDown(overview) : `${saySubjects(overview, totalOf)}.`}
        </p>
      </div>
      <Statuses overview={overview} />
      <WallLines overview={useWallPlaces(overview)} />
      <Foot overview={overview} />
    </div>
  )
}

/** The statuses of subjects together. */
function Statuses({ overview }: { overview: Overview }) {
  const all = allCounts(overview)
  return (
    <ul aria-label={t('By status')} className="grid shrink-0 grid-cols-3 gap-[0.5em] sm:grid-cols-6">
      {LiveStatus.options.map((status) => {
        const count = all[status]
        return (
          <li key={status} className="rounded-lg border border-line bg-panel px-[0.7em] py-[0.4em]">
            <span
              className={`block text-2xl leading-tight font-semibold ${count > 0 ? statusColour(status) : 'text-soft'}`}
            >
              {sayCount(count)}
            </span>
            <span className="block truncate text-sm text-soft">{statusWord(status)}</span>
          </li>
        )
      })}
    </ul>
  )
}

function Foot({ overview: { failing_contacts: failing, contacts_count: contacts } }: { overview: Overview }) {
  const { id } = useTeam()
  const { data } = useQuery(figuresQuestion(id))
  const figures = data?.data
  return (
    <footer className="flex min-h-[3.2em] shrink-0 flex-wrap items-end gap-x-[1.6em] gap-y-[0.2em] border-t border-line pt-[0.5em] [@media(max-height:30rem)]:min-h-0">
      <dl className="flex flex-wrap gap-x-[1.6em] [@media(max-height:30rem)]:hidden">
        <Figure name={t('Uptime, 24 h')}>{sayShare(figures?.uptime['24h'] ?? null)}</Figure>
        <Figure name={t('Uptime, 7 days')}>{sayShare(figures?.uptime['7d'] ?? null)}</Figure>
        <Figure name={t('Incidents, 24 h')}>{figures ? sayCount(figures.incidents_24h) : '–'}</Figure>
      </dl>
      {(failing.length > 0 || contacts === 0) && (
        <p
          className={`ml-auto min-w-0 truncate text-sm ${failing.length > 0 ? 'text-down' : 'text-degraded'}`}
        >
          {failing.length > 0
            ? t('Alerts to {names} are failing.', { names: failing.map(({ name }) => name).join(', ') })
            : t('No one will be alerted about an outage.')}
        </p>
      )}
    </footer>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="text-xl leading-tight font-semibold">{children}</dd>
    </div>
  )
}

function Clock() {
  return <TimeOfDay at={new Date(useNow())} />
}

/** A wall shows the state of the past as if it were that of now, unless it says so. */
function LostConnection({ since }: { since: number | null }) {
  return (
    <div role="status" className="px-[1.2em]">
      {since !== null && (
        <p className="mt-[0.5em] flex items-center gap-[0.6em] rounded-lg border-2 border-degraded bg-panel px-[0.7em] py-[0.4em] font-medium text-degraded">
          <WifiOff aria-hidden className="size-[1.2em] shrink-0" />
          <span>
            {rich('No connection since {time}.', { time: <TimeOfDay at={new Date(since)} /> })}{' '}
            {t('Retrying…')}
          </span>
        </p>
      )}
    </div>
  )
}

function Controls({ team }: { team: number }) {
  const look = 'rounded-md p-2 text-soft hover:bg-sunken hover:text-ink'
  return (
    <div className="flex gap-1">
      <button type="button" className={look} onClick={() => void toggleFullScreen()}>
        <Maximize aria-hidden size={20} />
        <span className="sr-only">{t('Full screen')}</span>
      </button>
      <Link to="/teams/$team" params={{ team: String(team) }} className={look}>
        <X aria-hidden size={20} />
        <span className="sr-only">{t('Close the wallboard')}</span>
      </Link>
    </div>
  )
}

/** Phones of some makers have none. */
async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen()
  else await document.documentElement.requestFullscreen?.().catch(() => {})
}

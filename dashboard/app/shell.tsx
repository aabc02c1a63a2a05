import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import {
  Bell,
  FileChartColumn,
  LayoutDashboard,
  Megaphone,
  PhoneCall,
  Search,
  Settings,
  TriangleAlert,
  Wrench,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { SUBJECT_KINDS, SUBJECT_NAMES, type SubjectKind } from '../../src/core/maintenance/subject-kind.ts'
import { countsOf } from '../../src/core/overview/counts.ts'
import { useTeam } from '../data/session.ts'
import { SHOWN_KINDS } from '../data/subjects/shown-kinds.ts'
import { t } from '../language/language.ts'
import { Spinner } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { LazyPart, LoadAgain, preloadable } from '../parts/lazy-part.tsx'
import { ABOVE_BOTTOM_BAR, BottomBar, NumberDown, NumberOngoing } from './bottom-bar.tsx'
import { DownMark } from './down-mark.ts'
import { useLive } from './live.tsx'
import { NoConnection } from './no-connection.tsx'
import { OtherAddress } from './other-address.tsx'
import { PersonMenu } from './person-menu.tsx'
import { FIND, KEY_LOOK, keysOf } from './shortcuts.ts'
import { TeamMenu } from './team-menu.tsx'
import { useCounted } from './use-counted.ts'
import { usePreload } from './use-preload.ts'
import { useShortcuts } from './use-shortcuts.ts'

const Palette = preloadable(() => import('./palette.tsx'))
const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'))

const PLACES = [
  { to: '/teams/$team', label: t('Overview'), icon: LayoutDashboard, exact: true },
  ...SUBJECT_KINDS.map((kind) => ({
    to: SHOWN_KINDS[kind].list,
    label: t(SUBJECT_NAMES[kind]),
    icon: SHOWN_KINDS[kind].icon,
    exact: false,
  })),
  { to: '/teams/$team/incidents', label: t('Incidents'), icon: TriangleAlert, exact: false },
  { to: '/teams/$team/on-call', label: t('On-call'), icon: PhoneCall, exact: false },
  { to: '/teams/$team/maintenance', label: t('Maintenance'), icon: Wrench, exact: false },
  { to: '/teams/$team/status-pages', label: t('Status pages'), icon: Megaphone, exact: false },
  { to: '/teams/$team/reports', label: t('Reports'), icon: FileChartColumn, exact: false },
  { to: '/teams/$team/contacts', label: t('Contacts'), icon: Bell, exact: false },
  { to: '/teams/$team/settings', label: t('Team'), icon: Settings, exact: false },
] as const

/** A monitor's screen, too, which most people open from the list. */
const PRELOADED = [...PLACES.map(({ to }) => to), '/teams/$team/monitors/$monitor']

/** Frame for every screen of a team. */
export function Shell({ loadFirst }: { loadFirst: () => Promise<void> }) {
  const { id } = useTeam()
  const lostSince = useLive(id)
  const { pathname } = useLocation()
  // The path at which the menu was opened: it closes on any other.
  const [menuAt, setMenuAt] = useState<string | null>(null)
  const isMenuOpen = menuAt === pathname
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  usePreload(PRELOADED, id, loadFirst, Palette.preload)
  const navigate = useNavigate()
  useShortcuts({
    find: () => setPaletteOpen(true),
    help: () => setHelpOpen(true),
    wallboard: () => void navigate({ to: '/teams/$team/wallboard', params: { team: String(id) } }),
  })
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded bg-panel px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('Skip to content')}
      </a>
      <header className="flex h-12 items-center border-b border-line bg-panel px-4 lg:hidden">
        <Brand />
      </header>
      <aside
        id="places"
        aria-label={t('Sidebar')}
        className={`${isMenuOpen ? `fixed inset-x-0 top-0 z-30 flex ${ABOVE_BOTTOM_BAR}` : 'hidden'} flex-col gap-1 overflow-y-auto border-line bg-panel p-3 lg:sticky lg:inset-auto lg:top-0 lg:flex lg:h-dvh lg:border-r`}
      >
        <div className="mb-2 hidden h-10 items-center px-2 lg:flex">
          <Brand />
        </div>
        <TeamMenu />
        <button
          type="button"
          onClick={() => setPaletteOpen(true)}
          className="my-2 hidden h-9 items-center gap-2 rounded-md border border-line bg-sunken px-2.5 text-left text-soft lg:flex"
        >
          <Search aria-hidden size={16} />
          <span className="flex-1">{t('Find…')}</span>
          <kbd className={KEY_LOOK}>{keysOf(FIND)}</kbd>
        </button>
        <nav aria-label={t('Main')} className="flex flex-col gap-0.5">
          {PLACES.map(({ to, label, icon: Icon, exact }) => (
            <Link
              key={to}
              to={to}
              params={{ team: String(id) }}
              activeOptions={{ exact }}
              className="flex h-12 items-center gap-2.5 rounded-md px-2.5 text-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink lg:h-9"
            >
              <Icon aria-hidden size={18} />
              {label}
              {SUBJECT_KINDS.filter((kind) => SHOWN_KINDS[kind].list === to).map((kind) => (
                <DownCount key={kind} team={id} of={kind} />
              ))}
              {to === '/teams/$team/incidents' && <OngoingCount team={id} />}
            </Link>
          ))}
        </nav>
        <div className="mt-auto border-t border-line pt-2">
          <PersonMenu onShortcuts={() => setHelpOpen(true)} />
        </div>
      </aside>
      <div>
        <DownMark team={id} />
        <NoConnection lostSince={lostSince} />
        <OtherAddress />
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-7xl min-[160rem]:max-w-[110rem] min-[200rem]:max-w-[140rem] px-4 pt-6 pb-24 outline-none sm:px-6 lg:px-8 lg:pb-6"
        >
          <Suspense
            fallback={
              <Centre>
                <Spinner />
              </Centre>
            }
          >
            <Outlet />
          </Suspense>
        </main>
      </div>
      <BottomBar
        team={id}
        isMenuOpen={isMenuOpen}
        onMenu={() => setMenuAt(isMenuOpen ? null : pathname)}
        onFind={() => setPaletteOpen(true)}
      />
      {isHelpOpen && (
        <LazyPart failed={<NoShortcuts onClose={() => setHelpOpen(false)} />}>
          <ShortcutHelp onClose={() => setHelpOpen(false)} />
        </LazyPart>
      )}
      {isPaletteOpen && (
        <LazyPart failed={<NoPalette onClose={() => setPaletteOpen(false)} />}>
          <Palette onClose={() => setPaletteOpen(false)} />
        </LazyPart>
      )}
    </div>
  )
}

function NoPalette({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('Find a monitor, server, site or action')} open onClose={onClose}>
      <LoadAgain>{t('The search failed to load.')}</LoadAgain>
    </Dialog>
  )
}

function NoShortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('Keyboard shortcuts')} open onClose={onClose}>
      <LoadAgain>{t('The list failed to load.')}</LoadAgain>
    </Dialog>
  )
}

export function Brand() {
  return (
    <Link to="/" className="flex items-center gap-2 text-lg font-semibold tracking-tight">
      <img src="/icon.svg" alt="" width={24} height={24} />
      Upbeat
    </Link>
  )
}

function Centre({ children }: { children: ReactNode }) {
  return <div className="grid min-h-60 place-items-center">{children}</div>
}

const NUMBER = 'ml-auto min-w-8 rounded-full bg-down px-2 text-center text-sm font-semibold text-panel'

function DownCount({ team, of }: { team: number; of: SubjectKind }) {
  const { down } = countsOf(useCounted(team), of)
  if (down === 0) return null
  return (
    <span className={NUMBER}>
      <NumberDown count={down} />
    </span>
  )
}

function OngoingCount({ team }: { team: number }) {
  const { incidents_open: ongoing } = useCounted(team)
  if (ongoing === 0) return null
  return (
    <span className={NUMBER}>
      <NumberOngoing count={ongoing} />
    </span>
  )
}

import { Link } from '@tanstack/react-router'
import { Activity, LayoutDashboard, Menu, Search, TriangleAlert, X } from 'lucide-react'
import { sayCount } from '../language/count.ts'
import { hidden } from '../language/hidden.tsx'
import { rich, t } from '../language/language.ts'
import { useCounted } from './use-counted.ts'

/** The lower edge of what stands above the bar. */
export const ABOVE_BOTTOM_BAR = 'bottom-[calc(3.5rem+env(safe-area-inset-bottom))]'

const PLACES = [
  { to: '/teams/$team', label: t('Overview'), icon: LayoutDashboard, exact: true },
  { to: '/teams/$team/monitors', label: t('Monitors'), icon: Activity, exact: false },
  { to: '/teams/$team/incidents', label: t('Incidents'), icon: TriangleAlert, exact: false },
] as const

const ENTRY =
  'relative flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 rounded-md text-xs text-soft hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-accent'

/** The way to the screens that people open most on a phone, to all others and to the finder, within reach of a thumb. */
export function BottomBar({
  team,
  isMenuOpen,
  onMenu,
  onFind,
}: {
  team: number
  isMenuOpen: boolean
  onMenu: () => void
  onFind: () => void
}) {
  const { incidents_open: ongoing } = useCounted(team)
  return (
    <nav
      aria-label={t('Most used')}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <div className="flex h-14 gap-1 p-1">
        {PLACES.map(({ to, label, icon: Icon, exact }) => (
          <Link key={to} to={to} params={{ team: String(team) }} activeOptions={{ exact }} className={ENTRY}>
            <Icon aria-hidden size={20} />
            {label}
            {to === '/teams/$team/incidents' && ongoing > 0 && (
              <span className="absolute top-0.5 left-1/2 ml-2 min-w-4.5 rounded-full bg-down px-1 text-center text-xs font-semibold text-panel">
                <NumberOngoing count={ongoing} />
              </span>
            )}
          </Link>
        ))}
        <button type="button" className={ENTRY} onClick={onFind}>
          <Search aria-hidden size={20} />
          <span>{rich('Find<hidden> a monitor, server, site or action</hidden>', { hidden })}</span>
        </button>
        <button
          type="button"
          className={ENTRY}
          aria-expanded={isMenuOpen}
          aria-controls="places"
          onClick={onMenu}
        >
          {isMenuOpen ? <X aria-hidden size={20} /> : <Menu aria-hidden size={20} />}
          {t('Menu')}
        </button>
      </div>
    </nav>
  )
}

/** How many incidents are ongoing, on a ground that says so to those who see it. */
export function NumberOngoing({ count }: { count: number }) {
  return <>{rich('{count}<hidden> ongoing</hidden>', { count: sayCount(count), hidden })}</>
}

/** The same of what is down. */
export function NumberDown({ count }: { count: number }) {
  return <>{rich('{count}<hidden> down</hidden>', { count: sayCount(count), hidden })}</>
}

import { Link } from '@tanstack/react-router'
import { Wrench } from 'lucide-react'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { MaintenanceBanner } from '../../parts/maintenance/maintenance-banner.tsx'
import { saySubjectCount } from '../../parts/maintenance/subject-words.ts'
import { DayTime } from '../../parts/maintenance/window-time.tsx'
import { useWindows } from '../../parts/maintenance/windows.ts'

/** The rest is on the screen of maintenance. */
const SHOWN = 3

/** On the overview: what is under maintenance now, that which ends first at the top. */
export default function UnderMaintenance() {
  const { id } = useTeam()
  const { data } = useWindows(id)
  const running = (data?.data ?? [])
    .flatMap((window) => (window.current ? [{ ...window, endsAt: window.current.ends_at }] : []))
    .sort((one, other) => one.endsAt.localeCompare(other.endsAt))
  if (running.length === 0) return null
  const rest = running.length - SHOWN
  return (
    <>
      <InOneLine running={running} />
      <div className="mb-5 hidden flex-col gap-2 sm:flex">
        {running.slice(0, SHOWN).map((window) => (
          <MaintenanceBanner key={window.id} running={window}>
            {' '}
            ({window.all_subjects ? t('everything') : saySubjectCount(window)})
          </MaintenanceBanner>
        ))}
        {rest > 0 && (
          <Link to="/teams/$team/maintenance" params={{ team: String(id) }} className="underline">
            {t('and {rest} more under maintenance', { rest })}
          </Link>
        )}
      </div>
    </>
  )
}

/** On a phone, where what is down is more urgent. */
function InOneLine({ running }: { running: { id: number; name: string; endsAt: string }[] }) {
  const { id } = useTeam()
  const [first] = running
  if (!first) return null
  const time = <DayTime at={first.endsAt} />
  return (
    <Link
      to="/teams/$team/maintenance"
      params={{ team: String(id) }}
      className="mb-3 flex h-11 items-center gap-2.5 rounded-lg border border-maintenance bg-panel px-3 sm:hidden"
    >
      <Wrench aria-hidden size={18} className="shrink-0 text-maintenance" />
      <span className="min-w-0 truncate">
        {running.length === 1
          ? rich('Maintenance until {time}: {name}', { time, name: first.name })
          : rich('{count} under maintenance, the first until {time}', { count: running.length, time })}
      </span>
    </Link>
  )
}

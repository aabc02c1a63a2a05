import { Link } from '@tanstack/react-router'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { MaintenanceBanner } from '../../parts/maintenance/maintenance-banner.tsx'
import { saySubjectCount } from '../../parts/maintenance/subject-words.ts'
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
    <div className="mb-5 flex flex-col gap-2">
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
  )
}

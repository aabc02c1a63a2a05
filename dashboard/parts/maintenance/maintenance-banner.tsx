import { Link } from '@tanstack/react-router'
import { Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { RunningButtons } from './maintenance-buttons.tsx'
import { DayTime } from './window-time.tsx'

export type Running = { id: number; name: string; endsAt: string; note: string; coversOthers?: boolean }

/** Maintenance that runs now, with the means to end it. */
export function MaintenanceBanner({
  running,
  children,
  says = t('Failures are not alerted.'),
}: {
  running: Running
  /** Words after the name. */
  children?: ReactNode
  says?: string
}) {
  const { id: team, may } = useTeam()
  const { id, name, endsAt, note, coversOthers = false } = running
  return (
    <section
      aria-label={t('Under maintenance: {name}', { name })}
      className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-maintenance bg-panel px-4 py-2"
    >
      <Wrench aria-hidden size={18} className="shrink-0 text-maintenance max-sm:hidden" />
      <p className="min-w-0 flex-1 basis-60 break-words">
        {rich('<strong>Under maintenance until {time}</strong>: {window}', {
          strong: (inside) => <strong className="font-semibold">{inside}</strong>,
          time: <DayTime at={endsAt} />,
          window: (
            <Link
              to="/teams/$team/maintenance/$window"
              params={{ team: String(team), window: String(id) }}
              className="underline"
            >
              {name}
            </Link>
          ),
        })}
        {children}. {says}
        {note && <span className="block text-sm text-soft">{note}</span>}
      </p>
      {may('write') && (
        <span className="flex flex-wrap gap-2">
          <RunningButtons window={running} coversOthers={coversOthers} />
        </span>
      )}
    </section>
  )
}

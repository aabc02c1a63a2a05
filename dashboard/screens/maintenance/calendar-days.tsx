import { Link } from '@tanstack/react-router'
import type { OccurrenceRow } from '../../../src/core/maintenance/shown-window.ts'
import { type GridDay, onDay } from '../../data/month-grid.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { SpanTime } from '../../parts/maintenance/window-time.tsx'
import { sayDay } from '../../parts/maintenance/zoned-text.ts'
import { Tag } from '../../parts/rows.tsx'

/** The days of a month that have anything, one below the other: for narrow screens. */
export function CalendarDays({ days, occurrences }: { days: GridDay[]; occurrences: OccurrenceRow[] }) {
  const busy = days
    .map((day) => ({ day, found: onDay(day, occurrences) }))
    .filter(({ found }) => found.length > 0)
  return (
    <div className="divide-y divide-line sm:hidden">
      {busy.length === 0 && <p className="px-4 py-5 text-soft">{t('Nothing this month.')}</p>}
      {busy.map(({ day, found }) => (
        <div key={day.date} className="px-4 py-3">
          <CalendarDay day={day} occurrences={found} />
        </div>
      ))}
    </div>
  )
}

/** The occurrences of a day. */
export function CalendarDay({ day, occurrences }: { day: GridDay; occurrences: OccurrenceRow[] }) {
  return (
    <>
      <h3 className="font-medium">{sayDay(day.date)}</h3>
      {occurrences.length === 0 ? (
        <p className="text-sm text-soft">{t('Nothing on this day.')}</p>
      ) : (
        <ul className="mt-1 flex flex-col gap-1.5">
          {occurrences.map((occurrence) => (
            <li key={`${occurrence.window_id} ${occurrence.starts_at}`} className="text-sm">
              <Name occurrence={occurrence} />{' '}
              <span className="text-soft">
                <SpanTime span={occurrence} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Name({ occurrence: { window_id, window_name, exists, state } }: { occurrence: OccurrenceRow }) {
  const { id } = useTeam()
  return (
    <>
      {exists ? (
        <Link
          to="/teams/$team/maintenance/$window"
          params={{ team: String(id), window: String(window_id) }}
          className="font-medium break-words hover:underline"
        >
          {window_name}
        </Link>
      ) : (
        <span className="font-medium break-words">{window_name}</span>
      )}{' '}
      {state === 'running' && <Tag>{t('now')}</Tag>}
      {!exists && <Tag>{t('deleted')}</Tag>}
    </>
  )
}

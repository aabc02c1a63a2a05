import { Clock, TriangleAlert } from 'lucide-react'
import type { PreviewedOccurrence, WindowPreview } from '../../../src/core/maintenance/shown-window.ts'
import { readerZone } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { sayShare } from '../figures.ts'
import { sayOffsets, sayZonedSpan } from './zoned-text.ts'

/** The next occurrences in the window's zone and the reader's, with a warning of a window that hides much. */
export function NextTimes({ preview }: { preview: WindowPreview }) {
  return (
    <>
      {preview.hides_much && <HidesMuch share={preview.hidden_share_of_week} />}
      {preview.next.length > 0 && (
        <ol className="flex flex-col gap-3" aria-label={t('Next times')}>
          {preview.next.map((occurrence) => (
            <NextTime key={occurrence.starts_at} occurrence={occurrence} zone={preview.time_zone} />
          ))}
        </ol>
      )}
    </>
  )
}

function NextTime({ occurrence, zone }: { occurrence: PreviewedOccurrence; zone: string }) {
  const { window_start, window_end, reader_start, reader_end, clock_change: change } = occurrence
  const own = readerZone()
  const isElsewhere = zone !== own
  return (
    <li className="text-sm">
      <ZonedSpan start={window_start} end={window_end} zone={zone} />
      {isElsewhere && (
        <ZonedSpan
          start={reader_start}
          end={reader_end}
          zone={t('{zone}, your time', { zone: own })}
          isSoft
        />
      )}
      {change && (
        <p className="mt-0.5 flex items-start gap-1.5 text-degraded">
          <Clock aria-hidden size={16} className="mt-0.5 shrink-0" />
          <span>
            {t('Clocks change on this day: {before} becomes {after}', {
              before: change.before,
              after: change.after,
            })}
          </span>
        </p>
      )}
    </li>
  )
}

function ZonedSpan({
  start,
  end,
  zone,
  isSoft = false,
}: {
  start: string
  end: string
  zone: string
  isSoft?: boolean
}) {
  return (
    <p className={isSoft ? 'text-soft' : 'font-medium'}>
      {sayZonedSpan(start, end)}{' '}
      <span className="font-normal whitespace-nowrap text-soft">
        {sayOffsets(start, end)} ({zone})
      </span>
    </p>
  )
}

function HidesMuch({ share }: { share: number }) {
  return (
    <p className="flex items-start gap-2 rounded-md border border-degraded px-3 py-2">
      <TriangleAlert aria-hidden size={18} className="mt-0.5 shrink-0 text-degraded" />
      <span>
        {t(
          'Covers up to {share} of a week. Failures during that time alert no one and do not count toward uptime.',
          { share: sayShare(share) },
        )}
      </span>
    </p>
  )
}

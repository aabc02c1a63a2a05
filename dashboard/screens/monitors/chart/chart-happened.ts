import { formatDuration } from '../../../../src/core/duration.ts'
import type { PlannedSpan, ReportPoint } from '../../../../src/core/history/monitor-report.ts'
import { LOCALE, t } from '../../../language/language.ts'
import { secondsOf } from '../../../parts/charts/rows.ts'
import type { Report } from '../monitor-data.ts'
import { degradedSpans } from './chart-rows.ts'

const moment = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })
/** Outages, maintenance and pauses in the step of a point; where the line is broken, at that moment. */
export function happenedAt(report: Report, point: ReportPoint | null, at: number | undefined): string | null {
  const from = point ? secondsOf(point.at) : at
  if (from === undefined) return null
  const to = from + (point ? report.step_seconds : 1)
  const touches = (began: string, ended: string | null) =>
    secondsOf(began) < to && (ended === null || secondsOf(ended) > from)
  const incident = report.incidents.find(({ started_at, resolved_at }) => touches(started_at, resolved_at))
  const maintenance = report.maintenance.find((window) => touches(window.from, window.to))
  const parts = [
    incident && t('Down: {cause}', { cause: causeOf(incident) }),
    maintenance && sayMaintenance(maintenance, report),
    !incident && report.pauses.some((pause) => touches(pause.from, pause.to)) && t('Paused'),
  ].filter((part) => !!part)
  return parts.length === 0 ? null : parts.join('. ')
}

function causeOf({ cause }: { cause: string | null }): string {
  return cause ?? t('the check failed')
}

function sayMaintenance({ from, to, name }: PlannedSpan, report: Report): string {
  return t('Maintenance {duration}: {name}', {
    duration: formatDuration(secondsOf(to ?? report.to) - secondsOf(from)),
    name,
  })
}

/** All that is shaded, in words, oldest first. */
export function sayHappenings(report: Report): { key: string; said: string }[] {
  const end = secondsOf(report.to)
  const until = (at: string | null) => (at === null ? end : secondsOf(at))
  const spans = [
    ...report.incidents.map(({ started_at, resolved_at, cause }) => ({
      from: secondsOf(started_at),
      words: t('Down {duration}: {cause}', {
        duration: formatDuration(until(resolved_at) - secondsOf(started_at)),
        cause: causeOf({ cause }),
      }),
    })),
    ...report.maintenance.map((span) => ({
      from: secondsOf(span.from),
      words: sayMaintenance(span, report),
    })),
    ...report.pauses.map(({ from, to }) => ({
      from: secondsOf(from),
      words: t('Paused {duration}', { duration: formatDuration(until(to) - secondsOf(from)) }),
    })),
    ...degradedSpans(report).map(({ from, to }) => ({
      from,
      words: t('Degraded checks within {duration}', { duration: formatDuration(to - from) }),
    })),
  ]
  return spans
    .sort((a, b) => a.from - b.from)
    .map(({ from, words }) => ({ key: `${from} ${words}`, said: `${moment.format(from * 1_000)}: ${words}` }))
}

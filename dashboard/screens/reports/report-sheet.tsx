import { Link } from '@tanstack/react-router'
import { formatDuration } from '../../../src/core/duration.ts'
import type { ReportLine, TeamReport } from '../../../src/core/reports/report.ts'
import { useTeam } from '../../data/session.ts'
import { pageOfSubject, SHOWN_KINDS } from '../../data/subjects/shown-kinds.ts'
import { sayCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { FactTile, FactTiles } from '../../parts/facts.tsx'
import { sayShare } from '../../parts/figures.ts'
import { useNarrow } from '../../parts/lists/use-narrow.ts'
import { Empty, Panel } from '../../parts/panel.tsx'
import { sayTime } from '../../parts/time.tsx'
import { ReportBars } from './report-bars.tsx'
import { sayRange } from './report-words.ts'

/** Stands on each sheet: figures are read by people who do not know the service. */
const HOW_IT_COUNTS = t(
  'Uptime is the share of judged time that was up or degraded, cut off and never rounded up. Maintenance and unknown time do not count. Time to notice runs from the first failing check to the first alert that was delivered; time to recover to the end of the incident. Both are means.',
)

/** A report as it is read and printed. */
export function ReportSheet({ report, title }: { report: TeamReport; title: string }) {
  const { totals, lines, subjects } = report
  return (
    <article className="flex flex-col gap-5" aria-labelledby="report-title">
      <header>
        <h2 id="report-title" className="hidden text-xl font-semibold tracking-tight break-words print:block">
          {title}
        </h2>
        <p className="text-soft">{sayAbout(report)}</p>
      </header>
      <FactTiles className="grid-cols-2 border border-line md:grid-cols-3 xl:grid-cols-6 print:grid-cols-6">
        <FactTile name={t('Uptime')}>{sayShare(totals.uptime)}</FactTile>
        <FactTile name={t('Time down')}>{formatDuration(totals.down_seconds)}</FactTile>
        <FactTile name={t('Incidents')}>{sayCount(totals.incidents)}</FactTile>
        <FactTile name={t('Longest incident')}>{sayLasting(totals.longest_seconds)}</FactTile>
        <FactTile name={t('Time to notice')}>{sayLasting(totals.notice_seconds)}</FactTile>
        <FactTile name={t('Time to recover')}>{sayLasting(totals.recover_seconds)}</FactTile>
      </FactTiles>
      <Panel className="overflow-hidden print:overflow-visible">
        {lines.length === 0 ? (
          <Empty title={t('Nothing to report on')}>
            {t('Add a monitor, a server or a site, or choose other subjects.')}
          </Empty>
        ) : (
          <LineTable report={report} />
        )}
      </Panel>
      <footer className="text-sm text-soft">
        {subjects > lines.length && (
          <p className="mb-1">
            {t(
              '{shown} of {all} subjects are shown, those with the lowest uptime first. The CSV file lists more.',
              { shown: sayCount(lines.length), all: sayCount(subjects) },
            )}
          </p>
        )}
        <p>{HOW_IT_COUNTS}</p>
        <p className="hidden print:block">
          {t('Made by Upbeat on {time}.', { time: sayTime(report.made_at) })}
        </p>
      </footer>
    </article>
  )
}

function sayAbout(report: TeamReport): string {
  const about = { team: report.team, range: sayRange(report), zone: report.time_zone }
  return report.is_running
    ? t('{team} · {range} · days in {zone} · as of {time}, the period is not over', {
        ...about,
        time: sayTime(report.made_at),
      })
    : t('{team} · {range} · days in {zone}', about)
}

const HEAD = 'px-3 py-2 font-medium print:px-1.5'
const FIGURE = 'px-3 py-2 text-right whitespace-nowrap print:px-1.5'

const FIGURE_HEADS = [
  [t('Time down'), 'w-26 lg:table-cell print:w-22'],
  [t('Incidents'), 'w-24 sm:table-cell print:w-20'],
  [t('Longest'), 'w-26 lg:table-cell print:w-22'],
  [t('Notice'), 'w-22 xl:table-cell print:w-18'],
  [t('Recover'), 'w-24 xl:table-cell print:w-22'],
] as const

/** On a narrow screen the name carries what the hidden columns say; a print has all columns. */
function LineTable({ report }: { report: TeamReport }) {
  const isNarrow = useNarrow()
  const hasTimes = report.lines.some(({ p50_ms }) => p50_ms !== null)
  return (
    <table className="w-full table-fixed border-collapse text-sm">
      <caption className="sr-only">{t('Subjects, the lowest uptime first')}</caption>
      <thead className="text-left text-soft">
        <tr className="border-b border-line">
          <th className={`${HEAD} pl-4`}>{t('Subject')}</th>
          <th className={`${HEAD} hidden w-44 md:table-cell print:table-cell print:w-40`}>{t('By day')}</th>
          <th className={`${HEAD} w-24 text-right print:w-24`}>{t('Uptime')}</th>
          {FIGURE_HEADS.map(([label, look]) => (
            <th key={label} className={`${HEAD} hidden text-right print:table-cell ${look}`}>
              {label}
            </th>
          ))}
          {hasTimes && (
            <th
              className={`${HEAD} hidden w-40 text-right whitespace-nowrap xl:table-cell print:table-cell print:w-34 print:whitespace-normal`}
            >
              {t('p50 / p95 / p99 (ms)')}
            </th>
          )}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {report.lines.map((line) => (
          <tr data-row key={`${line.kind} ${line.id}`}>
            <td className="min-w-0 py-2 pr-3 pl-4 break-words print:pl-1.5">
              <SubjectLink line={line} />
              <span className="block text-soft">{t(SHOWN_KINDS[line.kind].words.oneInText)}</span>
              <span className="block text-soft sm:hidden print:hidden">{sayShort(line)}</span>
              {isNarrow && (
                <span className="mt-1.5 block print:hidden">
                  <ReportBars bars={report.bars} shares={line.bars} />
                </span>
              )}
            </td>
            <td className="hidden px-3 md:table-cell print:table-cell print:px-1.5">
              <ReportBars bars={report.bars} shares={line.bars} />
            </td>
            <td className={`${FIGURE} font-medium`}>{sayShare(line.uptime)}</td>
            <td className={`${FIGURE} hidden lg:table-cell print:table-cell`}>
              {sayNone(line.down_seconds)}
            </td>
            <td className={`${FIGURE} hidden sm:table-cell print:table-cell`}>{sayCount(line.incidents)}</td>
            <td className={`${FIGURE} hidden lg:table-cell print:table-cell`}>
              {sayLasting(line.longest_seconds)}
            </td>
            <td className={`${FIGURE} hidden xl:table-cell print:table-cell`}>
              {sayLasting(line.notice_seconds)}
            </td>
            <td className={`${FIGURE} hidden xl:table-cell print:table-cell`}>
              {sayLasting(line.recover_seconds)}
            </td>
            {hasTimes && (
              <td className={`${FIGURE} hidden text-soft xl:table-cell print:table-cell`}>
                {sayPercentiles(line)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function SubjectLink({ line }: { line: ReportLine }) {
  const { id } = useTeam()
  return (
    <Link {...pageOfSubject(id, line)} className="font-medium hover:underline">
      {line.name}
    </Link>
  )
}

function sayShort({ incidents, down_seconds }: ReportLine): string {
  if (incidents === 0) return t('No incidents')
  if (down_seconds === 0) {
    return t('{count, plural, one {# incident} other {# incidents}}', { count: incidents })
  }
  return t('{count, plural, one {# incident} other {# incidents}}, down {duration}', {
    count: incidents,
    duration: formatDuration(down_seconds),
  })
}

function sayPercentiles({ p50_ms, p95_ms, p99_ms }: ReportLine): string {
  if (p50_ms === null || p95_ms === null || p99_ms === null) return '–'
  return `${sayCount(p50_ms)} / ${sayCount(p95_ms)} / ${sayCount(p99_ms)}`
}

function sayLasting(seconds: number | null): string {
  return seconds === null ? '–' : formatDuration(seconds)
}

function sayNone(seconds: number): string {
  return seconds === 0 ? '–' : formatDuration(seconds)
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SUBJECT_KINDS } from '../../../src/core/maintenance/subject-kind.ts'
import type { SavedReport } from '../../../src/core/reports/report.ts'
import { question } from '../../data/ask.ts'
import { lastMonth, monthSoFar, type TeamReportSearch } from '../../data/reports/report-search.ts'
import { useTeam } from '../../data/session.ts'
import { readerZone } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { Empty, PageHead, Panel } from '../../parts/panel.tsx'
import { sayRange } from './report-words.ts'

/** Saved reports, those that are ready, and the way to a new one. */
export default function Reports() {
  const { id } = useTeam()
  const reports = useQuery(question(id, 'listReports', {}))
  const zone = readerZone()
  const ready = [
    { title: t('Last month'), range: lastMonth(zone) },
    { title: t('This month so far'), range: monthSoFar(zone) },
  ]
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead
        title={t('Reports')}
        actions={
          <Link to="/teams/$team/reports/view" params={{ team: String(id) }} className={buttonLook('main')}>
            {t('New report')}
          </Link>
        }
      >
        {t('Uptime, incidents and response times of a period, to read, print or hand on.')}
      </PageHead>
      <div className="flex flex-col gap-5">
        <Panel title={t('Saved reports')}>
          <Answered answer={reports} lines={2} isWhole>
            {({ data }) =>
              data.length === 0 ? (
                <Empty title={t('No saved reports yet')}>
                  {t(
                    'Save a report to open it with one click, and to send it by e-mail on the first of each month.',
                  )}
                </Empty>
              ) : (
                <ul aria-label={t('Saved reports')} className="divide-y divide-line">
                  {data.map((report) => (
                    <Line key={report.id} title={report.name} search={{ report: report.id }}>
                      {saySaved(report)}
                    </Line>
                  ))}
                </ul>
              )
            }
          </Answered>
        </Panel>
        <Panel title={t('Everything of the team')}>
          <ul aria-label={t('Everything of the team')} className="divide-y divide-line">
            {ready.map(({ title, range }) => (
              <Line key={title} title={title} search={range}>
                {sayRange(range)}
              </Line>
            ))}
          </ul>
        </Panel>
      </div>
    </div>
  )
}

function Line({ title, search, children }: { title: string; search: TeamReportSearch; children: string }) {
  const { id } = useTeam()
  return (
    <li data-row>
      <Link
        to="/teams/$team/reports/view"
        params={{ team: String(id) }}
        search={search}
        className="block px-4 py-2.5 hover:bg-sunken"
      >
        <span className="block font-medium break-words">{title}</span>
        <span className="block text-sm text-soft">{children}</span>
      </Link>
    </li>
  )
}

function saySaved(report: SavedReport): string {
  const { all_subjects, tags, confirmed_count: confirmed } = report
  const count = SUBJECT_KINDS.reduce((sum, kind) => sum + report[`${kind}_ids`].length, 0)
  const subjects = all_subjects
    ? t('Everything of the team')
    : tags.length > 0
      ? t('Everything with {tags}', { tags: tags.join(', ') })
      : t('{count, plural, one {# subject} other {# subjects}}', { count })
  if (confirmed === 0) return subjects
  return t('{subjects} · sent monthly to {count, plural, one {# address} other {# addresses}}', {
    subjects,
    count: confirmed,
  })
}

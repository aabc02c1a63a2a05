import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Trouble } from '../../app/trouble.tsx'
import { question } from '../../data/ask.ts'
import { statementQuery, type TeamReportSearch } from '../../data/reports/report-search.ts'
import { useTeam } from '../../data/session.ts'
import { Button } from '../../parts/button.tsx'
import { PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { CsvLink } from '../../parts/reports/csv-link.tsx'
import { PeriodPicker } from './period-picker.tsx'
import { ReportSheet } from './report-sheet.tsx'
import { sayRange } from './report-words.ts'
import { SubjectsDialog } from './subjects-dialog.tsx'

/** A report on a range of days: its pickers, which are not printed, and the sheet. */
export default function Report() {
  const { id } = useTeam()
  const search: TeamReportSearch = useSearch({ from: '/signed-in/teams/$team/reports/view' })
  const navigate = useNavigate()
  const query = statementQuery(search)
  const { data, error } = useQuery({
    ...question(id, 'getTeamReport', { query }),
    placeholderData: keepPreviousData,
  })
  const [isChoosing, setChoosing] = useState(false)
  const go = (change: TeamReportSearch) =>
    navigate({
      to: '/teams/$team/reports/view',
      params: { team: String(id) },
      search: { ...search, ...change },
      replace: true,
    })
  const title = `Report ${sayRange(query)}`
  return (
    <div>
      <div className="print:hidden">
        <PageHead
          title="Report"
          tab={title}
          actions={
            <>
              <Button tone="main" onClick={() => print()}>
                Print or save as PDF
              </Button>
              <CsvLink list="report" query={query} />
            </>
          }
        />
        <div className="mb-6 flex flex-wrap items-end gap-3">
          <PeriodPicker range={query} zone={query.zone} onChoose={(range) => void go(range)} />
          <Button onClick={() => setChoosing(true)}>{saySubjects(search)}</Button>
        </div>
      </div>
      {error && !data ? (
        <Trouble error={error} within />
      ) : !data ? (
        <Panel>
          <Waiting lines={10} />
        </Panel>
      ) : (
        <ReportSheet report={data.data} title="Uptime report" />
      )}
      <SubjectsDialog
        open={isChoosing}
        search={search}
        onClose={() => setChoosing(false)}
        onChoose={(chosen) => {
          setChoosing(false)
          void go(chosen)
        }}
      />
    </div>
  )
}

function saySubjects({ monitors, servers, sites }: TeamReportSearch): string {
  const parts = [
    [monitors, 'monitor'],
    [servers, 'server'],
    [sites, 'site'],
  ].flatMap(([ids, kind]) => {
    const count = ids?.split(',').length ?? 0
    return count === 0 ? [] : [`${count} ${kind}${count === 1 ? '' : 's'}`]
  })
  return parts.length === 0 ? 'All subjects' : parts.join(', ')
}

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { ofEachField } from '../../../src/core/maintenance/subject-kind.ts'
import type { ReportSubjects, SavedReport } from '../../../src/core/reports/report.ts'
import { ask, question } from '../../data/ask.ts'
import {
  reportAddress,
  searchOf,
  statementQuery,
  subjectsOf,
  type TeamReportSearch,
} from '../../data/reports/report-search.ts'
import { useTeam } from '../../data/session.ts'
import { sayKindCounts } from '../../data/subjects/shown-kinds.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { MenuButton, MenuItem } from '../../parts/menu.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { useDeletion } from '../../parts/records/record-action.tsx'
import { CsvLink } from '../../parts/reports/csv-link.tsx'
import { PeriodPicker } from './period-picker.tsx'
import { RecipientsDialog } from './recipients-dialog.tsx'
import { ReportSheet } from './report-sheet.tsx'
import { sayRange } from './report-words.ts'
import { SaveDialog } from './save-dialog.tsx'
import { SubjectsDialog } from './subjects-dialog.tsx'

/** A report on a range of days, saved or not. */
export default function Report() {
  const { id } = useTeam()
  const search: TeamReportSearch = useSearch({ from: '/signed-in/teams/$team/reports/view' })
  const saved = useQuery({ ...question(id, 'listReports', {}), enabled: search.report !== undefined })
  if (search.report === undefined) return <Shown search={search} saved={null} />
  const report = saved.data?.data.find((one) => one.id === search.report)
  if (report) return <Shown search={{ ...search, ...searchOf(report) }} saved={report} />
  if (saved.error) return <Trouble error={saved.error} within />
  return (
    <Panel>
      {saved.data ? (
        <Empty heading="h1" title={t('This report was deleted')}>
          {t('Reports has those that are left.')}
        </Empty>
      ) : (
        <Waiting lines={10} />
      )}
    </Panel>
  )
}

type Open = 'subjects' | 'save' | 'recipients' | null

/** Its pickers and actions, which are not printed, and the sheet. */
function Shown({ search, saved }: { search: TeamReportSearch; saved: SavedReport | null }) {
  const { id, may } = useTeam()
  const navigate = useNavigate({ from: '/teams/$team/reports/view' })
  const queries = useQueryClient()
  const say = useNotices()
  const query = statementQuery(search)
  const { data, error } = useQuery({
    ...question(id, 'getTeamReport', { query }),
    placeholderData: keepPreviousData,
  })
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const subjects = subjectsOf(search)
  const name = saved?.name ?? t('Uptime report')

  const go = (change: TeamReportSearch) =>
    navigate({ search: (before) => reportAddress({ ...before, ...change }), replace: true })
  const refresh = () => queries.invalidateQueries({ queryKey: [id, 'listReports'] })

  async function choose(chosen: ReportSubjects) {
    if (saved) {
      await ask(id, 'updateReport', { id: saved.id, body: chosen })
      await refresh()
      return
    }
    const ids = (of: readonly number[]) => (chosen.all_subjects || of.length === 0 ? undefined : of.join(','))
    const { tags } = chosen
    const about = ofEachField('s', (kind) => ids(chosen[`${kind}_ids`]))
    await go({ ...about, tags: chosen.all_subjects || tags.length === 0 ? undefined : tags.join(',') })
  }

  return (
    <div>
      <div className="print:hidden">
        <PageHead
          title={name}
          tab={saved ? `${saved.name}, ${sayRange(query)}` : t('Report {range}', { range: sayRange(query) })}
          actions={
            <>
              <Button tone="main" onClick={() => print()}>
                {t('Print or save as PDF')}
              </Button>
              <CsvLink list="report" query={query} />
              {may('write') && !saved && <Button onClick={() => setOpen('save')}>{t('Save report')}</Button>}
              {may('write') && saved && (
                <>
                  <Button onClick={() => setOpen('recipients')}>{t('Send monthly to…')}</Button>
                  <Actions saved={saved} onChange={() => setOpen('save')} />
                </>
              )}
            </>
          }
        />
        <div className="mb-6 flex flex-wrap items-end gap-3">
          <PeriodPicker range={query} zone={query.zone} onChoose={(range) => void go(range)} />
          {(may('write') || !saved) && (
            <Button onClick={() => setOpen('subjects')}>{saySubjects(subjects)}</Button>
          )}
        </div>
      </div>
      {error && !data ? (
        <Trouble error={error} within />
      ) : !data ? (
        <Panel>
          <Waiting lines={10} />
        </Panel>
      ) : (
        <ReportSheet report={data.data} title={name} />
      )}
      <SubjectsDialog
        open={open === 'subjects'}
        subjects={subjects}
        lines={data?.data.lines ?? []}
        onClose={close}
        onChoose={choose}
      />
      <SaveDialog
        open={open === 'save'}
        saved={saved}
        zone={query.zone}
        subjects={subjects}
        onClose={close}
        onDone={async ({ id: report, name: given }) => {
          close()
          await refresh()
          say.done(t('{name} saved.', { name: given }))
          if (!saved) await go({ report })
        }}
      />
      {saved && <RecipientsDialog open={open === 'recipients'} saved={saved} onClose={close} />}
    </div>
  )
}

function Actions({ saved: { id, name }, onChange }: { saved: SavedReport; onChange: () => void }) {
  const { id: team } = useTeam()
  const deletion = useDeletion({
    of: 'Report',
    record: { id, name },
    verb: t('Delete report'),
    about: t('Its monthly mails end. Monitors, servers, sites and their history stay.'),
    to: { to: '/teams/$team/reports', params: { team: String(team) } },
  })
  return (
    <>
      <MenuButton
        button={
          <button type="button" aria-label={t('More actions')} className={buttonLook('quiet')}>
            <Ellipsis aria-hidden size={18} />
          </button>
        }
      >
        <MenuItem onSelect={onChange}>{t('Change name or time zone…')}</MenuItem>
        <MenuItem tone="danger" onSelect={deletion.ask}>
          {t('Delete report…')}
        </MenuItem>
      </MenuButton>
      {deletion.question}
    </>
  )
}

function saySubjects({ tags, ...chosen }: ReportSubjects): string {
  if (tags.length > 0) return t('Everything with {tags}', { tags: tags.join(', ') })
  const said = sayKindCounts((kind) => chosen[`${kind}_ids`].length)
  return said.length === 0 ? t('All subjects') : said.join(', ')
}

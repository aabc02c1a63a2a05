import { useState } from 'react'
import { MAX_REPORT_CHOSEN, ReportSubjects } from '../../../src/core/reports/report.ts'
import { parseFields } from '../../../src/core/validation.ts'
import type { TeamReportSearch } from '../../data/reports/report-search.ts'
import { useTeam } from '../../data/session.ts'
import { controlsOf } from '../../forms/controls.ts'
import { draftOf, readDraft } from '../../forms/draft.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { MonitorPicker } from '../../forms/monitor-picker.tsx'
import { SubjectPicker } from '../../forms/subject-picker.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Tick } from '../../parts/field.tsx'

const CONTROLS = controlsOf(ReportSubjects)
const NAMES = Object.keys(CONTROLS)

/** Chooses what a report is about. */
export function SubjectsDialog({
  open,
  search,
  onClose,
  onChoose,
}: {
  open: boolean
  search: TeamReportSearch
  onClose: () => void
  onChoose: (chosen: Pick<TeamReportSearch, 'monitors' | 'servers' | 'sites'>) => void
}) {
  return (
    <Dialog title="Subjects of the report" open={open} onClose={onClose} wide>
      <SubjectsForm search={search} onClose={onClose} onChoose={onChoose} />
    </Dialog>
  )
}

function SubjectsForm({ search, onClose, onChoose }: Omit<Parameters<typeof SubjectsDialog>[0], 'open'>) {
  const { id: team } = useTeam()
  const [initial] = useState(() => {
    const { monitors, servers, sites } = search
    return draftOf(CONTROLS, {
      all_subjects: !(monitors || servers || sites),
      monitor_ids: idsIn(monitors),
      server_ids: idsIn(servers),
      site_ids: idsIn(sites),
    })
  })
  const form = useForm({
    initial,
    names: NAMES,
    judge: (draft) => parseFields(ReportSubjects, readDraft(CONTROLS, draft, NAMES), emptyChoice),
    send: async (chosen: ReportSubjects) => chosen,
    onDone: ({ all_subjects, monitor_ids, server_ids, site_ids }) =>
      onChoose({
        monitors: all_subjects ? undefined : idsOf(monitor_ids),
        servers: all_subjects ? undefined : idsOf(server_ids),
        sites: all_subjects ? undefined : idsOf(site_ids),
      }),
  })
  return (
    <FormFrame
      form={form}
      verb="Show report"
      guarded={false}
      beside={<Button onClick={onClose}>Cancel</Button>}
    >
      <Tick
        label="Everything of the team"
        hint="Monitors, servers and sites, with those that are added later."
        checked={form.draft.all_subjects === true}
        onChange={({ target }) => form.set('all_subjects', target.checked)}
      />
      {form.draft.all_subjects !== true && (
        <>
          <MonitorPicker team={team} form={form} named={[]} max={MAX_REPORT_CHOSEN} />
          <SubjectPicker kind="server" team={team} form={form} max={MAX_REPORT_CHOSEN} />
          <SubjectPicker kind="site" team={team} form={form} max={MAX_REPORT_CHOSEN} />
        </>
      )}
    </FormFrame>
  )
}

/** A report about nothing is hardly meant. */
function emptyChoice({ all_subjects, monitor_ids, server_ids, site_ids }: Partial<ReportSubjects>) {
  const chosen = (monitor_ids?.length ?? 0) + (server_ids?.length ?? 0) + (site_ids?.length ?? 0)
  return all_subjects || chosen > 0
    ? []
    : [{ field: 'monitor_ids', message: 'must name a monitor, unless a server or a site is chosen' }]
}

function idsIn(text: string | undefined): number[] {
  return text ? text.split(',').map(Number) : []
}

function idsOf(ids: readonly number[]): string | undefined {
  return ids.length === 0 ? undefined : ids.join(',')
}

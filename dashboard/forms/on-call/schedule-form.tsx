import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import type { ScheduleDetail } from '../../../src/core/on-call/shown-schedule.ts'
import { ask } from '../../data/ask.ts'
import { monthOf } from '../../data/month-grid.ts'
import { readerZone } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { ShiftMonth, shownSpan } from '../../parts/on-call/shift-month.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useSettled } from '../../parts/use-settled.ts'
import type { Draft } from '../draft.ts'
import { FieldOf } from '../field-of.tsx'
import { FormFrame } from '../form-frame.tsx'
import { recordParts } from '../record-parts.ts'
import { useForm } from '../use-form.ts'
import { ZoneField } from '../zone-field.tsx'
import { scheduleWord } from './fault-words.ts'
import { LayersField } from './layers-field.tsx'
import { type MemberName, ParticipantsField } from './participants-field.tsx'
import {
  judgeSchedule,
  layersIn,
  newScheduleDraft,
  participantsIn,
  SCHEDULE_CONTROLS,
  SCHEDULE_NAMES,
  scheduleDraft,
} from './schedule-draft.ts'

const LABELS: Record<string, string> = {
  name: t('Name'),
  time_zone: t('Time zone'),
  participants: t('Participants'),
  layers: t('Layers'),
}

/** The form of a new or an existing schedule, with the shifts that it would have. */
export function ScheduleForm({
  team,
  schedule,
  contacts,
  members,
  beside,
  onDone,
}: {
  team: number
  schedule?: ScheduleDetail
  contacts: Contact[]
  members: MemberName[]
  beside?: ReactNode
  onDone: (schedule: ScheduleDetail) => void
}) {
  const [initial] = useState(() => (schedule ? scheduleDraft(schedule) : newScheduleDraft(new Date())))
  const form = useForm(
    recordParts({
      team,
      of: 'Schedule',
      record: schedule,
      initial,
      names: SCHEDULE_NAMES,
      wordOf: scheduleWord,
      judge: judgeSchedule,
      controls: SCHEDULE_CONTROLS,
      draftOf: scheduleDraft,
      labelOf: (name) => LABELS[name] ?? name,
      say: sayPart,
      onDone,
    }),
  )
  return (
    <FormFrame form={form} verb={schedule ? t('Save changes') : t('Create schedule')} beside={beside}>
      <Panel>
        <div className="grid gap-4 p-4 sm:grid-cols-2">
          <FieldOf
            name="name"
            control={SCHEDULE_CONTROLS.name as NonNullable<typeof SCHEDULE_CONTROLS.name>}
            text={{ label: t('Name'), hint: t('For example “Shop, first line”.') }}
            form={form}
          />
          <ZoneField form={form} />
        </div>
      </Panel>
      <ParticipantsField team={team} form={form} contacts={contacts} members={members} />
      <LayersField form={form} />
      <Preview team={team} draft={form.draft} />
    </FormFrame>
  )
}

/** The month as the layers would make it, without overrides. */
function Preview({ team, draft }: { team: number; draft: Draft }) {
  const [month, setMonth] = useState(() => monthOf(new Date(), readerZone()))
  const judged = judgeSchedule(draft)
  const text = useSettled(judged.ok ? JSON.stringify({ ...judged.value, ...shownSpan(month) }) : '')
  const answer = useQuery({
    queryKey: [team, 'previewSchedule', null, text],
    queryFn: () => ask(team, 'previewSchedule', { body: JSON.parse(text) }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  if (!judged.ok && !answer.data) {
    return (
      <Panel title={t('Preview')}>
        <p className="px-4 py-3 text-soft">
          {t('The shifts appear here once participants and layers are complete.')}
        </p>
      </Panel>
    )
  }
  return (
    <ShiftMonth
      title={t('Preview')}
      month={month}
      onMonth={(next) => setMonth(next ?? monthOf(new Date(), readerZone()))}
      shifts={answer.data?.data}
      error={answer.error}
      isStale={answer.isPlaceholderData || !judged.ok}
      participants={participantsIn(draft)}
    />
  )
}

function sayPart(name: string, draft: Draft): string | undefined {
  if (name === 'participants') {
    return participantsIn(draft)
      .map((one) => one.name)
      .join(', ')
  }
  if (name !== 'layers') return undefined
  return t('{count, plural, one {# layer} other {# layers}}', { count: layersIn(draft).length })
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Override, overrideFaults } from '../../../src/core/on-call/schedule.ts'
import type { ScheduleDetail, ShownShift } from '../../../src/core/on-call/shown-schedule.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { instantOf, localTimeOf, readerZone } from '../../data/zone-time.ts'
import type { Draft } from '../../forms/draft.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { inFormWords } from '../../forms/maintenance/fault-words.ts'
import { type Form, useForm } from '../../forms/use-form.ts'
import { t } from '../../language/language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const TEXTS = {
  participant: { label: t('Participant') },
  starts_at: { label: t('Start') },
  ends_at: { label: t('End') },
} as const
const NAMES = Object.keys(TEXTS)

/** The shift that is to be overridden; without one, from now to the end of the present one. */
export type OverrideStart = { shift?: ShownShift }

/** Puts a participant on call for some time. Filled in already, so that one more press adds it. */
export function OverrideDialog({
  schedule,
  start,
  onClose,
}: {
  schedule: ScheduleDetail
  start: OverrideStart | null
  onClose: () => void
}) {
  return (
    <Dialog title={t('Override')} open={start !== null} onClose={onClose}>
      {start && <OverrideForm schedule={schedule} start={start} onClose={onClose} />}
    </Dialog>
  )
}

function OverrideForm({
  schedule,
  start,
  onClose,
}: {
  schedule: ScheduleDetail
  start: OverrideStart
  onClose: () => void
}) {
  const { id: team } = useTeam()
  const zone = readerZone()
  const queries = useQueryClient()
  const say = useNotices()
  const [initial] = useState(() => draftFor(schedule, start, zone))
  const form = useForm({
    initial,
    names: NAMES,
    judge: (draft) => {
      const body = bodyOf(draft, zone)
      const now = new Date()
      const parsed = parseFields(Override, body, (valid) => overrideFaults(valid, schedule.participants, now))
      return parsed.ok ? { ok: true as const, value: body } : parsed
    },
    send: (body) => ask(team, 'addScheduleOverride', { id: schedule.id, body }),
    onDone: () => {
      void queries.invalidateQueries({ queryKey: [team] })
      say.done(t('Override added.'))
      onClose()
    },
  })
  const shown: Form = {
    ...form,
    faults: (name) => form.faults(name)?.map((fault) => inFormWords(fault, TEXTS, zone)),
  }
  return (
    <FormFrame form={form} verb={t('Add override')} guarded={false} onCancel={onClose}>
      <SelectField
        {...TEXTS.participant}
        faults={shown.faults('participant')}
        value={String(form.draft.participant)}
        onChange={({ target }) => form.set('participant', target.value)}
      >
        {schedule.participants.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </SelectField>
      <TimeField name="starts_at" form={shown} />
      <TimeField name="ends_at" form={shown} />
      <p className="text-sm text-soft">
        {t(
          'In your time zone, {zone}. The participant is on call for all of this time, whatever the layers say.',
          {
            zone,
          },
        )}
      </p>
    </FormFrame>
  )
}

function TimeField({ name, form }: { name: 'starts_at' | 'ends_at'; form: Form }) {
  return (
    <TextField
      {...TEXTS[name]}
      faults={form.faults(name)}
      type="datetime-local"
      value={String(form.draft[name])}
      onChange={({ target }) => form.set(name, target.value)}
      onBlur={() => form.leave(name)}
    />
  )
}

function draftFor({ participants, on_call }: ScheduleDetail, { shift }: OverrideStart, zone: string): Draft {
  const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  const startMs = Math.max(nowMs, shift ? Date.parse(shift.starts_at) : 0)
  const until = shift?.ends_at ?? on_call.until
  const endMs = until ? Date.parse(until) : startMs + DAY_MS
  const holder = (shift ? shift.participant : on_call.participant)?.key
  const next = on_call.next?.participant.key
  const stand =
    next !== undefined && next !== holder ? next : participants.find(({ key }) => key !== holder)?.key
  return {
    participant: String(stand ?? holder ?? ''),
    starts_at: localTimeOf(new Date(startMs), zone),
    ends_at: localTimeOf(new Date(endMs), zone),
  }
}

function bodyOf({ participant, starts_at, ends_at }: Draft, zone: string) {
  const instant = (local: string) => instantOf(local, zone)?.toISOString() ?? local
  return {
    participant: Number(participant),
    starts_at: instant(String(starts_at)),
    ends_at: instant(String(ends_at)),
  }
}

import { useState } from 'react'
import {
  type ContactQuietHours,
  type QuietHours,
  QuietHoursChange,
  quietHoursFaults,
} from '../../../src/core/alerting/quiet-hours.ts'
import { WEEKDAYS } from '../../../src/core/maintenance/recurrence.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { ask } from '../../data/ask.ts'
import { readerZone } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { SelectField, Tick } from '../../parts/field.tsx'
import type { Draft } from '../draft.ts'
import { FormFrame } from '../form-frame.tsx'
import { HoursFields } from '../on-call/hours-fields.tsx'
import { type Form, useForm } from '../use-form.ts'
import { ZoneField } from '../zone-field.tsx'

/** Where a body has the fields, and their faults. */
const PLACE = 'quiet_hours.'

const LABELS: Record<string, string> = {
  time_zone: t('Time zone'),
  days: t('Days'),
  from: t('From'),
  until: t('Until'),
}

/** The quiet hours of a contact; they are off where the first choice says so. */
export function QuietHoursForm({
  team,
  contact,
  rule,
  onDone,
}: {
  team: number
  contact: number
  rule: QuietHours | null
  onDone: (changed: ContactQuietHours) => void
}) {
  const [initial] = useState(() => draftOf(rule))
  const form = useForm({
    initial,
    names: ['time_zone', 'hours', 'action', 'except_down'].map((name) => `${PLACE}${name}`),
    wordOf,
    judge: (draft) => parseFields(QuietHoursChange, bodyOf(draft), quietHoursFaults),
    send: async (body) => (await ask(team, 'updateContactQuietHours', { id: contact, body })).data,
    onDone,
  })
  const shown: Form = {
    ...form,
    faults: (name) => form.faults(`${PLACE}${name}`),
    leave: (name) => form.leave(`${PLACE}${name}`),
  }
  const { draft, set } = form
  return (
    <FormFrame form={form} verb={t('Save quiet hours')} className="flex flex-col items-stretch gap-4">
      <SelectField
        label={t('During quiet hours')}
        value={String(draft.action)}
        onChange={({ target }) => set('action', target.value)}
      >
        <option value="">{t('None: alert at any time')}</option>
        <option value="hold">{t('Hold alerts until they end')}</option>
        <option value="drop">{t('Send no alerts')}</option>
      </SelectField>
      {draft.action !== '' && (
        <>
          <HoursFields
            form={shown}
            path="hours"
            hours={hoursIn(draft)}
            onChange={(hours) => set('hours', JSON.stringify(hours))}
          />
          <ZoneField form={shown} />
          <Tick
            label={t('Let alerts about outages through')}
            hint={t('Warnings and recoveries stay quiet.')}
            checked={draft.except_down === true}
            onChange={({ target }) => set('except_down', target.checked)}
          />
        </>
      )}
    </FormFrame>
  )
}

const NIGHTS: QuietHours['hours'] = { days: [...WEEKDAYS], from: '22:00', until: '07:00' }

function draftOf(rule: QuietHours | null): Draft {
  return {
    action: rule?.action ?? '',
    time_zone: rule?.time_zone ?? readerZone(),
    hours: JSON.stringify(rule?.hours ?? NIGHTS),
    except_down: rule?.except_down ?? true,
  }
}

function hoursIn({ hours }: Draft): QuietHours['hours'] {
  return JSON.parse(String(hours))
}

function bodyOf({ action, time_zone, except_down, ...draft }: Draft): unknown {
  if (action === '') return { quiet_hours: null }
  return { quiet_hours: { time_zone, hours: hoursIn(draft), action, except_down } }
}

/** The label of a field, wherever it is in the body. */
function wordOf(field: string): string | undefined {
  return LABELS[/^quiet_hours\.(?:hours\.)?(\w+)(?:\.\d+)?$/.exec(field)?.[1] ?? '']
}

import { useState } from 'react'
import { TeamLanguage } from '../../../src/core/teams/team-language.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { readerZone } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { SelectField } from '../../parts/field.tsx'
import type { Draft } from '../draft.ts'
import { FormFrame } from '../form-frame.tsx'
import { useForm } from '../use-form.ts'
import { ZoneField } from '../zone-field.tsx'

const Zone = TeamLanguage.pick({ time_zone: true })

/** The zone in which alerts give times. `none`: the words for the choice of no zone. */
export function TimeZoneForm<Answer>({
  zone,
  none,
  send,
  onDone,
}: {
  zone: string | null
  none: string
  send: (zone: string | null) => Promise<Answer>
  onDone: (answer: Answer) => void
}) {
  const say = useNotices()
  const [initial] = useState(() => ({ is_set: zone !== null, time_zone: zone ?? readerZone() }))
  const form = useForm({
    initial,
    names: ['time_zone'],
    judge: (draft) => parseFields(Zone, bodyOf(draft)),
    send: ({ time_zone }) => send(time_zone),
    onDone: (answer) => {
      onDone(answer)
      say.done(t('Time zone saved.'))
    },
  })
  const { draft, set } = form
  return (
    <FormFrame form={form} verb={t('Save time zone')} className="flex flex-col items-stretch gap-4">
      <SelectField
        label={t('Times in alerts')}
        value={String(draft.is_set)}
        onChange={({ target }) => set('is_set', target.value === 'true')}
      >
        <option value="false">{none}</option>
        <option value="true">{t('In this time zone')}</option>
      </SelectField>
      {draft.is_set === true && <ZoneField form={form} />}
    </FormFrame>
  )
}

function bodyOf({ is_set, time_zone }: Draft): unknown {
  return { time_zone: is_set === true ? time_zone : null }
}

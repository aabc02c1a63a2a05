import { useId, useMemo } from 'react'
import { knownZones, readerZone, sayOffset } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { Field, INPUT_LOOK } from '../../parts/field.tsx'
import type { Form } from '../use-form.ts'
import { zoneOf } from './window-fields.ts'
import { WINDOW_TEXTS } from './window-texts.ts'

const NAME = 'time_zone'

/** A zone, of which a part of the name finds it. */
export function ZoneField({ form }: { form: Form }) {
  const list = useId()
  const zones = useMemo(knownZones, [])
  const zone = zoneOf(form.draft)
  return (
    <Field {...WINDOW_TEXTS.time_zone} hint={zone ? hintOf(zone) : undefined} faults={form.faults(NAME)}>
      {(wired) => (
        <>
          <input
            {...wired}
            list={list}
            value={String(form.draft[NAME])}
            onChange={({ target }) => form.set(NAME, target.value)}
            onBlur={() => form.leave(NAME)}
            autoComplete="off"
            spellCheck={false}
            className={`${INPUT_LOOK} h-10`}
          />
          <datalist id={list}>
            {zones.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

function hintOf(zone: string): string {
  const own = readerZone()
  const offset = sayOffset(new Date(), zone)
  return zone === own
    ? t('Your time zone, {offset} now.', { offset })
    : t('{offset} now. Your time zone is {own}.', { offset, own })
}

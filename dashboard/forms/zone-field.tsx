import { type ReactNode, useId, useMemo } from 'react'
import { TimeZone } from '../../src/core/maintenance/local-time.ts'
import { knownZones, readerZone, sayOffset } from '../data/zone-time.ts'
import { t } from '../language/language.ts'
import { Field, INPUT_LOOK } from '../parts/field.tsx'
import type { Form } from './use-form.ts'

/** A zone, of which a part of the name finds it. */
export function ZoneField({
  form,
  name = 'time_zone',
  label = t('Time zone'),
  hint,
}: {
  form: Form
  name?: string
  label?: string
  /** Stands there until a zone does. */
  hint?: ReactNode
}) {
  const list = useId()
  const zones = useMemo(knownZones, [])
  const zone = String(form.draft[name] ?? '')
  const known = TimeZone.safeParse(zone).data
  return (
    <Field label={label} hint={known === undefined ? hint : hintOf(known)} faults={form.faults(name)}>
      {(wired) => (
        <>
          <input
            {...wired}
            list={list}
            name={name}
            value={zone}
            onChange={({ target }) => form.set(name, target.value)}
            onBlur={() => form.leave(name)}
            autoComplete="off"
            spellCheck={false}
            className={`${INPUT_LOOK} h-10`}
          />
          <datalist id={list}>
            {zones.map((each) => (
              <option key={each} value={each} />
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

import type { LayerHours } from '../../../src/core/on-call/schedule.ts'
import { t } from '../../language/language.ts'
import { WeekdayChoice } from '../../parts/calendar/weekday-choice.tsx'
import { TextField } from '../../parts/field.tsx'
import type { Form } from '../use-form.ts'

/** Weekdays and the hours that begin on them, over midnight where they end before they begin. */
export function HoursFields({
  form,
  path,
  hours,
  onChange,
}: {
  form: Form
  path: string
  hours: LayerHours
  onChange: (hours: LayerHours) => void
}) {
  const change = (part: Partial<LayerHours>) => onChange({ ...hours, ...part })
  const faults = form.faults(`${path}.days`)
  return (
    <div className="grid items-start gap-3 sm:grid-cols-3">
      <fieldset className="min-w-0">
        <legend className="mb-1.5 font-medium">{t('Days')}</legend>
        <WeekdayChoice chosen={hours.days} onChange={(days) => change({ days })} />
        {faults && <p className="mt-1 text-sm text-down">{faults.join('; ')}</p>}
      </fieldset>
      {(['from', 'until'] as const).map((name) => (
        <TextField
          key={name}
          label={name === 'from' ? t('From') : t('Until')}
          hint={name === 'until' && hours.until <= hours.from ? t('On the next day.') : undefined}
          type="time"
          value={hours[name]}
          faults={form.faults(`${path}.${name}`)}
          onChange={({ target }) => change({ [name]: target.value })}
          onBlur={() => form.leave(`${path}.${name}`)}
        />
      ))}
    </div>
  )
}

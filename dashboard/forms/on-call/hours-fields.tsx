import { WEEKDAYS, type Weekday } from '../../../src/core/maintenance/recurrence.ts'
import type { LayerHours } from '../../../src/core/on-call/schedule.ts'
import { t } from '../../language/language.ts'
import { TextField } from '../../parts/field.tsx'
import { DAY_NAMES, SHORT_DAY_NAMES } from '../../parts/on-call/layer-words.ts'
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
  const toggle = (day: Weekday) =>
    change({
      days: hours.days.includes(day) ? hours.days.filter((one) => one !== day) : [...hours.days, day],
    })
  const faults = form.faults(`${path}.days`)
  return (
    <div className="grid items-start gap-3 sm:grid-cols-3">
      <fieldset className="min-w-0">
        <legend className="mb-1.5 font-medium">{t('Days')}</legend>
        <div className="flex flex-wrap gap-1.5">
          {WEEKDAYS.map((day, index) => (
            <label
              key={day}
              className="flex h-10 min-w-11 cursor-pointer items-center justify-center rounded-md border border-line bg-panel px-2 text-sm hover:bg-sunken has-checked:border-accent has-checked:bg-sunken has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
                type="checkbox"
                className="sr-only"
                aria-label={DAY_NAMES[index]}
                checked={hours.days.includes(day)}
                onChange={() => toggle(day)}
              />
              <span aria-hidden>{SHORT_DAY_NAMES[index]}</span>
            </label>
          ))}
        </div>
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

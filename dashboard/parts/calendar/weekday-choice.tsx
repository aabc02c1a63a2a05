import { WEEKDAYS, type Weekday } from '../../../src/core/maintenance/recurrence.ts'
import { DAY_NAMES, SHORT_DAY_NAMES } from '../../language/weekdays.ts'

/** Chooses days of the week; they stay in the order in which they were chosen. */
export function WeekdayChoice({
  chosen,
  onChange,
}: {
  chosen: readonly Weekday[]
  onChange: (days: Weekday[]) => void
}) {
  const toggle = (day: Weekday) =>
    onChange(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day])
  return (
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
            checked={chosen.includes(day)}
            onChange={() => toggle(day)}
          />
          <span aria-hidden>{SHORT_DAY_NAMES[index]}</span>
        </label>
      ))}
    </div>
  )
}

import { useState } from 'react'
import {
  type DayRange,
  daysIn,
  daysOfMonth,
  MAX_REPORT_DAYS,
  monthAfter,
  monthOf,
  wholeMonth,
} from '../../../src/core/reports/calendar-days.ts'
import { localDateOf } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { sayMonth } from './report-words.ts'

const MONTHS = 13
const RANGE = 'range'

/** A month of the last year, or any range of days. */
export function PeriodPicker({
  range,
  zone,
  onChoose,
}: {
  range: DayRange
  zone: string
  onChoose: (range: DayRange) => void
}) {
  const month = wholeMonth(range)
  const [isRange, setRange] = useState(month === null)
  const now = monthOf(localDateOf(new Date(), zone))
  const months = Array.from({ length: MONTHS }, (_, index) => monthAfter(now, -index))
  const known = month !== null && !months.includes(month) ? [...months, month] : months
  return (
    <>
      <SelectField
        label={t('Period')}
        className="w-48 max-sm:w-full"
        value={isRange || month === null ? RANGE : month}
        onChange={({ target: { value } }) => {
          setRange(value === RANGE)
          if (value !== RANGE) onChoose(daysOfMonth(value))
        }}
      >
        {known.map((one) => (
          <option key={one} value={one}>
            {sayMonth(one)}
          </option>
        ))}
        <option value={RANGE}>{t('Any range…')}</option>
      </SelectField>
      {(isRange || month === null) && <RangeFields range={range} onChoose={onChoose} />}
    </>
  )
}

/** Kept here until both days make a range. */
function RangeFields({ range, onChoose }: { range: DayRange; onChoose: (range: DayRange) => void }) {
  const [draft, setDraft] = useState(range)
  const [shown, setShown] = useState(range)
  // Another report, or a way back: what was typed belongs to the one before.
  if (shown.from !== range.from || shown.to !== range.to) {
    setShown(range)
    setDraft(range)
  }
  const days = daysIn(draft)
  const fault =
    days < 1
      ? t('The last day must not be before the first.')
      : days > MAX_REPORT_DAYS
        ? t('A report covers at most {max, number} days.', { max: MAX_REPORT_DAYS })
        : null
  const field = (name: keyof DayRange, label: string, faults: string[]) => (
    <TextField
      label={label}
      type="date"
      required
      className="w-44 max-sm:w-full"
      value={draft[name]}
      onChange={({ target }) => target.value && setDraft({ ...draft, [name]: target.value })}
      faults={faults}
    />
  )
  return (
    <>
      {field('from', t('First day'), [])}
      {field('to', t('Last day'), fault ? [fault] : [])}
      <Button disabled={fault !== null} onClick={() => onChoose(draft)}>
        {t('Show')}
      </Button>
    </>
  )
}

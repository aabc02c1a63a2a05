import { useState } from 'react'
import { PERIOD } from '../../../src/core/lists/list.ts'
import type { DaysSearch } from '../../data/lists/period-search.ts'
import { localDateOf, readerZone } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { SelectField, TextField } from '../field.tsx'

const DAY_MS = 86_400_000
const LAST_DAYS = [7, 30, 90] as const
const RANGE = 'range'

/** The last days, or any from one to another; the fields for those are there only when somebody wants them. */
export function usePeriod(search: DaysSearch): {
  value: string
  choose: (value: string) => DaysSearch | null
} {
  const [isRange, setRange] = useState(false)
  const { from, to } = search
  // Names of days in the reader's zone cost more than the rest of the head of a list, and mostly nothing is chosen.
  const isOpenEnded = from !== undefined && to === undefined
  const last = isOpenEnded ? LAST_DAYS.find((days) => from === dayBefore(days - 1)) : undefined
  const isChosen = from !== undefined || to !== undefined
  const value = isRange || (isChosen && last === undefined) ? RANGE : String(last ?? '')
  return {
    value,
    choose(chosen) {
      setRange(chosen === RANGE)
      if (chosen === RANGE) return null
      return { from: chosen === '' ? undefined : dayBefore(Number(chosen) - 1), to: undefined }
    },
  }
}

export function isRange(value: string): boolean {
  return value === RANGE
}

function PeriodField({ value, onChoose }: { value: string; onChoose: (value: string) => void }) {
  return (
    <SelectField label={t('Period')} value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{t('Any time')}</option>
      {LAST_DAYS.map((days) => (
        <option key={days} value={days}>
          {t('Last {days} days', { days })}
        </option>
      ))}
      <option value={RANGE}>{t('Any range…')}</option>
    </SelectField>
  )
}

function RangeFields({ search, onChange }: { search: DaysSearch; onChange: (change: DaysSearch) => void }) {
  const day = (name: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      type="date"
      value={search[name] ?? ''}
      onChange={({ target }) => onChange({ [name]: PERIOD.address.safeParse(target.value).data })}
    />
  )
  return (
    <>
      {day('from', t('From'))}
      {day('to', t('To'))}
    </>
  )
}

/** The field of the period, and those of its days where somebody wants any. */
export function PeriodFields({
  search,
  period: { value, choose },
  onChange,
}: {
  search: DaysSearch
  period: ReturnType<typeof usePeriod>
  onChange: (change: DaysSearch) => void
}) {
  return (
    <>
      <PeriodField
        value={value}
        onChoose={(chosen) => {
          const days = choose(chosen)
          if (days) onChange(days)
        }}
      />
      {isRange(value) && <RangeFields search={search} onChange={onChange} />}
    </>
  )
}

function dayBefore(days: number): string {
  return localDateOf(new Date(Date.now() - days * DAY_MS), readerZone())
}

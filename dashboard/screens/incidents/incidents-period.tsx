import { useState } from 'react'
import { INCIDENT_LIST } from '../../../src/core/lists/incident-list.ts'
import { readSearch } from '../../../src/core/lists/search.ts'
import type { IncidentSearch } from '../../data/lists/incident-search.ts'
import { localDateOf, readerZone } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { SelectField, TextField } from '../../parts/field.tsx'

const DAY_MS = 86_400_000
const LAST_DAYS = [7, 30, 90] as const
const RANGE = 'range'

type Days = Pick<IncidentSearch, 'from' | 'to'>

/** The last days, or any from one to another; the fields for those are there only when somebody wants them. */
export function usePeriod(search: Days): { value: string; choose: (value: string) => Days | null } {
  const [isRange, setRange] = useState(false)
  const { from, to } = search
  const last = LAST_DAYS.find((days) => to === undefined && from === dayBefore(days - 1))
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

function RangeFields({ search, onChange }: { search: Days; onChange: (change: Days) => void }) {
  const day = (name: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      type="date"
      value={search[name] ?? ''}
      onChange={({ target }) =>
        onChange({ [name]: readSearch(INCIDENT_LIST, { [name]: target.value })[name] })
      }
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
  search: Days
  period: ReturnType<typeof usePeriod>
  onChange: (change: Days) => void
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

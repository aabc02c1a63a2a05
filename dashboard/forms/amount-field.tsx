import { type ReactNode, useState } from 'react'
import { keysOf } from '../../src/core/shape.ts'
import { t } from '../language/language.ts'
import { SelectField, TextField } from '../parts/field.tsx'

const UNIT_WORDS = {
  seconds: t('seconds'),
  minutes: t('minutes'),
  hours: t('hours'),
  days: t('days'),
} as const
type TimeUnit = keyof typeof UNIT_WORDS
export type Units = { readonly [unit in TimeUnit]?: number }

/** Units for lengths of time in one of them. */
export const UNITS_FROM = {
  seconds: { seconds: 1, minutes: 60, hours: 3_600 },
  minutes: { minutes: 1, hours: 60 },
} as const satisfies Record<string, Units>

/** A length of time as an amount and its unit. `value` is in the unit of size 1, and so is what is given. */
export function AmountField({
  label,
  hint,
  units,
  value,
  faults,
  onGive,
  onLeave,
  isOptional = false,
  placeholder,
}: {
  label: string
  hint?: ReactNode
  /** The size of each unit, the smallest first. */
  units: Units
  value: string
  faults: string[] | undefined
  onGive: (value: string) => void
  onLeave: () => void
  /** An empty amount is none, in place of nothing of the unit. */
  isOptional?: boolean
  placeholder?: string
}) {
  const [unit, setUnit] = useState(() => largestUnit(units, Number(value)))
  const isNone = (text: string) => isOptional && text.trim() === ''
  const [amount, setAmount] = useState(() =>
    isNone(value) ? '' : String(Number(value) / sizeOf(units, unit)),
  )

  function give(typed: string, of: TimeUnit) {
    setAmount(typed)
    setUnit(of)
    const product = Number(typed.replace(',', '.')) * sizeOf(units, of)
    // Text that is not a number is judged as it was typed.
    onGive(Number.isNaN(product) || isNone(typed) ? typed : String(product))
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)_8rem] items-start gap-2">
      <TextField
        label={label}
        hint={hint}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        {...(placeholder && unit === keysOf(units)[0] && { placeholder })}
        {...(faults && faults.length > 0 && { faults })}
        onChange={(event) => give(event.target.value, unit)}
        onBlur={onLeave}
      />
      <SelectField
        label={t('Unit')}
        value={unit}
        onChange={(event) => give(amount, event.target.value as TimeUnit)}
      >
        {keysOf(units).map((name) => (
          <option key={name} value={name}>
            {UNIT_WORDS[name]}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

/** The largest unit of which it is a whole number. */
function largestUnit(units: Units, value: number): TimeUnit {
  const names = keysOf(units)
  return names.findLast((name) => value > 0 && value % sizeOf(units, name) === 0) ?? names[0] ?? 'seconds'
}

function sizeOf(units: Units, unit: TimeUnit): number {
  return units[unit] ?? 1
}

import { type ReactNode, useState } from 'react'
import { t } from '../language/language.ts'
import { SelectField, TextField } from '../parts/field.tsx'

/** A length of time as an amount and its unit. `value` is in the unit of size 1, and so is what is given. */
export function AmountField<Unit extends string>({
  label,
  hint,
  units,
  value,
  faults,
  onGive,
  onLeave,
}: {
  label: string
  hint?: ReactNode
  /** The size of each unit, the smallest first. */
  units: Record<Unit, number>
  value: string
  faults: string[] | undefined
  onGive: (value: string) => void
  onLeave: () => void
}) {
  const [unit, setUnit] = useState<Unit>(() => largestUnit(units, Number(value)))
  const [amount, setAmount] = useState(() => String(Number(value) / units[unit]))

  function give(typed: string, of: Unit) {
    setAmount(typed)
    setUnit(of)
    const product = Number(typed.replace(',', '.')) * units[of]
    // Text that is not a number is judged as it was typed.
    onGive(Number.isNaN(product) ? typed : String(product))
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)_8rem] items-start gap-2">
      <TextField
        label={label}
        hint={hint}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        {...(faults && faults.length > 0 && { faults })}
        onChange={(event) => give(event.target.value, unit)}
        onBlur={onLeave}
      />
      <SelectField
        label={t('Unit')}
        value={unit}
        onChange={(event) => give(amount, event.target.value as Unit)}
      >
        {Object.keys(units).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
    </div>
  )
}

/** The largest unit of which it is a whole number. */
function largestUnit<Unit extends string>(units: Record<Unit, number>, value: number): Unit {
  const names = Object.keys(units) as Unit[]
  return names.findLast((name) => value > 0 && value % units[name] === 0) ?? (names[0] as Unit)
}

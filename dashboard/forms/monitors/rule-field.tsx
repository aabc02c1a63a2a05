import type { ReactNode } from 'react'
import { t } from '../../language/language.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { RULES, ruleWord } from '../../parts/monitors/group-words.ts'
import type { Form } from '../use-form.ts'
import { ruleHeld } from './group-draft.ts'

const FIRST_AMOUNT = { at_least: '2', percent: '50' } as const

/** Chooses how many members must be up. */
export function RuleField({
  name,
  label,
  hint,
  form,
}: {
  name: string
  label: string
  hint?: ReactNode
  form: Form
}) {
  const { kind, amount } = ruleHeld(form.draft[name])
  const chosen = kind === '' ? 'all' : kind
  const hasAmount = chosen === 'at_least' || chosen === 'percent'
  const faults = form.faults(name)

  function choose(next: string) {
    const first = next === 'at_least' || next === 'percent' ? ` ${FIRST_AMOUNT[next]}` : ''
    form.set(name, next + first)
  }

  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        label={label}
        hint={hint}
        {...(!hasAmount && faults && { faults })}
        value={chosen}
        onChange={(event) => choose(event.target.value)}
      >
        {RULES.map((rule) => (
          <option key={rule} value={rule}>
            {ruleWord(rule)}
          </option>
        ))}
      </SelectField>
      {hasAmount && (
        <TextField
          label={chosen === 'percent' ? t('Percent of the members') : t('How many members')}
          {...(chosen === 'at_least' && { hint: t('While fewer members count, all of those must be up.') })}
          {...(faults && { faults })}
          name={name}
          value={amount}
          inputMode="numeric"
          autoComplete="off"
          onChange={(event) => form.set(name, `${chosen} ${event.target.value}`)}
          onBlur={() => form.leave(name)}
        />
      )}
    </div>
  )
}

import { X } from 'lucide-react'
import { t } from '../language/language.ts'
import { Button } from '../parts/button.tsx'
import { INPUT_LOOK } from '../parts/field.tsx'
import { InputRows } from '../parts/input-rows.tsx'
import type { Pair } from './draft.ts'
import type { Form } from './use-form.ts'

/** Rows with a name and a value each. */
export function PairRows({
  name,
  around,
  add,
  form,
}: {
  name: string
  /** The text of the button that adds a row. */
  add: string
  around: { label: string; heard?: string | undefined; hint?: React.ReactNode; faults: string[] | undefined }
  form: Form
}) {
  const rows = form.draft[name] as Pair[]
  const { label } = around

  function change(key: number, part: Partial<Pair>) {
    form.set(
      name,
      rows.map((row) => (row.key === key ? { ...row, ...part } : row)),
    )
  }

  return (
    <InputRows
      {...around}
      add={add}
      onAdd={() =>
        form.set(name, [
          ...rows,
          { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, name: '', value: '' },
        ])
      }
    >
      {(saidId) =>
        rows.map((row, index) => {
          const isFaulty = form.faults(`${name}.${row.name}`) !== undefined
          const wired = {
            onBlur: () => form.leave(name),
            'aria-describedby': saidId,
            ...(isFaulty && { 'aria-invalid': true }),
            autoComplete: 'off',
            spellCheck: false,
          }
          return (
            <div key={row.key} className="flex gap-2">
              <input
                {...wired}
                aria-label={t('{label}: name {number}', { label, number: index + 1 })}
                placeholder={t('Name')}
                value={row.name}
                onChange={(event) => change(row.key, { name: event.target.value })}
                className={`${INPUT_LOOK} h-10 min-w-0 flex-1`}
              />
              <input
                {...wired}
                aria-label={t('{label}: value {number}', { label, number: index + 1 })}
                placeholder={t('Value')}
                value={row.value}
                onChange={(event) => change(row.key, { value: event.target.value })}
                className={`${INPUT_LOOK} h-10 min-w-0 flex-2`}
              />
              <Button
                tone="quiet"
                aria-label={
                  row.name
                    ? t('Remove {name}', { name: row.name })
                    : t('Remove row {number}', { number: index + 1 })
                }
                className="px-2.5"
                onClick={() =>
                  form.set(
                    name,
                    rows.filter(({ key }) => key !== row.key),
                  )
                }
              >
                <X aria-hidden size={16} />
              </Button>
            </div>
          )
        })
      }
    </InputRows>
  )
}

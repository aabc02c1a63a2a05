import { X } from 'lucide-react'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import { t } from '../../language/language.ts'
import { SelectField } from '../../parts/field.tsx'
import type { Form } from '../use-form.ts'

/** Contacts that a participant or a step alerts, added one by one. */
export function ContactChoice({
  chosen,
  max,
  offered,
  contacts,
  field,
  called,
  form,
  onChange,
}: {
  chosen: number[]
  max: number
  /** Contacts that may be added. */
  offered: Contact[]
  /** All contacts of the team, for names. */
  contacts: Contact[]
  field: string
  /** The participant or step, for screen readers. */
  called: string
  form: Form
  onChange: (ids: number[]) => void
}) {
  const left = offered.filter(({ id }) => !chosen.includes(id))
  return (
    <div className="min-w-0">
      <SelectField
        label={t('Contacts to alert')}
        faults={form.faults(field)}
        value=""
        disabled={left.length === 0 || chosen.length >= max}
        onChange={({ target }) => onChange([...chosen, Number(target.value)])}
        onBlur={() => form.leave(field)}
      >
        <option value="">{t('Add a contact…')}</option>
        {left.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {chosen.length > 0 && (
        <ul aria-label={t('Contacts of {name}', { name: called })} className="mt-2 flex flex-wrap gap-1.5">
          {chosen.map((id) => {
            const name = contacts.find((contact) => contact.id === id)?.name ?? t('A deleted contact')
            return (
              <li
                key={id}
                className="flex h-9 min-w-0 items-center gap-1 rounded-md border border-line bg-sunken pl-2.5 text-sm"
              >
                <span className="truncate">{name}</span>
                <button
                  type="button"
                  aria-label={t('Remove {name}', { name })}
                  className="flex h-9 items-center rounded-md px-2 text-soft hover:text-ink"
                  onClick={() => onChange(chosen.filter((one) => one !== id))}
                >
                  <X aria-hidden size={16} />
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

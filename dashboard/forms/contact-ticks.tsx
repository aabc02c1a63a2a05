import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { Contact } from '../../src/core/alerting/contact.ts'
import { useMail } from '../data/account.ts'
import { t } from '../language/language.ts'
import { CONTACT_CARDS } from '../parts/contact-type.tsx'
import { Tick } from '../parts/field.tsx'

/** The contacts of a monitor. None selected means all of the team (specification, rule 3). */
export function ContactTicks({
  label,
  contacts,
  ticked,
  team,
  faults,
  onTick,
}: {
  label: string
  contacts: Contact[]
  ticked: number[]
  team: number
  faults: string[] | undefined
  onTick: (ids: number[]) => void
}) {
  const id = useId()
  const hasMail = useMail()
  return (
    <fieldset aria-describedby={id}>
      <legend className="mb-1 font-medium">{label}</legend>
      <p id={id} className={`mb-2 text-sm ${faults ? 'text-down' : 'text-soft'}`}>
        {faults?.join('; ') ?? sayWho(contacts.length, ticked.length)}
      </p>
      <div className="grid max-h-64 gap-x-4 gap-y-2.5 overflow-y-auto sm:grid-cols-2">
        {contacts.map((contact) => (
          <Tick
            key={contact.id}
            label={contact.name}
            hint={`${CONTACT_CARDS[contact.type].label}${!hasMail && contact.type === 'email' ? t(', not set up yet') : ''}`}
            checked={ticked.includes(contact.id)}
            onChange={({ target }) =>
              onTick(
                target.checked
                  ? [...ticked, contact.id].sort((a, b) => a - b)
                  : ticked.filter((other) => other !== contact.id),
              )
            }
          />
        ))}
      </div>
      {contacts.length === 0 && (
        <Link
          to="/teams/$team/contacts/new"
          params={{ team: String(team) }}
          className="text-accent underline"
        >
          {t('Add a contact')}
        </Link>
      )}
    </fieldset>
  )
}

function sayWho(all: number, ticked: number): string {
  if (all === 0) return t('Your team has no contacts yet: no one will be alerted.')
  if (ticked > 0)
    return ticked === 1
      ? t('Only the selected contact.')
      : t('Only the {ticked} selected contacts.', { ticked })
  return all === 1
    ? t('None selected: your only contact (and any you add later) is alerted.')
    : `None selected: ${all === 2 ? 'both' : `all ${all}`} contacts (and any you add later) are alerted.`
}

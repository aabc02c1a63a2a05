import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { Contact, ContactType } from '../../src/core/alerting/contact.ts'
import { useMail } from '../data/account.ts'
import { t } from '../language/language.ts'
import { NoMail } from '../parts/accounts/no-mail.tsx'
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
      {!hasMail && contacts.some(({ type }) => type === 'email') && <NoMail className="mb-2 block text-sm" />}
      <div className="grid max-h-64 gap-x-4 gap-y-2.5 scrolls sm:grid-cols-2">
        {contacts.map((contact) => (
          <Tick
            key={contact.id}
            label={contact.name}
            hint={sayType(contact.type, hasMail)}
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
  if (ticked > 0) {
    return t('{count, plural, one {Only the selected contact.} other {Only the # selected contacts.}}', {
      count: ticked,
    })
  }
  return t(
    '{count, plural, one {None selected: your only contact (and any you add later) is alerted.} =2 {None selected: both contacts (and any you add later) are alerted.} other {None selected: all # contacts (and any you add later) are alerted.}}',
    { count: all },
  )
}

function sayType(type: ContactType, hasMail: boolean): string {
  const { label } = CONTACT_CARDS[type]
  return hasMail || type !== 'email' ? label : t('{type}, not set up yet', { type: label })
}

/** Attached contacts by their names. */
export function sayContacts(ids: number[], contacts: Contact[]): string {
  const named = ids.map(
    (id) => contacts.find((contact) => contact.id === id)?.name ?? t('contact {id}', { id }),
  )
  return named.join(', ') || t('Every contact of the team')
}

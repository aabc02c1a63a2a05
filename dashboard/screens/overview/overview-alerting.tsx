import { Link } from '@tanstack/react-router'
import { Bell, BellOff } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import type { Overview } from '../../../src/core/overview/overview.ts'
import { useMail } from '../../data/account.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { NoMail } from '../../parts/accounts/no-mail.tsx'
import { Time } from '../../parts/time.tsx'

/** Tells whether alerts arrive. Its height is always the same, so that new trouble moves nothing below it. */
export function Alerting({ failing, count }: { failing: Overview['failing_contacts']; count: number }) {
  const isFailing = failing.length > 0
  const tone = isFailing ? 'border-down' : count === 0 ? 'border-degraded' : 'border-line'
  const Icon = isFailing || count === 0 ? BellOff : Bell
  return (
    <section
      aria-label={t('Alerts')}
      className={`mb-3 flex h-11 items-center gap-2.5 rounded-lg border bg-panel px-3 py-1 sm:mb-5 sm:h-auto sm:min-h-12 sm:px-4 sm:py-2 ${tone}`}
    >
      <Icon aria-hidden size={18} className={`shrink-0 ${isFailing ? 'text-down' : 'text-soft'}`} />
      <p className="min-w-0 truncate">
        {isFailing ? <Failing contacts={failing} /> : count === 0 ? <NoContacts /> : sayTold(count)}
      </p>
    </section>
  )
}

function sayTold(count: number): string {
  return t(
    '{count, plural, =1 {One contact gets alerts about outages.} other {# contacts get alerts about outages.}}',
    { count },
  )
}

function Failing({ contacts }: { contacts: Overview['failing_contacts'] }) {
  const { id } = useTeam()
  const loud = (inside: ReactNode[]) => <span className="font-medium text-down">{inside}</span>
  const told = contacts.map((contact) => ({
    id: contact.id,
    name: (
      <Link
        to="/teams/$team/contacts/$contact"
        params={{ team: String(id), contact: String(contact.id) }}
        className="underline"
        title={contact.detail}
      >
        {contact.name}
      </Link>
    ),
    why: (
      <span className="text-soft">
        (<Time at={contact.failed_at} />
        ): {contact.detail}
      </span>
    ),
  }))
  const [first] = told
  if (first && told.length === 1) {
    const { name, why } = first
    return <>{rich('<loud>Alerts to</loud> {name} <loud>are failing</loud> {why}', { name, why, loud })}</>
  }
  return (
    <>
      {loud([
        t(
          '{count, plural, one {Alerts to # contact are failing:} other {Alerts to # contacts are failing:}}',
          {
            count: told.length,
          },
        ),
      ])}
      {told.map(({ id: contact, name, why }) => (
        <Fragment key={contact}>
          {' '}
          {name} {why}
        </Fragment>
      ))}
    </>
  )
}

function NoContacts() {
  const { id, may } = useTeam()
  const hasMail = useMail()
  return (
    <>
      {t('No one will be alerted about an outage.')}
      {!hasMail && (
        <>
          {' '}
          <NoMail />
        </>
      )}
      {may('write') && (
        <>
          {' '}
          <Link to="/teams/$team/contacts/new" params={{ team: String(id) }} className="underline">
            {t('Add a contact')}
          </Link>
        </>
      )}
    </>
  )
}

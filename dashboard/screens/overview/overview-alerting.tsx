import { Link } from '@tanstack/react-router'
import { Bell, BellOff } from 'lucide-react'
import { Fragment } from 'react'
import type { Overview } from '../../../src/core/overview/overview.ts'
import { useMail } from '../../data/account.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Time } from '../../parts/time.tsx'

/** Tells whether alerts arrive. Its height is always the same, so that new trouble moves nothing below it. */
export function Alerting({ failing, count }: { failing: Overview['failing_contacts']; count: number }) {
  const isFailing = failing.length > 0
  const tone = isFailing ? 'border-down' : count === 0 ? 'border-degraded' : 'border-line'
  const Icon = isFailing || count === 0 ? BellOff : Bell
  return (
    <section
      aria-label={t('Alerts')}
      className={`mb-5 flex min-h-18 items-center gap-2.5 rounded-lg border bg-panel px-4 py-2 sm:min-h-12 ${tone}`}
    >
      <Icon aria-hidden size={18} className={`shrink-0 ${isFailing ? 'text-down' : 'text-soft'}`} />
      <p className="line-clamp-2 min-w-0 sm:block sm:truncate">
        {isFailing ? <Failing contacts={failing} /> : count === 0 ? <NoContacts /> : sayTold(count)}
      </p>
    </section>
  )
}

function sayTold(count: number): string {
  return count === 1
    ? t('One contact gets alerts about outages.')
    : t('{count} contacts get alerts about outages.', { count })
}

function Failing({ contacts }: { contacts: Overview['failing_contacts'] }) {
  const { id } = useTeam()
  const isOne = contacts.length === 1
  return (
    <>
      <span className="font-medium text-down">
        {isOne ? t('Alerts to') : t('Alerts to {length} contacts are failing:', { length: contacts.length })}
      </span>
      {contacts.map((contact) => (
        <Fragment key={contact.id}>
          {' '}
          <Link
            to="/teams/$team/contacts/$contact"
            params={{ team: String(id), contact: String(contact.id) }}
            className="underline"
            title={contact.detail}
          >
            {contact.name}
          </Link>{' '}
          {isOne && <span className="font-medium text-down">{t('are failing ')}</span>}
          <span className="text-soft">
            (<Time at={contact.failed_at} />
            ): {contact.detail}
          </span>
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
      No one will be alerted about an outage.{!hasMail && ' E-mail is not set up.'}
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

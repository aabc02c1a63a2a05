import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell, Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import { ContactType, destinationOf, isOfBrowser } from '../../../src/core/alerting/contact-types.ts'
import { type ContactSummary, isHeld } from '../../../src/core/alerting/delivery-log.ts'
import { phrase } from '../../../src/core/language/phrase.ts'
import { SUBJECT_KINDS, SUBJECT_NAMES, type SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { useMail } from '../../data/account.ts'
import { question } from '../../data/ask.ts'
import { canGetAlerts } from '../../data/device/push.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { NoMail } from '../../parts/accounts/no-mail.tsx'
import { DeliveryMark } from '../../parts/alerting/delivery.tsx'
import { buttonLook } from '../../parts/button.tsx'
import { ContactTypeMark } from '../../parts/contact-type.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { Empty, PageHead, Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { TestAll } from './test-all.tsx'

const BROWSER = ContactType.options.find(isOfBrowser)

/** The contacts of the team. */
export default function Contacts() {
  const { id, may } = useTeam()
  const params = { team: String(id) }
  const hasMail = useMail()
  const contacts = useQuery(question(id, 'listContacts', {}))
  const summaries = useQuery(question(id, 'listContactSummaries', {}))
  const summaryOf = new Map(summaries.data?.data.map((summary) => [summary.id, summary]))
  const add = may('write') && (
    <Link to="/teams/$team/contacts/new" params={params} className={buttonLook('main')}>
      {t('Add contact')}
    </Link>
  )

  return (
    <>
      <PageHead
        title={t('Contacts')}
        actions={
          <>
            <Link to="/teams/$team/deliveries" params={params} className={buttonLook()}>
              {t('Delivery log')}
            </Link>
            {may('write') && contacts.data && contacts.data.data.length > 0 && (
              <TestAll team={id} contacts={contacts.data.data} />
            )}
            {may('write') && canGetAlerts() && (
              <Link
                to="/teams/$team/contacts/new"
                params={params}
                search={{ type: BROWSER }}
                className={buttonLook()}
              >
                {t('Alert this browser')}
              </Link>
            )}
            {add}
          </>
        }
      >
        {t(
          'Alerts go to these contacts. A monitor, server or site without a contact list of its own alerts all of them.',
        )}
      </PageHead>
      <Panel>
        <Answered answer={contacts} lines={5} isWhole>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon={Bell} title={t('No contacts yet')} action={add}>
                {t(
                  'A contact is an e-mail address, a chat, a phone, a pager, a webhook or a browser. Without one, no one will be alerted about an outage.',
                )}
              </Empty>
            ) : (
              <>
                {!hasMail && data.some(({ type }) => type === 'email') && (
                  <p className="border-b border-line px-4 py-2.5">
                    <NoMail />
                  </p>
                )}
                <ContactTable team={id} contacts={data} summaryOf={summaryOf} />
              </>
            )
          }
        </Answered>
      </Panel>
    </>
  )
}

const HEADS = [
  [t('Name'), ''],
  [t('Type'), 'w-44'],
  [t('Down'), 'w-20'],
  [t('Recovery'), 'w-24'],
  ...SUBJECT_KINDS.map((kind) => [t(SUBJECT_NAMES[kind]), 'w-24 text-right'] as const),
  [t('Last alert'), 'w-52'],
] as const

function ContactTable({
  team,
  contacts,
  summaryOf,
}: {
  team: number
  contacts: Contact[]
  summaryOf: Map<number, ContactSummary>
}) {
  return (
    <table className="w-full table-fixed text-left max-md:block">
      <thead className="text-sm text-soft max-md:sr-only">
        <tr className="border-b border-line [&>th]:px-4 [&>th]:py-2.5 [&>th]:font-medium">
          {HEADS.map(([label, width]) => (
            <th key={label} scope="col" className={width}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-md:block">
        {contacts.map((contact) => (
          <ContactLine key={contact.id} team={team} contact={contact} summary={summaryOf.get(contact.id)} />
        ))}
      </tbody>
    </table>
  )
}

function ContactLine({
  team,
  contact,
  summary,
}: {
  team: number
  contact: Contact
  summary: ContactSummary | undefined
}) {
  const hasMail = useMail()
  const last = summary?.last_delivery
  return (
    <tr
      data-row
      className="relative hover:bg-sunken max-md:flex max-md:flex-wrap max-md:gap-x-4 max-md:gap-y-1 max-md:px-4 max-md:py-3 md:[&>*]:px-4 md:[&>*]:py-2.5"
    >
      <th scope="row" className="font-normal max-md:w-full">
        <Link
          to="/teams/$team/contacts/$contact"
          params={{ team: String(team), contact: String(contact.id) }}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {contact.name}
        </Link>
        <span className="block truncate text-sm text-soft">{destinationOf(contact)}</span>
      </th>
      <td>
        <ContactTypeMark type={contact.type} />
      </td>
      <td>
        <YesNo value={contact.notify_on_down} label={t('Down')} />
      </td>
      <td>
        <YesNo value={contact.notify_on_recovery} label={t('Recovery')} />
      </td>
      {SUBJECT_KINDS.map((kind) => (
        <td key={kind} className="md:text-right">
          <AlertedBy kind={kind} count={summary?.alerted_by[kind]} />
        </td>
      ))}
      <td className="max-md:w-full">
        {contact.type === 'email' && !hasMail ? (
          <DeliveryMark state="notSetUp" />
        ) : summary?.awaits_agreement ? (
          <span className="text-degraded">{t('Has not agreed to alerts yet')}</span>
        ) : last ? (
          <span className="flex flex-wrap gap-x-2">
            <DeliveryMark state={isHeld(last) ? 'held' : last.state} />
            <span className="text-soft">
              <Time at={last.created_at} />
            </span>
          </span>
        ) : (
          <span className="text-soft">{summary ? t('None yet') : '–'}</span>
        )}
      </td>
    </tr>
  )
}

const ALERTED_BY = {
  monitor: {
    unknown: phrase('–<word> monitors</word>'),
    all: phrase('all<word> monitors</word>'),
    known: phrase('{count, plural, one {#<word> monitor</word>} other {#<word> monitors</word>}}'),
  },
  server: {
    unknown: phrase('–<word> servers</word>'),
    all: phrase('all<word> servers</word>'),
    known: phrase('{count, plural, one {#<word> server</word>} other {#<word> servers</word>}}'),
  },
  site: {
    unknown: phrase('–<word> sites</word>'),
    all: phrase('all<word> sites</word>'),
    known: phrase('{count, plural, one {#<word> site</word>} other {#<word> sites</word>}}'),
  },
} as const satisfies Record<SubjectKind, object>

/** How many of a kind alert the contact: null for all. A wide screen says which kind at the head of the column. */
function AlertedBy({ kind, count }: { kind: SubjectKind; count: number | null | undefined }) {
  const { unknown, all, known } = ALERTED_BY[kind]
  const word = (inside: ReactNode) => <span className="md:sr-only">{inside}</span>
  if (count === undefined) return rich(unknown, { word })
  return count === null ? rich(all, { word }) : rich(known, { count, word })
}

/** A narrow screen shows the column's heading beside the mark. */
function YesNo({ value, label }: { value: boolean; label: string }) {
  const Icon = value ? Check : Minus
  return (
    <span className={`inline-flex items-center gap-1 ${value ? 'text-up' : 'text-soft'}`}>
      <Icon aria-hidden size={16} />
      <span className="sr-only">{value ? t('Yes') : t('No')}</span>
      <span aria-hidden className="text-sm md:hidden">
        {label}
      </span>
    </span>
  )
}

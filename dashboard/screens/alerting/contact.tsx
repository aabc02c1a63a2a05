import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { Contact as ContactRecord } from '../../../src/core/alerting/contact.ts'
import { destinationOf, isForPrograms } from '../../../src/core/alerting/contact-types.ts'
import { useMail } from '../../data/account.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { ContactForm } from '../../forms/contact-form.tsx'
import { sayCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { NoMail } from '../../parts/accounts/no-mail.tsx'
import { DeliveryList } from '../../parts/alerting/delivery.tsx'
import { Button, buttonLook } from '../../parts/button.tsx'
import { ContactTypeMark } from '../../parts/contact-type.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { HeldArea, useHeldRows } from '../../parts/lists/held-list.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { sayAttachments } from './attached.ts'
import { ContactAgreement } from './contact-agreement.tsx'
import { ContactAttachments } from './contact-attachments.tsx'
import { DeleteContact } from './contact-delete.tsx'
import { ContactQuietHoursPanel } from './contact-quiet-hours.tsx'
import { TestOutcome, useContactTest } from './contact-test.tsx'
import { ContactZonePanel } from './contact-zone.tsx'

const SHOWN = 10

export default function Contact() {
  const { id } = useTeam()
  const { contact: named } = useParams({ strict: false })
  const { data, error } = useQuery(question(id, 'getContact', { id: Number(named) }))
  if (error && !data) return <Trouble error={error} />
  if (!data) {
    return (
      <>
        <PageHead title={t('Contact')} />
        <Panel>
          <Waiting lines={6} />
        </Panel>
      </>
    )
  }
  return <ContactPage key={data.data.id} contact={data.data} />
}

function ContactPage({ contact }: { contact: ContactRecord }) {
  const { id, may } = useTeam()
  const test = useContactTest(id, contact.id)
  const queries = useQueryClient()
  const say = useNotices()
  const summaries = useQuery(question(id, 'listContactSummaries', {}))
  const summary = summaries.data?.data.find(({ id: summarised }) => summarised === contact.id)
  const attached = summary && sayAttachments(summary)
  return (
    <>
      <PageHead
        title={contact.name}
        actions={may('write') && <DeleteContact team={id} contact={contact} attached={attached} />}
      >
        <span className="flex flex-wrap gap-x-4">
          <ContactTypeMark type={contact.type} />
          <span className="min-h-6">{attached !== undefined && sayAttached(attached)}</span>
        </span>
      </PageHead>
      {summary?.awaits_agreement && (
        <ContactAgreement contact={contact.id} awaited={summary.awaits_agreement} />
      )}
      <Advice contact={contact.id} />
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <Panel title={t('Settings')}>
          <div className="p-4">
            {may('write') ? (
              <ContactForm
                team={id}
                type={contact.type}
                contact={contact}
                verb={t('Save changes')}
                onDone={({ name }) => {
                  void queries.invalidateQueries({ queryKey: [id] })
                  say.done(t('{name} saved.', { name }))
                }}
              />
            ) : (
              <Facts contact={contact} />
            )}
          </div>
        </Panel>
        <div className="grid gap-5">
          {may('write') && (
            <Panel
              title={t('Test')}
              actions={
                <Button size="small" className="h-9" busy={test.isWaiting} onClick={() => void test.send()}>
                  {t('Send test')}
                </Button>
              }
            >
              <div className="flex flex-col gap-3 p-4">
                <TestOutcome test={test} />
                <Refused error={test.problem} />
              </div>
            </Panel>
          )}
          <ContactQuietHoursPanel contact={contact.id} />
          {!isForPrograms(contact.type) && <ContactZonePanel contact={contact.id} />}
          <ContactAttachments contact={contact.id} />
          <Log contact={contact.id} />
        </div>
      </div>
    </>
  )
}

function sayAttached(attached: string | null): string {
  if (attached === null)
    return t('Gets the alerts of every monitor, server and site without contacts of its own.')
  return t('Attached to {things}.', { things: attached })
}

/** The settings for viewers, who cannot change them. */
function Facts({ contact }: { contact: ContactRecord }) {
  const facts = [
    [t('Destination'), destinationOf(contact)],
    [t('Alert when something goes down'), contact.notify_on_down ? t('Yes') : t('No')],
    [t('Alert when it recovers'), contact.notify_on_recovery ? t('Yes') : t('No')],
  ] as const
  const hasMail = useMail()
  return (
    <>
      {!hasMail && contact.type === 'email' && <NoMail className="mb-3 block" />}
      <dl className="flex flex-col gap-3">
        {facts.map(([term, fact]) => (
          <div key={term}>
            <dt className="text-sm text-soft">{term}</dt>
            <dd className="break-words">{fact}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const logOf = (team: number, contact: number) =>
  question(team, 'listDeliveries', { query: { contact, per_page: SHOWN } })

/** Advice, where the newest alert that was tried did not arrive. */
function Advice({ contact }: { contact: number }) {
  const { id } = useTeam()
  const { data } = useQuery(logOf(id, contact))
  const tried = data?.data.find(({ attempts }) => attempts.length > 0)
  const advice = tried?.attempts.at(-1)?.advice ?? null
  if (advice === null) return null
  return (
    <p className="mb-5 flex items-start gap-2 rounded-lg border border-line bg-panel p-4 text-down">
      <TriangleAlert aria-hidden size={18} className="mt-0.5 shrink-0" />
      <span>{t(advice)}</span>
    </p>
  )
}

function Log({ contact }: { contact: number }) {
  const { id } = useTeam()
  const sent = useQuery(logOf(id, contact))
  const held = useHeldRows(sent.data?.data, {
    keyOf: (delivery) => String(delivery.id),
    list: String(contact),
    isFetching: sent.isFetching,
  })
  return (
    <Panel
      title={t('Delivery log')}
      actions={
        sent.data &&
        sent.data.meta.total > SHOWN && (
          <Link
            to="/teams/$team/deliveries"
            params={{ team: String(id) }}
            search={{ contact }}
            className={buttonLook('quiet', 'small')}
          >
            {t('All {count}', { count: sayCount(sent.data.meta.total) })}
          </Link>
        )
      }
    >
      <Answered answer={sent}>
        {() =>
          held.rows.length > 0 ? (
            <HeldArea held={held}>
              <DeliveryList deliveries={held.rows} team={id} showsContact={false} />
            </HeldArea>
          ) : (
            <Empty title={t('Nothing sent yet')}>{t('Alerts and tests to this contact appear here.')}</Empty>
          )
        }
      </Answered>
    </Panel>
  )
}

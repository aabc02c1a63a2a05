import { Link } from '@tanstack/react-router'
import { ChevronRight, CircleCheck, CircleMinus, CircleX, Clock, Moon } from 'lucide-react'
import { ofEachEvent } from '../../../src/core/alerting/alert.ts'
import {
  type Delivery,
  type DeliveryAttempt,
  isHeld,
  isNotSetUp,
} from '../../../src/core/alerting/delivery-log.ts'
import { DELIVERY_STATE_WORDS, type DeliveryState } from '../../../src/core/alerting/delivery-state.ts'
import { SUBJECT_KINDS } from '../../../src/core/maintenance/subject-kind.ts'
import { sayOrigin } from '../../../src/core/on-call/response-words.ts'
import { pageOfSubject } from '../../data/subjects/shown-kinds.ts'
import { rich, t } from '../../language/language.ts'
import { NotMailed } from '../accounts/no-mail.tsx'
import { ContactTypeMark } from '../contact-type.tsx'
import { sayMs } from '../figures.ts'
import { Time } from '../time.tsx'

/** The outcome of an alert as people see it; without mail set up, nothing has failed. */
type Outcome = DeliveryState | 'notSetUp' | 'held'

export function outcomeOf(delivery: Delivery): Outcome {
  if (isNotSetUp(delivery)) return 'notSetUp'
  return isHeld(delivery) ? 'held' : delivery.state
}

const STATES = {
  pending: { word: t(DELIVERY_STATE_WORDS.pending), colour: 'text-pending', icon: Clock },
  sent: { word: t(DELIVERY_STATE_WORDS.sent), colour: 'text-up', icon: CircleCheck },
  failed: { word: t(DELIVERY_STATE_WORDS.failed), colour: 'text-down', icon: CircleX },
  dropped: { word: t(DELIVERY_STATE_WORDS.dropped), colour: 'text-soft', icon: Moon },
  held: { word: t('Held'), colour: 'text-pending', icon: Moon },
  notSetUp: { word: t('Not set up'), colour: 'text-soft', icon: CircleMinus },
} as const satisfies Record<Outcome, object>

const EVENTS = ofEachEvent({
  down: t('Down'),
  recovery: t('Recovery'),
  degraded: t('Warning'),
  flapping: t('Flapping'),
  test: t('Test'),
})

const OUTCOMES = {
  sent: t('Delivered'),
  retry: t('Failed'),
  rejected: t('Rejected, not retried'),
} as const satisfies Record<DeliveryAttempt['outcome'], string>

/** The outcome of an alert, as a shape and a word. */
export function DeliveryMark({ state }: { state: Outcome }) {
  const { word, colour, icon: Icon } = STATES[state]
  return (
    <span className={`inline-flex shrink-0 items-center gap-1.5 font-medium whitespace-nowrap ${colour}`}>
      <Icon aria-hidden size={16} />
      <span className="self-baseline">{word}</span>
    </span>
  )
}

/** `Down: Shop`. A test is about nothing. */
function sayEvent({ event, ...delivery }: Delivery): string {
  const name = SUBJECT_KINDS.map((kind) => delivery[`${kind}_name`]).find((one) => one !== null) ?? null
  return name === null ? EVENTS[event] : t('{event}: {name}', { event: EVENTS[event], name })
}

/** Alerts in the order given; each opens to its attempts. */
export function DeliveryList({
  deliveries,
  team,
  showsContact = true,
}: {
  deliveries: readonly Delivery[]
  team: number
  showsContact?: boolean
}) {
  return (
    <ul className="divide-y divide-line">
      {deliveries.map((delivery) => (
        <li key={delivery.id} data-row>
          <details className="group">
            <summary className="grid min-h-11 list-none grid-cols-[1rem_8rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-4 py-2 hover:bg-sunken max-sm:grid-cols-[1rem_minmax(0,1fr)_auto]">
              <ChevronRight
                aria-hidden
                size={16}
                className="text-soft transition-transform group-open:rotate-90 motion-reduce:transition-none"
              />
              <DeliveryMark state={outcomeOf(delivery)} />
              <span className="min-w-0 break-words max-sm:order-1 sm:truncate max-sm:col-span-2 max-sm:col-start-2">
                {showsContact
                  ? rich('{event}<soft> to {contact}</soft>', {
                      event: sayEvent(delivery),
                      contact: delivery.contact_name,
                      soft: (inside) => <span className="text-soft">{inside}</span>,
                    })
                  : sayEvent(delivery)}
                {delivery.origin && (
                  <span className="text-soft">{` · ${sayOrigin(delivery.origin, t)}`}</span>
                )}
              </span>
              <span className="text-sm text-soft">
                <Time at={delivery.created_at} />
              </span>
            </summary>
            <DeliveryStory delivery={delivery} team={team} />
          </details>
        </li>
      ))}
    </ul>
  )
}

function DeliveryStory({ delivery, team }: { delivery: Delivery; team: number }) {
  const { contact_id: contact, incident_id: incident } = delivery
  const params = { team: String(team) }
  const look = 'text-accent underline'
  return (
    <div className="bg-sunken px-4 py-3 sm:pl-11">
      <p className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <ContactTypeMark type={delivery.contact_type} />
        {contact === null ? (
          <span>{t('{name} (deleted)', { name: delivery.contact_name })}</span>
        ) : (
          <Link
            to="/teams/$team/contacts/$contact"
            params={{ ...params, contact: String(contact) }}
            className={look}
          >
            {delivery.contact_name}
          </Link>
        )}
        {SUBJECT_KINDS.map((kind) => {
          const [subject, name] = [delivery[`${kind}_id`], delivery[`${kind}_name`]]
          return (
            subject !== null &&
            name !== null && (
              <Link key={kind} {...pageOfSubject(team, { kind, id: subject })} className={look}>
                {name}
              </Link>
            )
          )
        })}
        {incident !== null && (
          <Link
            to="/teams/$team/incidents/$incident"
            params={{ ...params, incident: String(incident) }}
            className={look}
          >
            {t('Incident')}
          </Link>
        )}
      </p>
      <Attempts delivery={delivery} />
      <NextAttempt delivery={delivery} className="mt-2" />
    </div>
  )
}

/** When an alert is tried next, and until when quiet hours hold it or were the reason not to send it. */
export function NextAttempt({ delivery, className }: { delivery: Delivery; className: string }) {
  const { state, next_attempt_at: next, held_until: held } = delivery
  const said =
    held !== null && isHeld(delivery)
      ? rich('Held until {time}: quiet hours of the contact.', { time: <Time at={held} as="date" /> })
      : held !== null && state === 'dropped'
        ? rich('Not sent: quiet hours of the contact until {time}.', { time: <Time at={held} as="date" /> })
        : state === 'dropped'
          ? t('Not sent: quiet hours kept the outage from this contact.')
          : next !== null && rich('Next attempt {time}', { time: <Time at={next} /> })
  return said && <p className={`text-sm text-soft ${className}`}>{said}</p>
}

/** Every attempt, with the receiver's response. `isSaid`: the outcome of a single one stands above. */
export function Attempts({ delivery, isSaid = false }: { delivery: Delivery; isSaid?: boolean }) {
  const { attempts } = delivery
  if (isNotSetUp(delivery)) return <NotMailed />
  if (attempts.length === 0 && (delivery.held_until !== null || delivery.state === 'dropped')) return null
  if (attempts.length === 0) return <p className="text-sm text-soft">{t('No attempts yet.')}</p>
  const showsOutcome = !isSaid || attempts.length > 1
  const columns = showsOutcome
    ? 'sm:grid-cols-[11rem_9rem_minmax(0,1fr)]'
    : 'sm:grid-cols-[11rem_minmax(0,1fr)]'
  return (
    <ol className="flex flex-col gap-2 text-sm">
      {attempts.map(({ attempt, attempted_at, duration_ms, outcome, status_code, detail, advice }) => (
        <li key={attempt} className={`grid gap-x-4 gap-y-0.5 ${columns}`}>
          <Time at={attempted_at} as="date" />
          {showsOutcome && (
            <span className={outcome === 'sent' ? 'text-up' : outcome === 'rejected' ? 'text-down' : ''}>
              {OUTCOMES[outcome]}
            </span>
          )}
          <span className="break-words">
            {status_code !== null && !detail.includes(String(status_code)) && `HTTP ${status_code}: `}
            {detail} <span className="text-soft">{t('in {duration}', { duration: sayMs(duration_ms) })}</span>
            {advice !== null && <span className="block font-medium">{t(advice)}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}

import { Bell, BellOff, CircleAlert, CircleCheck, Clock, Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { CONTACT_TYPES } from '../../../src/core/alerting/contact-types.ts'
import {
  type Delivery,
  type DeliveryAttempt,
  isHeld,
  isNotSetUp,
} from '../../../src/core/alerting/delivery-log.ts'
import { formatDuration } from '../../../src/core/duration.ts'
import type { CheckDetail } from '../../../src/core/history/monitor-report.ts'
import { phrase } from '../../../src/core/language/phrase.ts'
import {
  eventsOf,
  foldPassed,
  type PassedChecks,
  type StoryEvent,
  type ToldStory,
} from '../../../src/core/monitors/incident-story.ts'
import { ALERT_SUBJECTS } from '../../../src/core/monitors/incidents/incident-markdown.ts'
import type { Checked } from '../../data/phases.ts'
import { rich, t } from '../../language/language.ts'
import { NotMailed } from '../../parts/accounts/no-mail.tsx'
import { NextAttempt } from '../../parts/alerting/delivery.tsx'
import { sayMs } from '../../parts/figures.ts'
import { PhaseBars } from '../../parts/monitors/phases.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { StepBars } from '../../parts/monitors/step-bars.tsx'
import { Time } from '../../parts/time.tsx'
import { sayCheck } from './check-words.ts'
import { ResponseIcon, ResponseSaid } from './incident-response.tsx'

/** An incident from the check before it to the last alert about it. `of`: the monitor that the checks are of. */
export function Timeline({ story, of }: { story: ToldStory; of?: Checked }) {
  return (
    <ol className="px-4 py-2">
      {foldPassed(eventsOf(story)).map((event) => (
        <li
          key={keyOf(event)}
          className="relative grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 pb-4 last:pb-2 md:grid-cols-[1.25rem_minmax(0,1fr)_11rem]"
        >
          <Event event={event} of={of} />
        </li>
      ))}
    </ol>
  )
}

function Event({ event, of }: { event: StoryEvent | PassedChecks; of: Checked | undefined }) {
  switch (event.kind) {
    case 'check':
      return (
        <Entry at={event.at} icon={<StatusMark status={event.check.status} />}>
          <CheckSaid check={event.check} of={of} />
        </Entry>
      )
    case 'passed':
      return (
        <Entry at={event.at} icon={<StatusMark status="up" />}>
          <Passed checks={event.checks} of={of} />
        </Entry>
      )
    case 'gap':
      return (
        <Entry icon={<Ellipsis size={16} aria-hidden className="text-soft" />}>
          <span className="text-soft">
            {t('{count, plural, one {# more failing check} other {# more failing checks}}', {
              count: event.count,
            })}
          </span>
        </Entry>
      )
    case 'opened':
      return (
        <Entry at={event.at} icon={<CircleAlert size={16} aria-hidden className="text-down" />}>
          <strong className="font-semibold text-down">{t('Incident opened')}</strong>
        </Entry>
      )
    case 'resolved':
      return (
        <Entry at={event.at} icon={<CircleCheck size={16} aria-hidden className="text-up" />}>
          {rich('<strong>Incident resolved</strong> after {duration}', {
            strong: (words) => <strong className="font-semibold text-up">{words}</strong>,
            duration: formatDuration(event.seconds),
          })}
        </Entry>
      )
    case 'response':
      return (
        <Entry at={event.at} icon={<ResponseIcon kind={event.event.kind} />}>
          <ResponseSaid event={event.event} />
        </Entry>
      )
    case 'told':
      return (
        <Entry at={event.at} icon={<DeliveryIcon delivery={event.delivery} />}>
          <Told delivery={event.delivery} />
        </Entry>
      )
  }
}

function Entry({ at, icon, children }: { at?: string; icon: ReactNode; children: ReactNode }) {
  return (
    <>
      <span className="mt-1 flex items-start justify-center">{icon}</span>
      <div className="min-w-0 break-words">{children}</div>
      <span className="col-start-2 text-sm text-soft md:col-start-3 md:text-right md:text-base">
        {at && <Time at={at} as="second" />}
      </span>
    </>
  )
}

function Passed({ checks, of }: { checks: CheckDetail[]; of: Checked | undefined }) {
  return (
    <details>
      <summary className="w-fit">
        {t('{count, plural, one {# check passed} other {# checks passed}}', { count: checks.length })}
      </summary>
      <ul className="mt-1 flex flex-col gap-1 border-l-2 border-line pl-3">
        {checks.map((check) => (
          <li key={`${check.checked_at} ${check.region}`}>
            <span className="text-soft">
              <Time at={check.checked_at} as="second" />
            </span>{' '}
            <CheckSaid check={check} of={of} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function CheckSaid({ check, of }: { check: CheckDetail; of: Checked | undefined }) {
  return (
    <>
      {sayCheck({ status: check.status, ms: check.response_time_ms, region: check.region })}
      {check.error_message && `: ${check.error_message}`}
      {(check.phases ?? check.steps) && of && (
        <details className="mt-1 max-w-xl text-sm">
          <summary className="w-fit py-1 text-soft hover:text-ink">{t('Timing')}</summary>
          <div className="py-2">
            {check.phases && <PhaseBars of={of} status={check.status} phases={check.phases} />}
            {check.steps && <StepBars steps={check.steps} />}
          </div>
        </details>
      )}
    </>
  )
}

function DeliveryIcon({ delivery }: { delivery: Delivery }) {
  const { state } = delivery
  if (isNotSetUp(delivery)) return <BellOff size={16} aria-hidden className="text-soft" />
  if (state === 'sent') return <Bell size={16} aria-hidden className="text-up" />
  if (state === 'failed') return <BellOff size={16} aria-hidden className="text-down" />
  if (state === 'dropped') return <BellOff size={16} aria-hidden className="text-soft" />
  return <Clock size={16} aria-hidden className="text-pending" />
}

/** `about` is a word of ALERT_SUBJECTS: about the outage. */
const TOLD = {
  sent: phrase('Alerted <strong>{contact}</strong> {about}'),
  failed: phrase('Failed to alert <strong>{contact}</strong> {about}'),
  pending: phrase('Alerting <strong>{contact}</strong> {about}'),
  dropped: phrase('Not alerted <strong>{contact}</strong> {about}'),
} as const satisfies Record<Delivery['state'], string>
const HELD = phrase('Alert to <strong>{contact}</strong> {about} is held')

function Told({ delivery }: { delivery: Delivery }) {
  const contact = `${delivery.contact_name} (${t(CONTACT_TYPES[delivery.contact_type].wordInside)})`
  const strong = (words: ReactNode) => <strong className="font-medium">{words}</strong>
  if (isNotSetUp(delivery)) {
    return (
      <>
        {rich('Not alerted: <strong>{contact}</strong>.', { contact, strong })} <NotMailed />
      </>
    )
  }
  return (
    <>
      {rich(isHeld(delivery) ? HELD : TOLD[delivery.state], {
        contact,
        strong,
        about: t(ALERT_SUBJECTS[delivery.event]),
      })}
      {delivery.attempts.length > 0 && (
        <ol className="mt-1 flex flex-col gap-1 border-l-2 border-line pl-3 text-sm text-soft">
          {delivery.attempts.map((attempt) => (
            <li key={attempt.attempt}>
              <Attempt attempt={attempt} />
            </li>
          ))}
        </ol>
      )}
      <NextAttempt delivery={delivery} className="mt-1" />
    </>
  )
}

const OUTCOMES = {
  sent: t('accepted'),
  retry: t('failed, retrying'),
  rejected: t('rejected, not retried'),
} as const satisfies Record<DeliveryAttempt['outcome'], string>

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { status_code, detail } = attempt
  const outcome = [
    OUTCOMES[attempt.outcome],
    status_code !== null && !detail.includes(String(status_code)) && `HTTP ${status_code}`,
    sayMs(attempt.duration_ms),
  ].filter(Boolean)
  return (
    <>
      {rich('Attempt {number}, {time}: {outcome}', {
        number: attempt.attempt,
        time: <Time at={attempt.attempted_at} as="second" />,
        outcome: outcome.join(', '),
      })}
      {detail && `: ${detail}`}
    </>
  )
}

function keyOf(event: StoryEvent | PassedChecks): string {
  if (event.kind === 'told') return `${event.kind} ${event.delivery.id}`
  if (event.kind === 'check') return [event.kind, event.at, event.check.region].join(' ')
  if (event.kind === 'response') return [event.event.kind, event.at].join(' ')
  return event.kind === 'passed' ? `${event.kind} ${event.at}` : event.kind
}

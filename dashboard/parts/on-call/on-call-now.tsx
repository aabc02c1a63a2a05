import { CircleAlert, PhoneCall } from 'lucide-react'
import type { OnCallNow } from '../../../src/core/on-call/shown-schedule.ts'
import { useSession } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Tag } from '../rows.tsx'
import { PhoneLink } from './phone-link.tsx'
import { sayDayTime } from './span-words.ts'

/** The name of who is on call, with a link that calls, or that no one is, or that no contact is left. */
export function OnCallName({ onCall: { participant, phone } }: { onCall: OnCallNow }) {
  const { user } = useSession()
  if (!participant) {
    return (
      <span className="inline-flex items-center gap-1.5 text-degraded">
        <CircleAlert aria-hidden size={16} className="shrink-0" />
        {t('No one is on call')}
      </span>
    )
  }
  const isReader = participant.user_id === user.id
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-1.5">
      <PhoneCall aria-hidden size={16} className="shrink-0 text-up" />
      <span className="min-w-0 break-words">{participant.name}</span>
      {isReader && <Tag>{t('you')}</Tag>}
      {phone !== null && !isReader && <PhoneLink name={participant.name} phone={phone} />}
      {participant.contact_count === 0 && <span className="text-degraded">{t('(no contact)')}</span>}
    </span>
  )
}

/** `Until Mon, 11 Jan, 09:00, then Grace`. */
export function OnCallUntil({ onCall: { until, next } }: { onCall: OnCallNow }) {
  if (until === null) return t('No change within a month')
  const at = <Moment key="at" at={until} />
  if (!next) return rich('Until {at}', { at })
  if (next.starts_at === until) return rich('Until {at}, then {name}', { at, name: next.participant.name })
  return rich('Until {at}; {name} from {start}', {
    at,
    name: next.participant.name,
    start: <Moment key="start" at={next.starts_at} />,
  })
}

function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {sayDayTime(at)}
    </time>
  )
}

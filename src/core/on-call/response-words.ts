import type { DeliveryOrigin } from '../alerting/delivery-log.ts'
import { phrase } from '../language/phrase.ts'
import type { Translator } from '../language/translate.ts'
import { joinWords } from '../text.ts'
import type { ResponseEvent, StepEvent } from './response.ts'

type Say = Translator['t']

export const UNREACHED_WORDS = {
  gap: phrase('no one is on call'),
  unreachable: phrase('no contact to alert'),
  'just alerted': phrase('everyone had just been alerted'),
} as const satisfies Record<NonNullable<StepEvent['unreached']>, string>

/** An event of a response in plain words, for a timeline and a post-mortem. */
export function sayResponse(event: ResponseEvent, t: Say): string {
  switch (event.kind) {
    case 'acknowledged': {
      const person = event.by ?? t('a former member')
      const said =
        event.via === 'link'
          ? t('Acknowledged by {person}, by the link in an alert', { person })
          : t('Acknowledged by {person}', { person })
      return event.note === null ? said : `${said}: ${event.note}`
    }
    case 'withdrawn':
      return t('Acknowledgement undone by {person}', { person: event.by ?? t('a former member') })
    case 'note':
      return t('Note by {person}: {text}', { person: event.by ?? t('a former member'), text: event.text })
    case 'step':
    case 'reminder':
      return `${stepName(event, t)}: ${sayReached(event, t)}`
  }
}

/** `Step 2`, `Step 2, round 3`, `Reminder`. */
export function stepName(
  { kind, number, round }: Pick<StepEvent, 'kind' | 'number' | 'round'>,
  t: Say,
): string {
  if (kind === 'reminder') return t('Reminder')
  return round === 0
    ? t('Step {number}', { number })
    : t('Step {number}, round {round}', { number, round: round + 1 })
}

/** `Step 2 of Checkout on-call`, for a list of alerts. */
export function sayOrigin(origin: DeliveryOrigin, t: Say): string {
  switch (origin.kind) {
    case 'step': {
      const { number, round, policy } = origin
      if (policy === null) return stepName(origin, t)
      return round === 0
        ? t('Step {number} of {policy}', { number, policy })
        : t('Step {number} of {policy}, round {round}', { number, policy, round: round + 1 })
    }
    case 'drill':
      return t('Step {number} of a drill of {policy}', origin)
    case 'reminder':
      return t('Reminder')
    case 'acknowledgement':
      return t('Acknowledgement')
  }
}

export function sayReached(
  { contacts, unreached, schedule }: Pick<StepEvent, 'contacts' | 'unreached' | 'schedule'>,
  t: Say,
): string {
  const whom = unreached === null ? joinWords(contacts) : t(UNREACHED_WORDS[unreached])
  return schedule === null ? whom : t('{whom} (schedule {schedule})', { whom, schedule })
}

import * as z from 'zod'
import { DAY_MS } from '../history/history-span.ts'
import type { LetterKind } from './mail-kinds.ts'

/** Days in which an asked address may agree. */
export const DAYS_TO_AGREE = 7

/**
 * A foreign address may be named for these. Its reader is asked first, by one letter with a link, and nothing else
 * goes there unless they agree. The kind of the letter says how often anybody may ask. `path` leads to the page of the link.
 */
export const ASKED_FOR = {
  /** A contact by e-mail gets alerts. The link lapses, and the address is asked anew only then. */
  alerts: { letter: 'contactAgreement', path: '/agree/' },
  /** A recipient gets a report each month. Until the address lapses it may be asked again, with the same link. */
  report: { letter: 'reportConfirmation', path: '/report-mails/' },
  /** A subscriber of a status page gets its updates. The same holds as for a report. */
  updates: { letter: 'subscriberConfirmation', path: '/subscriptions/' },
} as const satisfies Record<string, { letter: LetterKind; path: string }>

export type AskedFor = keyof typeof ASKED_FOR

/** The link of an address; `site` is the address of the service, or of the status page. */
export function linkOf(asked: AskedFor, site: string, token: string): string {
  return `${site}${ASKED_FOR[asked].path}${token}`
}

/** When a question of this time lapses: its link stops working, or the address is forgotten. */
export function lapseOf(askedAt: Date): Date {
  return new Date(askedAt.getTime() + DAYS_TO_AGREE * DAY_MS)
}

/** Questions asked before have lapsed. */
export function lapsedSince(now: Date): Date {
  return new Date(now.getTime() - DAYS_TO_AGREE * DAY_MS)
}

/** `unconfirmed`: forgotten once its question lapses. `refused`: it refuses mail for good, unless it confirms again. */
export const AskedState = z.enum(['unconfirmed', 'confirmed', 'refused'])
export type AskedState = z.infer<typeof AskedState>

/** The button that was pressed behind the link, or the one click of a mail program (RFC 8058); null for anything else. */
export function readPressed<Action extends string>(
  form: URLSearchParams,
  actions: z.ZodType<Action>,
): Action | 'end' | null {
  if (form.get('List-Unsubscribe') === 'One-Click') return 'end'
  return actions.safeParse(form.get('action')).data ?? null
}

import * as z from 'zod'
import { EmailAddress, ReceiverUrl } from '../../alerting/contact-values.ts'
import { RecordId } from '../../record-id.ts'
import { csvLine } from '../../reports/csv.ts'
import type { SubscriberRow } from '../shown-post.ts'
import { MAX_COMPONENTS } from '../status-page.ts'

/** The bound of one page, with those who have not confirmed. */
export const MAX_SUBSCRIBERS = 50_000

/** Components that a subscriber wants to hear of; null: all, those that are added later too. */
export type ChosenComponents = number[] | null

/** A visitor's wish to get updates of a page. */
export type SubscribeWish = { type: 'email' | 'webhook'; address: string; componentIds: ChosenComponents }

/** The form as it was sent; a fault names the field and the value. */
export function readWish(
  form: URLSearchParams,
): SubscribeWish | { field: 'email' | 'webhook_url'; value: string } {
  const isMail = form.get('webhook_url') === null
  const field = isMail ? 'email' : 'webhook_url'
  const value = (form.get(field) ?? '').trim()
  const parsed = (isMail ? EmailAddress : ReceiverUrl).safeParse(value)
  if (!parsed.success) return { field, value }
  return { type: isMail ? 'email' : 'webhook', address: parsed.data, componentIds: readChoice(form) }
}

const Choice = z.array(z.coerce.number().pipe(RecordId)).min(1).max(MAX_COMPONENTS)

/** `scope=chosen` and at least one of `components`; everything else means all. */
export function readChoice(form: URLSearchParams): ChosenComponents {
  if (form.get('scope') !== 'chosen') return null
  const chosen = Choice.safeParse([...new Set(form.getAll('components'))])
  return chosen.success ? chosen.data : null
}

/** A subscriber, as far as its own page shows it. */
export type Subscription = { address: string; isConfirmed: boolean; componentIds: ChosenComponents }

export const SubscriptionAction = z.enum(['confirm', 'change', 'end'])
export type SubscriptionAction = z.infer<typeof SubscriptionAction>

const COLUMNS = ['type', 'address', 'state', 'component_ids', 'created_at', 'confirmed_at'] as const

/** A file for spreadsheets. */
export function subscribersCsv(rows: readonly SubscriberRow[]): string {
  const lines = rows.map(({ component_ids, ...row }) =>
    csvLine(
      COLUMNS.map((column) =>
        column === 'component_ids' ? (component_ids?.join(' ') ?? null) : row[column],
      ),
    ),
  )
  return [csvLine(COLUMNS), ...lines].join('')
}

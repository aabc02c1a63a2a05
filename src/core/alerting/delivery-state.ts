import * as z from 'zod'
import { phrase } from '../language/phrase.ts'

/** In a file of its own: the first screen of the dashboard needs no other schema of deliveries. */
export const DeliveryState = z.enum(['pending', 'sent', 'failed', 'dropped'])
export type DeliveryState = z.infer<typeof DeliveryState>

export const DELIVERY_STATE_WORDS = {
  pending: phrase('Sending'),
  sent: phrase('Delivered'),
  failed: phrase('Failed'),
  dropped: phrase('Not sent'),
} as const satisfies Record<DeliveryState, string>

import * as z from 'zod'

/** In a file of its own: the first screen of the dashboard needs no other schema of deliveries. */
export const DeliveryState = z.enum(['pending', 'sent', 'failed', 'dropped'])
export type DeliveryState = z.infer<typeof DeliveryState>

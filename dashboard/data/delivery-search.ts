import { DeliveryQuery } from '../../src/contract/deliveries.ts'
import type { DeliveryState } from '../../src/core/delivery-log.ts'

/** What the address of the delivery log says. */
export type DeliverySearch = { page?: number; contact?: number; state?: DeliveryState }

/** Keeps of an address what is valid, so that an old link never leads to an error. */
export function readDeliverySearch(given: Record<string, unknown>): DeliverySearch {
  const kept: Record<string, unknown> = {}
  for (const name of ['page', 'contact', 'state'] as const) {
    const value = given[name]
    if (value === undefined || value === '') continue
    if (DeliveryQuery.shape[name].safeParse(String(value)).success)
      kept[name] = name === 'state' ? value : Number(value)
  }
  return kept
}

import { DeliveryQuery } from '../../src/contract/alerting/delivery-query.ts'
import type { DeliveryState } from '../../src/core/alerting/delivery-state.ts'
import { keptSearch } from './kept-search.ts'

const NAMES = ['page', 'contact', 'state', 'monitor', 'server', 'site'] as const

/** The filters in the address of the delivery log. */
export type DeliverySearch = {
  page?: number | undefined
  contact?: number | undefined
  state?: DeliveryState | undefined
  /** The one subject whose alerts are listed. */
  monitor?: number | undefined
  server?: number | undefined
  site?: number | undefined
}

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readDeliverySearch(given: Record<string, unknown>): DeliverySearch {
  const kept: Record<string, unknown> = {}
  for (const name of NAMES) {
    const value = given[name]
    if (value === undefined || value === '') continue
    if (DeliveryQuery.shape[name].safeParse(String(value)).success)
      kept[name] = name === 'state' ? value : Number(value)
  }
  return keptSearch<DeliverySearch>(NAMES, kept)
}

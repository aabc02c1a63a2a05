import type { CurrentClient } from '../../../src/operations/sign-in/throttle.ts'

/** A client of which only the network counts. */
export function clientOf(network: string): CurrentClient {
  return { network, origin: { address: '', userAgent: '' } }
}

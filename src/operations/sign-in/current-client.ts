import { AsyncLocalStorage } from 'node:async_hooks'

/** Where a request comes from: its address, and what the program calls itself; '' where it says nothing. */
export type Origin = { address: string; userAgent: string }

/** `network` tells clients apart (core/client-address.ts). */
export type CurrentClient = { network: string; origin: Origin }

const NOBODY: CurrentClient = { network: '', origin: { address: '', userAgent: '' } }

const current = new AsyncLocalStorage<() => CurrentClient>()

/** Answers a request of a client, which is read only where its work asks: most work does not, and pings are many. */
export function forClient<T>(read: () => CurrentClient, answer: () => T): T {
  return current.run(read, answer)
}

/** The network of the client whose request is being answered, whose share its work uses; '' for work of our own, such as a command. */
export function currentClient(): string {
  return clientNow().network
}

/** Where the request comes from that is being answered. */
export function currentOrigin(): Origin {
  return clientNow().origin
}

function clientNow(): CurrentClient {
  return current.getStore()?.() ?? NOBODY
}

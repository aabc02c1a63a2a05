import { AsyncLocalStorage } from 'node:async_hooks'

/** Where a request comes from: its address, and what the program calls itself; '' where it says nothing. */
export type Origin = { address: string; userAgent: string }

const NOWHERE: Origin = { address: '', userAgent: '' }

const current = new AsyncLocalStorage<{ client: string; origin: Origin }>()

/** Answers a request of a client, told apart by network (core/client-address.ts): its work uses the client's share. */
export function forClient<T>(client: string, answer: () => T, origin = NOWHERE): T {
  return current.run({ client, origin }, answer)
}

/** The client whose request is being answered; '' for work of our own, such as a command. */
export function currentClient(): string {
  return current.getStore()?.client ?? ''
}

/** Where the request comes from that is being answered. */
export function currentOrigin(): Origin {
  return current.getStore()?.origin ?? NOWHERE
}

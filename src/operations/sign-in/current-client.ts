import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

/** Answers a request of a client, told apart by network (core/client-network.ts): its work uses the client's share. */
export function forClient<T>(client: string, answer: () => T): T {
  return current.run(client, answer)
}

/** The client whose request is being answered; '' for work of our own, such as a command. */
export function currentClient(): string {
  return current.getStore() ?? ''
}

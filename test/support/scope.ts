import { after } from 'node:test'

export type Scope = { after: (close: () => Promise<void>) => void }

/** What a whole suite opens, closed in the opposite order when the suite is over. */
export function suiteScope(): Scope {
  const closers: (() => Promise<void>)[] = []
  after(async () => {
    for (const close of closers.reverse()) await close()
  })
  return { after: (close) => closers.push(close) }
}

/** What files of one process share, closed in the opposite order after its last test: first the service, then its database. */
export const processScope = suiteScope()

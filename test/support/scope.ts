import { after } from 'node:test'

export type Scope = { after: (close: () => Promise<void>) => void }

/** Resources of a whole suite, closed in reverse order at its end. */
export function suiteScope(): Scope {
  const closers: (() => Promise<void>)[] = []
  after(async () => {
    for (const close of closers.reverse()) await close()
  })
  return { after: (close) => closers.push(close) }
}

/** For what all files of a process share, closed in reverse order after its last test. */
export const processScope = suiteScope()

import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { threadsFor } from '../src/core/probing/thread-count.ts'
import type { Store } from '../src/store/store.ts'
import type { CheckThreadData, Ran, Run } from './check-thread.ts'
import type { Scope } from './support/scope.ts'

const PROGRAM = new URL('./check-thread.ts', import.meta.url)

export type CheckThreads = {
  count: number
  /** Lets all threads work at the same time, with so much under way over all of them. */
  run(run: Run): Promise<{ done: number; perSecond: number }>
}

/** As many threads as the service starts when there is more to check than they can. */
export async function startCheckThreads(
  scope: Scope,
  { access }: Store,
  authority: string,
  monitorIds: number[],
): Promise<CheckThreads> {
  const count = threadsFor(Number.POSITIVE_INFINITY, availableParallelism())
  const threads = Array.from({ length: count }, (_, index) => {
    // Each has monitors of its own, as in the service.
    const own = monitorIds.filter((id) => id % count === index)
    const workerData: CheckThreadData = { access, authority, monitorIds: own }
    return new Worker(PROGRAM, { workerData })
  })
  scope.after(async () => {
    const ended = threads.map((thread) => once(thread, 'exit'))
    for (const thread of threads) thread.postMessage('close')
    await Promise.all(ended)
  })
  return {
    count,
    async run(run) {
      const share = { ...run, inFlight: Math.ceil(run.inFlight / count) }
      const ran = await Promise.all(
        threads.map(async (thread) => {
          thread.postMessage(share)
          const [outcome] = (await once(thread, 'message')) as [Ran]
          if ('trouble' in outcome) throw new Error(outcome.trouble)
          return outcome
        }),
      )
      const done = ran.reduce((sum, { done }) => sum + done, 0)
      return { done, perSecond: done / Math.max(...ran.map(({ seconds }) => seconds)) }
    },
  }
}

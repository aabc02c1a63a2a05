import type { Worker } from 'node:worker_threads'
import type { EstimateGuesses, Guesses } from '../../core/sign-in/password.ts'
import { startOwnThread } from '../../files/own-files.ts'
import type { PasswordAnswer, PasswordQuestion } from './password-thread.ts'

/** Passwords are set rarely, and the dictionaries should not be held for the time between. */
const IDLE_MS = 60_000
/** Far more than the dictionaries and an estimate take. */
const MAX_HEAP_MB = 192

type Asking = { thread: Worker; pending: Map<number, PromiseWithResolvers<Guesses>>; idle?: NodeJS.Timeout }

let asking: Asking | null = null
let count = 0

/** Asks the thread, which begins with the first question and ends a minute after the last answer. */
export const estimateGuesses: EstimateGuesses = (password, names) => {
  asking ??= start()
  const { thread, pending, idle } = asking
  clearTimeout(idle)
  const answer = Promise.withResolvers<Guesses>()
  const id = ++count
  pending.set(id, answer)
  // A process that is done with everything else waits for the answer, but not for the end of the thread.
  thread.ref()
  thread.postMessage({ id, password, names } satisfies PasswordQuestion)
  return answer.promise
}

function start(): Asking {
  const thread = startOwnThread('operations/sign-in/password-thread', {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  const started: Asking = { thread, pending: new Map() }
  const end = (error: Error) => {
    if (asking === started) asking = null
    clearTimeout(started.idle)
    for (const answer of started.pending.values()) answer.reject(error)
    started.pending.clear()
  }
  thread.on('message', ({ id, log10, by }: PasswordAnswer) => {
    started.pending.get(id)?.resolve({ log10, by })
    started.pending.delete(id)
    if (started.pending.size > 0) return
    thread.unref()
    started.idle = setTimeout(() => {
      end(new Error('the thread of passwords was idle'))
      void thread.terminate()
    }, IDLE_MS).unref()
  })
  thread.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
  thread.once('exit', () => end(new Error('the thread of passwords ended early')))
  return started
}

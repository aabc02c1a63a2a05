import { gather } from '../../postgres/gather.ts'
import type { CheckingThread, Report } from '../probing/thread-messages.ts'
import type { Testimony } from './evidence.ts'

/** A thread that stands still does not hold up the verdicts of the others for longer. */
const MAX_HEARING_MS = 250

/**
 * In the leading thread: passes a thread's question on to the other threads, and what they have seen back.
 * Nothing is said while targets answer: only a failure that may be our own makes a thread ask.
 */
export function createHearing(threads: () => CheckingThread[]) {
  const open = new Map<number, (testimony: Testimony | null) => void>()
  let questions = 0

  async function testimonyOf(thread: CheckingThread): Promise<Testimony | null> {
    const question = ++questions
    const { promise, resolve } = Promise.withResolvers<Testimony | null>()
    const timer = setTimeout(() => resolve(null), MAX_HEARING_MS)
    open.set(question, resolve)
    thread.post({ kind: 'testify', question })
    return promise.finally(() => {
      clearTimeout(timer)
      open.delete(question)
    })
  }

  return {
    async ask(asker: CheckingThread, question: number): Promise<void> {
      const others = threads().filter((thread) => thread !== asker)
      const heard = await Promise.all(others.map(testimonyOf))
      const testimonies = heard.filter((testimony) => testimony !== null)
      asker.post({ kind: 'heard', question, testimonies })
    },
    testify(question: number, testimony: Testimony) {
      open.get(question)?.(testimony)
    },
  }
}

export type Inquiry = ReturnType<typeof createInquiry>

/** In a thread that checks: asks the others. What is asked while an answer is awaited shares the next question. */
export function createInquiry(post: (report: Report) => void) {
  const open = new Map<number, (testimonies: Testimony[]) => void>()
  let questions = 0

  function inquire(): Promise<Testimony[]> {
    const question = ++questions
    post({ kind: 'question', question })
    return new Promise((resolve) => open.set(question, resolve))
  }

  const ask = gather<null, Testimony[]>(async (calls) => {
    const testimonies = await inquire()
    return calls.map(() => testimonies)
  })

  return {
    others: () => ask(null),
    heard(question: number, testimonies: Testimony[]) {
      open.get(question)?.(testimonies)
      open.delete(question)
    },
  }
}

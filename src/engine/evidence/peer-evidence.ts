import { gather } from '../../postgres/gather.ts'
import type { CheckingThread, ThreadReport } from '../threads/thread-messages.ts'
import type { PeerEvidence } from './evidence.ts'

/** A thread that stands still does not hold up the verdicts of the others for longer. */
export const PEER_TIMEOUT_MS = 250

/**
 * In the leading thread: passes a thread's question on to the other threads, and their evidence back. No messages go
 * while targets answer: only a failure that may be our own makes a thread ask.
 */
export function createPeerEvidenceRelay(threads: () => readonly CheckingThread[]) {
  const open = new Map<number, (evidence: PeerEvidence | null) => void>()
  let questions = 0

  async function evidenceOf(thread: CheckingThread): Promise<PeerEvidence | null> {
    const question = ++questions
    const { promise, resolve } = Promise.withResolvers<PeerEvidence | null>()
    const timer = setTimeout(() => resolve(null), PEER_TIMEOUT_MS)
    open.set(question, resolve)
    thread.post({ kind: 'share evidence', question })
    return promise.finally(() => {
      clearTimeout(timer)
      open.delete(question)
    })
  }

  async function evidenceOfAll(asked: readonly CheckingThread[]): Promise<PeerEvidence[]> {
    return (await Promise.all(asked.map(evidenceOf))).filter((answer) => answer !== null)
  }

  return {
    /** A guard that lives outside the threads uses it. */
    gather: () => evidenceOfAll(threads()),
    async askOthers(asker: CheckingThread, question: number): Promise<void> {
      const evidence = await evidenceOfAll(threads().filter((thread) => thread !== asker))
      asker.post({ kind: 'peer evidence', question, evidence })
    },
    takeEvidence(question: number, evidence: PeerEvidence) {
      open.get(question)?.(evidence)
    },
  }
}

export type PeerEvidenceRequests = ReturnType<typeof createPeerEvidenceRequests>

/**
 * In a thread that checks: asks the other threads. Requests that come while one is under way share the next question.
 */
export function createPeerEvidenceRequests(report: (report: ThreadReport) => void) {
  const open = new Map<number, (evidence: PeerEvidence[]) => void>()
  let questions = 0

  function askPeers(): Promise<PeerEvidence[]> {
    const question = ++questions
    report({ kind: 'ask peers', question })
    return new Promise((resolve) => open.set(question, resolve))
  }

  const request = gather<null, PeerEvidence[]>(async (calls) => {
    const evidence = await askPeers()
    return calls.map(() => evidence)
  })

  return {
    request: () => request(null),
    takeEvidence(question: number, evidence: PeerEvidence[]) {
      open.get(question)?.(evidence)
      open.delete(question)
    },
  }
}

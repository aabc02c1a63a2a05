import type { Way } from '../../core/probing/blame.ts'
import type { PeerEvidence } from '../evidence/evidence.ts'
import type { NetworkReporter } from '../evidence/network-notices.ts'
import { createPeerEvidenceRelay } from '../evidence/peer-evidence.ts'
import type { RecordingTrouble } from '../recording/ability.ts'
import { worstTrouble } from '../recording/recorders.ts'
import type { CheckingThread, ThreadInstruction } from './thread-messages.ts'

const RESTART_MS = 1_000

/** The threads that check; those that share the monitors stand in the order of their shares. */
export type ThreadSet = {
  readonly sharing: readonly CheckingThread[]
  /** Whether none of them has ended, or has been replaced and not started yet. */
  readonly running: boolean
  /** Why one of them records nothing; null while all do. */
  readonly recordingTrouble: RecordingTrouble | null
  /** Starts so many threads; none of them has a share yet. */
  start(count: number): CheckingThread[]
  addSharing(threads: CheckingThread[]): void
  /** Ends the threads whose share is past the first `count`. */
  keep(count: number): void
  /** Also goes to threads that start later. */
  assign(instruction: ThreadInstruction & { kind: 'assign' }): void
  postToAll(instruction: ThreadInstruction): void
  /** The knowledge of the threads about our ways out. */
  evidence(): Promise<PeerEvidence[]>
  close(): Promise<void>
}

/**
 * Starts and ends threads and passes what one of them learns of our network on to the others. A thread that ends
 * unasked is replaced, and `reload` is called for a schedule to fill the new one with.
 */
export function createThreadSet(deps: {
  startThread: () => CheckingThread
  createReporter: () => NetworkReporter
  /** Runs the work once no monitor is between two threads. */
  whenSettled: (work: () => void) => void
  reload: () => Promise<void>
  onTrouble: (error: unknown) => void
}): ThreadSet {
  const alive = new Set<CheckingThread>()
  /** Threads that have ended, and those in the place of one until they have started. */
  const missing = new Set<CheckingThread>()
  const troubles = new Map<CheckingThread, RecordingTrouble | null>()
  let sharing: CheckingThread[] = []
  const peers = createPeerEvidenceRelay(() => sharing)
  let assignment: ThreadInstruction | null = null
  let closed = false

  function startOne(): CheckingThread {
    const thread = startedThread()
    const reporter = deps.createReporter()
    alive.add(thread)
    if (assignment !== null) thread.post(assignment)
    thread.onReport((report) => {
      switch (report.kind) {
        case 'ready':
          return void missing.delete(thread)
        case 'recording':
          return void troubles.set(thread, report.trouble)
        case 'ask peers':
          return void peers.askOthers(thread, report.question)
        case 'evidence':
          return peers.takeEvidence(report.question, report.evidence)
        case 'network':
          reporter.report(report.notice)
          if (report.notice.kind === 'works') tellOthers(thread, report.notice.way)
      }
    })
    void thread.ended.then(() => {
      alive.delete(thread)
      troubles.delete(thread)
      missing.add(thread)
      reporter.close()
      if (!closed) setTimeout(() => deps.whenSettled(() => replace(thread)), RESTART_MS)
    })
    return thread
  }

  /** One that cannot be started is replaced as one that ends at once. */
  function startedThread(): CheckingThread {
    try {
      return deps.startThread()
    } catch (error) {
      deps.onTrouble(error)
      return { post() {}, onReport: () => () => {}, ended: Promise.resolve() }
    }
  }

  /** A thread that was told to end has no share any more. */
  function replace(thread: CheckingThread) {
    missing.delete(thread)
    const index = sharing.indexOf(thread)
    if (closed || index < 0) return
    deps.onTrouble(new Error(`checking thread ${index} ended unasked; another one takes its place`))
    const successor = startOne()
    missing.add(successor)
    sharing[index] = successor
    void deps.reload()
  }

  function tellOthers(thread: CheckingThread, way: Way) {
    for (const other of sharing) if (other !== thread) other.post({ kind: 'way works', way })
  }

  function postToAll(instruction: ThreadInstruction) {
    for (const thread of alive) thread.post(instruction)
  }

  return {
    get sharing() {
      return sharing
    },
    get running() {
      return sharing.every((thread) => !missing.has(thread))
    },
    get recordingTrouble() {
      return worstTrouble([...troubles.values()])
    },
    start: (count) => Array.from({ length: Math.max(count, 0) }, startOne),
    addSharing(threads) {
      sharing = [...sharing, ...threads]
    },
    keep(count) {
      for (const thread of sharing.splice(count)) thread.post({ kind: 'close' })
    },
    assign(instruction) {
      assignment = instruction
      postToAll(instruction)
    },
    postToAll,
    evidence: peers.gather,
    async close() {
      closed = true
      const ends = [...alive].map(({ ended }) => ended)
      postToAll({ kind: 'close' })
      await Promise.all(ends)
    },
  }
}

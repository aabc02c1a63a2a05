import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Attempts, countAttempt, NO_ATTEMPTS } from '../core/monitors/options/attempts.ts'
import { ProbeRefusal, type ProbeResult } from '../core/probing/remote-probe.ts'
import type { Finding, Recorder } from '../engine/recording/finding.ts'
import { sentPartOf } from './confirmations.ts'
import { createKeptResults } from './results.ts'
import { type Ask, createBackoff, Unreachable } from './service-link.ts'

/** How long a finding without news waits for others. */
const GATHER_MS = 250
/** The end of the process waits this long for results that are not stored yet. */
const CLOSE_MS = 3_000

export type RemoteRecorder = Recorder & {
  /** Names the run whose results are numbered. */
  readonly session: string
  readonly waiting: number
  /** The number of results that were given up. */
  readonly dropped: number
  /** Whether the last result of the monitor here was down. */
  isDown(monitorId: number): boolean
}

/**
 * Keeps findings and sends them in order, one batch after the other: a batch whose answer was lost is sent again under
 * the same numbers, and stored once. A finding counts as recorded when it is kept: checks go on while the service is
 * out of reach.
 */
export function createRemoteRecorder(
  ask: Ask,
  deps: {
    now: () => Date
    random: () => number
    /** The region of this probe. */
    region: string
    note: (message: string) => void
    onTrouble: (error: unknown) => void
  },
): RemoteRecorder {
  const kept = createKeptResults()
  const backoff = createBackoff(deps.random)
  const stop = new AbortController()
  const down = new Set<number>()
  /** The service counts them, too, with those of other regions: these say when to try again. */
  const attempts = new Map<number, Attempts>()
  let session: string = randomUUID()
  let gathering: NodeJS.Timeout | undefined
  let sending: Promise<void> | null = null
  let droppedNoted = 0
  let closed = false

  function send() {
    clearTimeout(gathering)
    gathering = undefined
    sending ??= sendAll()
      .catch(deps.onTrouble)
      .finally(() => {
        sending = null
        if (kept.size > 0 && !closed) gathering ??= setTimeout(send, GATHER_MS)
      })
  }

  async function sendAll() {
    for (;;) {
      const batch = kept.batch(deps.now().getTime())
      noteDropped()
      if (!batch || stop.signal.aborted) return
      try {
        const { refused } = await ask('results', { session, ...batch })
        kept.settle()
        backoff.reset()
        if (refused[0]) {
          const { monitor_id, reason } = refused[0]
          deps.note(
            `the service refused ${refused.length} of ${batch.results.length} results, such as one of ` +
              `monitor ${monitor_id}: ${reason}`,
          )
        }
      } catch (error) {
        answerTrouble(error)
        await backoff.wait(stop.signal)
      }
    }
  }

  function answerTrouble(error: unknown) {
    if (error instanceof Unreachable) return
    if (!(error instanceof ProbeRefusal)) throw error
    if (error.code === 'order') {
      // The service has forgotten the last number. It recognizes results that it already has by their time.
      session = randomUUID()
      kept.renumber()
    } else if (error.code === 'invalid' || error.code === 'tooLarge') {
      deps.note(`the service cannot read a batch of results: ${error.message}`)
      kept.discard()
    } else {
      // The token is no longer valid: the next renewal hears the same, and ends the process.
      stop.abort()
    }
  }

  /** Whether a further attempt is to be made. */
  function countHere({ monitorId: id, result, checkedAt, patience }: Finding): boolean {
    if (!result || !patience) return false
    const status = down.has(id) ? 'down' : 'up'
    const before = { status, passing: 0, unmet: false, ...(attempts.get(id) ?? NO_ATTEMPTS) } as const
    const counted = countAttempt(before, result, checkedAt, patience)
    if (counted.attempts.unwell > 0) attempts.set(id, counted.attempts)
    else attempts.delete(id)
    if (counted.result.status === 'down') down.add(id)
    else if (counted.result.status !== 'pending') down.delete(id)
    return !counted.isLast
  }

  function noteDropped() {
    if (kept.dropped === droppedNoted) return
    deps.note(`${kept.dropped - droppedNoted} results were dropped: they could not be stored in time`)
    droppedNoted = kept.dropped
  }

  return {
    get session() {
      return session
    },
    get waiting() {
      return kept.size
    },
    get dropped() {
      return kept.dropped
    },
    isDown: (monitorId) => down.has(monitorId),
    async record(finding) {
      const isAttempt = countHere(finding)
      kept.add(resultOf(finding, deps.region))
      if (!finding.waitsMs) send()
      else gathering ??= setTimeout(send, GATHER_MS)
      return { kind: 'recorded', heartbeatDueAt: null, ...(isAttempt && { isAttempt }) }
    },
    async close() {
      closed = true
      clearTimeout(gathering)
      if (kept.size > 0) send()
      const late = delay(CLOSE_MS, undefined, { signal: stop.signal }).catch(() => {})
      await Promise.race([sending, late])
      stop.abort()
      await sending
      if (kept.size > 0) deps.note(`${kept.size} results were not stored any more`)
    },
  }
}

function resultOf(finding: Finding, own: string): ProbeResult {
  const { monitorId, revision, checkedAt, membership, result } = finding
  if (result === null || revision === null || !membership) {
    throw new Error('a remote probe records only what it found itself')
  }
  const region = finding.region ?? ''
  return {
    membership,
    monitor_id: monitorId,
    revision,
    checked_at: checkedAt,
    ...(region !== own && { seen_from: region }),
    result: sentPartOf(result),
  }
}

import { NAME_SERVERS_SEEM_DOWN, NETWORK_SEEMS_DOWN } from '../../core/monitors/cause.ts'
import type { Way } from '../../core/probing/blame.ts'

/** News of one thread about the ways out, which all threads share. */
export type NetworkNotice =
  | { kind: 'down'; way: Way }
  /** `unjudged` checks were not believed meanwhile. */
  | { kind: 'works'; way: Way; unjudged: number }
  /**
   * A target has been undecided for longer than it may be, by an attempt that began at `startedMs`, and why: on the way to
   * it, or before it.
   */
  | { kind: 'undecided'; reason: string; isOfTheWay: boolean; startedMs: number }
  | { kind: 'decided' }

/** Takes the notices of one thread; `close` when it has ended. */
export type NetworkReporter = { report(notice: NetworkNotice): void; close(): void }

type Trouble = 'network' | 'name servers' | 'undecided'

const BEGINNINGS: Record<Exclude<Trouble, 'undecided'>, string> = {
  network: `${NETWORK_SEEMS_DOWN}: nothing that was reached lately can be reached; what fails is not judged`,
  'name servers': `${NAME_SERVERS_SEEM_DOWN}: no name that was found lately is found; what fails is not judged`,
}

const ENDINGS: Record<Trouble, (seconds: number, unjudged: number) => string> = {
  network: (seconds, unjudged) => `our network works again after ${seconds} s; ${notJudged(unjudged)}`,
  'name servers': (seconds, unjudged) =>
    `our name servers work again after ${seconds} s; ${notJudged(unjudged)}`,
  undecided: (seconds) => `every target is judged again after ${seconds} s`,
}

const notJudged = (checks: number) => `${checks} checks were not judged meanwhile`

/** Turns the notices of several threads into one line for the operator when a trouble begins, and one when it ends. */
export function createNetworkNotices(deps: {
  /** The clock of the threads. */
  monotonicMs: () => number
  say: (message: string) => void
}) {
  /** Per trouble: how many threads noticed it, its start, the checks not judged, and whether the operator knows. */
  const troubles = new Map<
    Trouble,
    { noticed: number; sinceMs: number; unjudged: number; isReported: boolean }
  >()

  /** When the last trouble of a way ended. */
  let wayWorksMs = Number.NEGATIVE_INFINITY

  function begin(trouble: Trouble, line: string, isReported: boolean) {
    const known = troubles.get(trouble)
    if (known) known.noticed++
    else {
      troubles.set(trouble, { noticed: 1, sinceMs: deps.monotonicMs(), unjudged: 0, isReported })
      if (isReported) deps.say(line)
    }
  }

  /** A target that is undecided because the way is down, or was when its attempt began, has its notice already. */
  function isNews(notice: NetworkNotice): boolean {
    if (notice.kind !== 'undecided' || !notice.isOfTheWay) return true
    if (troubles.has('network') || troubles.has('name servers')) return false
    return notice.startedMs > wayWorksMs
  }

  function end(trouble: Trouble, unjudged: number) {
    const known = troubles.get(trouble)
    if (!known) return
    known.unjudged += unjudged
    if (--known.noticed > 0) return
    troubles.delete(trouble)
    if (trouble !== 'undecided') wayWorksMs = deps.monotonicMs()
    if (!known.isReported) return
    const seconds = Math.round((deps.monotonicMs() - known.sinceMs) / 1_000)
    deps.say(ENDINGS[trouble](seconds, known.unjudged))
  }

  return (): NetworkReporter => {
    /** Troubles of this thread that have not ended; it may lose the way of one address family or of both. */
    const own: Trouble[] = []
    const stop = (trouble: Trouble, unjudged: number) => {
      const index = own.indexOf(trouble)
      if (index < 0) return
      own.splice(index, 1)
      end(trouble, unjudged)
    }
    return {
      report(notice) {
        if (notice.kind === 'decided') return stop('undecided', 0)
        if (notice.kind === 'works') return stop(troubleOf(notice.way), notice.unjudged)
        const trouble = notice.kind === 'undecided' ? 'undecided' : troubleOf(notice.way)
        own.push(trouble)
        begin(
          trouble,
          notice.kind === 'undecided'
            ? `a target has not been judged for longer than two intervals and two time-outs: ${notice.reason}`
            : BEGINNINGS[troubleOf(notice.way)],
          isNews(notice),
        )
      },
      close() {
        for (const trouble of own.splice(0)) end(trouble, 0)
      },
    }
  }
}

function troubleOf(way: Way): 'network' | 'name servers' {
  return way === 'names' ? 'name servers' : 'network'
}

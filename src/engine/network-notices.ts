import { NAME_SERVERS_SEEM_DOWN, NETWORK_SEEMS_DOWN } from '../core/cause.ts'
import type { Way } from '../core/evidence.ts'

/** What one thread learns of the ways out that it shares with the others. */
export type NetworkNotice =
  | { kind: 'down'; way: Way }
  /** `unjudged` checks were not believed meanwhile. */
  | { kind: 'works'; way: Way; unjudged: number }
  /** A target has been undecided for longer than it may be, and why. */
  | { kind: 'undecided'; reason: string }
  | { kind: 'decided' }

/** Where one thread reports to; `close` when it has ended. */
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

/** Makes of what several threads notice one line for the operator when a trouble begins, and one when it ends. */
export function createNetworkNotices(deps: { monotonicMs: () => number; say: (message: string) => void }) {
  /** How many have noticed it, since when, and how many checks were not judged. */
  const troubles = new Map<Trouble, { noticed: number; sinceMs: number; unjudged: number }>()

  function begin(trouble: Trouble, line: string) {
    const known = troubles.get(trouble)
    if (known) known.noticed++
    else {
      troubles.set(trouble, { noticed: 1, sinceMs: deps.monotonicMs(), unjudged: 0 })
      deps.say(line)
    }
  }

  function end(trouble: Trouble, unjudged: number) {
    const known = troubles.get(trouble)
    if (!known) return
    known.unjudged += unjudged
    if (--known.noticed > 0) return
    troubles.delete(trouble)
    const seconds = Math.round((deps.monotonicMs() - known.sinceMs) / 1_000)
    deps.say(ENDINGS[trouble](seconds, known.unjudged))
  }

  return (): NetworkReporter => {
    /** What it has noticed and not seen the end of; a thread may lose its way for one address family or both. */
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

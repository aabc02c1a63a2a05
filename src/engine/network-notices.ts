import { NETWORK_SEEMS_DOWN } from '../core/cause.ts'

/** What one thread learns of the network that it shares with the others. */
export type NetworkNotice =
  | { kind: 'down' }
  /** `unjudged` checks were not believed meanwhile; `family` is that of the addresses that are reached again. */
  | { kind: 'works'; family: 4 | 6; unjudged: number }

/** Where one thread reports to; `close` when it has ended. */
export type NetworkReporter = { report(notice: NetworkNotice): void; close(): void }

/** Makes of what several threads notice one line for the operator when the trouble begins, and one when it ends. */
export function createNetworkNotices(deps: { monotonicMs: () => number; say: (message: string) => void }) {
  let troubles = 0
  let sinceMs = 0
  let unjudged = 0

  function begin() {
    if (troubles++ > 0) return
    sinceMs = deps.monotonicMs()
    unjudged = 0
    deps.say(`${NETWORK_SEEMS_DOWN}: targets on unrelated networks fail together; they are not judged`)
  }

  function end() {
    if (--troubles > 0) return
    const seconds = Math.round((deps.monotonicMs() - sinceMs) / 1_000)
    deps.say(`our network works again after ${seconds} s; ${unjudged} checks were not judged meanwhile`)
  }

  return (): NetworkReporter => {
    /** A thread has one for each address family. */
    let own = 0
    return {
      report(notice) {
        if (notice.kind === 'down') {
          own++
          return begin()
        }
        own--
        unjudged += notice.unjudged
        end()
      },
      close() {
        for (; own > 0; own--) end()
      },
    }
  }
}

import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { trySignal } from '../support/processes.ts'

const CYCLE_MS = 100

/** Lets a process and all that it starts run only for a share of the time, until it is stopped. */
export function holdBack(pid: number, share: number): { stop(): Promise<void> } {
  const stopping = new AbortController()

  async function cycle(): Promise<void> {
    while (!stopping.signal.aborted) {
      const held = descendants(pid)
      signalAll(held, 'SIGSTOP')
      await delay(CYCLE_MS * (1 - share))
      signalAll(held, 'SIGCONT')
      await delay(CYCLE_MS * share)
    }
  }

  const running = cycle()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** A process, its children, theirs, and so on. */
export function descendants(pid: number, listing = listProcesses()): number[] {
  const children = listing.filter(([, parent]) => parent === pid).map(([child]) => child)
  return [pid, ...children.flatMap((child) => descendants(child, listing))]
}

/** All processes of this machine, each with its parent. */
function listProcesses(): [number, number][] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
    return [pid, parent]
  })
}

function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) trySignal(pid, signal)
}

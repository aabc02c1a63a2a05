import { wait } from '../postgres/delays.ts'
import type { LoopReports } from '../postgres/loop.ts'
import { faultOf, reasonOfFault } from '../postgres/sql-states.ts'

/** A loop that has had no good round for so long is said to be in trouble. */
const SAID_AFTER_MS = 60_000

/** The loops of a process that try again for ever, as the log and `/metrics` name them. */
export const LOOPS = [
  'alerts',
  'editions',
  'escalation',
  'groups',
  'history help',
  'leader',
  'letters',
  'mail tests',
  'notices',
  'posts',
  'prober',
  'reachability',
  'report mails',
  'server silence',
  'settings',
  'site looks',
  'status pages',
  'upkeep',
  'window ends',
] as const
export type LoopName = (typeof LOOPS)[number]

/** `/health` and the first requests need these: they begin at once. */
const AT_ONCE: readonly LoopName[] = ['leader', 'prober', 'reachability', 'status pages']

/** The others begin when the service answers, so far apart that each can have the connection of the one before. */
const APART_MS = 25

type Reports = Omit<LoopReports, 'begins'>
export type WatchedLoop = { [Report in keyof Reports]-?: NonNullable<Reports[Report]> } & Pick<
  LoopReports,
  'begins'
>

export type TroubledLoop = {
  name: LoopName
  /** Since the first failure after which no round was good; 0 while all is well. */
  seconds: number
  /** The newest failure; null while all is well. */
  why: string | null
  /** Trying the same again cannot help. */
  isLasting: boolean
}

export type Loops = {
  /** Begins to watch a loop; the same name again begins anew. `onTrouble` also gets every single failure. */
  watch(name: LoopName, onTrouble: (error: unknown) => void): WatchedLoop
  /** Each loop that is watched. */
  read(): TroubledLoop[]
}

type Watched = { sinceMs: number | null; isSpoilt: boolean; isSaid: boolean; error: unknown }

/**
 * A loop that never succeeds is told in the log, once, and in `/metrics`. Until the service `answers`, the loops that it does
 * not need for that leave the processor and the database to its start.
 */
export function createLoops(deps: {
  monotonicMs: () => number
  say: (message: string) => void
  answers: Promise<void>
}): Loops {
  const { monotonicMs, say, answers } = deps
  const loops = new Map<LoopName, Watched>()
  let waiting = 0
  let isAnswering = false
  void answers.then(() => {
    isAnswering = true
  })

  function begins(name: LoopName): Pick<LoopReports, 'begins'> {
    if (isAnswering || AT_ONCE.includes(name)) return {}
    const afterMs = APART_MS * waiting++
    return { begins: answers.then(() => wait(afterMs)) }
  }

  function note(name: LoopName, loop: Watched, error: unknown) {
    loop.sinceMs ??= monotonicMs()
    loop.isSpoilt = true
    loop.error = error
    const troubledMs = monotonicMs() - loop.sinceMs
    if (loop.isSaid || troubledMs < SAID_AFTER_MS) return
    loop.isSaid = true
    say(
      `${name}: no round without an error for ${Math.round(troubledMs / 1_000)} s; the last: ${reasonOfFault(error)}`,
    )
  }

  function endRound(name: LoopName, loop: Watched) {
    if (!loop.isSpoilt) {
      if (loop.isSaid) say(`${name}: works again`)
      Object.assign(loop, fresh())
    }
    loop.isSpoilt = false
  }

  return {
    watch(name, onTrouble) {
      const loop = fresh()
      loops.set(name, loop)
      return {
        ...begins(name),
        onTrouble(error) {
          onTrouble(error)
          note(name, loop, error)
        },
        onRound: () => endRound(name, loop),
        onEnd: () => void Object.assign(loop, fresh()),
      }
    },
    read: () =>
      [...loops].map(([name, { sinceMs, error }]) => ({
        name,
        seconds: sinceMs === null ? 0 : (monotonicMs() - sinceMs) / 1_000,
        why: sinceMs === null ? null : reasonOfFault(error),
        isLasting: sinceMs !== null && faultOf(error) === 'lasting',
      })),
  }
}

function fresh(): Watched {
  return { sinceMs: null, isSpoilt: false, isSaid: false, error: null }
}

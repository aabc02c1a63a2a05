import { type SharedName, sizeOf } from './shared.ts'

/** One may hold at most so many times the free places. */
const PER_FREE_PLACE = 3

/**
 * Whether one that holds `held` places of a capacity gets another one. The last free place goes to one that has none; others
 * hold fewer than three times as many as are free. So one alone gets three quarters, two get three sevenths each, and what
 * is left is for the next.
 */
export function getsPlace(held: number, free: number): boolean {
  if (free <= 0) return false
  return held === 0 || (free > 1 && held < PER_FREE_PLACE * free)
}

/** The same as a condition in SQL on two integers. */
export function getsPlaceSql(held: string, free: string): string {
  return `(${free} > 0 AND (${held} = 0 OR (${free} > 1 AND ${held} < ${PER_FREE_PLACE} * ${free})))`
}

/** The most that one gets while nobody else holds a place. */
export function mostOfOne(size: number): number {
  let held = 0
  while (getsPlace(held, size - held)) held++
  return held
}

/** A team, an account, a client: as those that share a capacity are told apart. */
export type PlaceHolder = number | string

/** The places of one shared capacity, and how many of them each holds. */
export type Places = {
  readonly free: number
  heldBy(holder: PlaceHolder): number
  /** Whether each of those that would hold it gets another place. */
  gets(...holders: PlaceHolder[]): boolean
  /** Takes a place for all of them; false where one of them gets none. */
  take(...holders: PlaceHolder[]): boolean
  leave(...holders: PlaceHolder[]): void
}

/** A capacity of the table in shared.ts. `size` is another one in tests alone. */
export function createPlaces(name: SharedName, size = sizeOf(name)): Places {
  const held = new Map<PlaceHolder, number>()
  let free = size
  const heldBy = (holder: PlaceHolder) => held.get(holder) ?? 0
  const gets = (...holders: PlaceHolder[]) => holders.every((holder) => getsPlace(heldBy(holder), free))
  return {
    get free() {
      return free
    },
    heldBy,
    gets,
    take(...holders) {
      if (!gets(...holders)) return false
      free--
      for (const holder of holders) held.set(holder, heldBy(holder) + 1)
      return true
    },
    leave(...holders) {
      free++
      for (const holder of holders) {
        const left = heldBy(holder) - 1
        if (left > 0) held.set(holder, left)
        else held.delete(holder)
      }
    },
  }
}

/** Admits a limited number at a time, each holder to its share; the others wait. */
export type Turnstile = {
  /**
   * Waits for a place; false when the signal aborted first, or where too many wait already. After true, the caller must
   * call leave() with the same holder.
   */
  enter(holder: PlaceHolder, signal?: AbortSignal): Promise<boolean>
  leave(holder: PlaceHolder): void
}

/** `maxWaiting`: of one holder. */
export function createTurnstile(
  name: SharedName,
  { size = sizeOf(name), maxWaiting = Number.POSITIVE_INFINITY } = {},
): Turnstile {
  const places = createPlaces(name, size)
  /** The one that was admitted last stands last. */
  const waiting = new Map<PlaceHolder, Set<() => void>>()

  function admitNext(): void {
    if (waiting.size === 0) return
    const able = [...waiting.keys()].filter((holder) => places.gets(holder))
    const fewest = Math.min(...able.map(places.heldBy))
    const next = able.find((holder) => places.heldBy(holder) === fewest)
    if (next === undefined || !places.take(next)) return
    const own = waiting.get(next) ?? new Set()
    const [admit] = own
    waiting.delete(next)
    if (own.size > 1) waiting.set(next, own)
    admit?.()
    admitNext()
  }

  return {
    async enter(holder, signal) {
      if (signal?.aborted) return false
      const own = waiting.get(holder) ?? new Set()
      // A newcomer does not overtake those of the same holder.
      if (own.size === 0 && places.take(holder)) return true
      if (own.size >= maxWaiting) return false
      return new Promise<boolean>((resolve) => {
        const admit = () => settle(true)
        const giveUp = () => settle(false)
        const settle = (admitted: boolean) => {
          const all = waiting.get(holder)
          all?.delete(admit)
          if (all?.size === 0) waiting.delete(holder)
          own.delete(admit)
          signal?.removeEventListener('abort', giveUp)
          resolve(admitted)
        }
        own.add(admit)
        waiting.set(holder, own)
        signal?.addEventListener('abort', giveUp, { once: true })
      })
    },
    /** The place goes straight to one that waits, so that no newcomer of the same holder can take it. */
    leave(holder) {
      places.leave(holder)
      admitNext()
    },
  }
}

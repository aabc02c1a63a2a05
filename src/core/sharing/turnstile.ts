import { createPlaces, type PlaceHolder } from './share.ts'
import { type SharedName, sizeOf } from './shared.ts'

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

/** Lets a limited number in at once; the others wait in order of arrival. */
export type Turnstile = {
  /** Waits for a place; false when the signal aborted first. Whoever got true must leave(). */
  enter(signal: AbortSignal): Promise<boolean>
  leave(): void
}

export function createTurnstile(places: number): Turnstile {
  let free = places
  const waiting = new Set<() => void>()

  return {
    async enter(signal) {
      if (signal.aborted) return false
      if (free > 0) {
        free--
        return true
      }
      return new Promise<boolean>((resolve) => {
        const admit = () => settle(true)
        const giveUp = () => settle(false)
        const settle = (admitted: boolean) => {
          waiting.delete(admit)
          signal.removeEventListener('abort', giveUp)
          resolve(admitted)
        }
        waiting.add(admit)
        signal.addEventListener('abort', giveUp, { once: true })
      })
    },
    /** The place goes straight to whoever waits longest, so that nobody can slip in between. */
    leave() {
      const [next] = waiting
      if (next) next()
      else free++
    },
  }
}

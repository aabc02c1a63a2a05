/** Admits a limited number at a time; the others wait in order of arrival. */
export type Turnstile = {
  /** Waits for a place; false when the signal aborted first. After true, the caller must call leave(). */
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
    /** The place goes straight to the longest waiting caller, so that no newcomer can take it. */
    leave() {
      const [next] = waiting
      if (next) next()
      else free++
    },
  }
}

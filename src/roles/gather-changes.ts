/** The time for which changes that follow one are waited for. */
const GATHER_MS = 20

/**
 * Passes on which monitors changed, those of a moment together, because reading a change costs more than the monitor in
 * it; null, for changes that nobody has named, at once.
 */
export function gatherChanges(pass: (ids: number[] | null) => void) {
  const gathered = new Set<number>()
  let gathering: NodeJS.Timeout | undefined

  function passOn() {
    gathering = undefined
    const ids = [...gathered]
    gathered.clear()
    pass(ids)
  }

  return {
    changed(ids: number[] | null): void {
      if (ids === null) {
        pass(null)
        return
      }
      for (const id of ids) gathered.add(id)
      gathering ??= setTimeout(passOn, GATHER_MS)
    },
    close(): void {
      clearTimeout(gathering)
    },
  }
}

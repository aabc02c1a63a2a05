import { getsPlace } from './share.ts'
import { type SharedName, sizeOf } from './shared.ts'

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

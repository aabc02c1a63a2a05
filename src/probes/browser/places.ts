/** How long a wait for a place sleeps at most before it looks again, in milliseconds. */
const LOOK_EVERY_MS = 1_000
const TURN = 0

/** The places of browsers that the threads of one process share: a turn counter, and the holder of each; 0 for none. */
export type SharedPlaces = Int32Array<SharedArrayBuffer>

export function createSharedPlaces(count: number): SharedPlaces {
  return new Int32Array(new SharedArrayBuffer((count + 1) * Int32Array.BYTES_PER_ELEMENT))
}

/** Waits for a place for a thread; the function gives it back. Null: the signal aborted first. */
export async function takeSharedPlace(
  places: SharedPlaces,
  thread: number,
  signal: AbortSignal,
): Promise<(() => void) | null> {
  while (!signal.aborted) {
    const turn = Atomics.load(places, TURN)
    for (let place = 1; place < places.length; place++)
      if (Atomics.compareExchange(places, place, 0, holderOf(thread)) === 0)
        return () => {
          Atomics.store(places, place, 0)
          nextTurn(places)
        }
    const waiting = Atomics.waitAsync(places, TURN, turn, LOOK_EVERY_MS)
    if (waiting.async) await waiting.value
  }
  return null
}

/** Frees the places of a thread that has ended without giving them back. */
export function leaveSharedPlaces(places: SharedPlaces, thread: number): void {
  for (let place = 1; place < places.length; place++)
    Atomics.compareExchange(places, place, holderOf(thread), 0)
  nextTurn(places)
}

/** The main thread has the number 0, which stands for a free place. */
function holderOf(thread: number): number {
  return thread + 1
}

function nextTurn(places: SharedPlaces): void {
  Atomics.add(places, TURN, 1)
  Atomics.notify(places, TURN)
}

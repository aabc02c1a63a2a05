export type LoopOutcome = {
  done: number
  perSecond: number
  /** The latency of each piece of work, in milliseconds. */
  latenciesMs: number[]
}

/** Keeps `inFlight` pieces of work going for so many seconds, and waits for the last of them. */
export async function closedLoop(
  inFlight: number,
  seconds: number,
  work: (worker: number) => Promise<void>,
): Promise<LoopOutcome> {
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  const workUntilEnd = async (worker: number) => {
    for (let at = performance.now(); at < endsAt; ) {
      await work(worker)
      const doneAt = performance.now()
      latenciesMs.push(doneAt - at)
      at = doneAt
    }
  }
  await Promise.all(Array.from({ length: inFlight }, (_, worker) => workUntilEnd(worker)))
  const elapsedSeconds = (performance.now() - startedAt) / 1_000
  return { done: latenciesMs.length, perSecond: latenciesMs.length / elapsedSeconds, latenciesMs }
}

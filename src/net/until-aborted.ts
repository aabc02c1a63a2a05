/** Resolves with the promise, or with `otherwise` once the signal aborts; for waits that cannot be cancelled. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal, otherwise: T): Promise<T> {
  if (signal.aborted) return otherwise
  let giveUp = () => {}
  const aborted = new Promise<T>((resolve) => {
    giveUp = () => resolve(otherwise)
  })
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

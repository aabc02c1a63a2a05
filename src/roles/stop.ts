import type { Service } from './serve.ts'

/** Service managers expect a stop within five seconds, and the process itself needs a moment, too. */
const STOP_MS = 4_500
/** Data on disk is safe at any moment: waiting only spares other processes work. */
const MAX_STOP_MS = 20_000
const POLL_EVERY_MS = 100

/**
 * Closes the service; returns false when that takes too long and is given up. Time that it waits for others that make
 * progress does not count, up to a bound of its own.
 */
export async function stopInTime({
  close,
  delayedBy,
}: Pick<Service, 'close' | 'delayedBy'>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    let [leftMs, longestMs] = [STOP_MS, MAX_STOP_MS]
    const poll = () => {
      longestMs -= POLL_EVERY_MS
      if (delayedBy() === null) leftMs -= POLL_EVERY_MS
      if (leftMs <= 0 || longestMs <= 0) resolve(false)
      else timer = setTimeout(poll, POLL_EVERY_MS)
    }
    timer = setTimeout(poll, POLL_EVERY_MS)
  })
  const closed = close().then(() => true)
  return await Promise.race([closed, late]).finally(() => clearTimeout(timer))
}

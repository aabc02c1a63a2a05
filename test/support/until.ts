import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { hangGuardMs } from './hang-guard.ts'

/** The first looks follow each other faster: most of what is waited for takes milliseconds. */
const FIRST_POLL_MS = 5
const POLL_MS = 50
/** Kept from before any test turns the clock. */
const startTimer = setTimeout

/** Looks again and again until there is something to see (anything but null, undefined, false and NaN). */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<Exclude<T, null | undefined | false>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // A look that never comes to an end is one in vain, too.
    timer = startTimer(
      () => reject(new assert.AssertionError({ message: `waited in vain: ${what}` })),
      hangGuardMs(),
    ).unref()
  })
  late.catch(() => {})
  try {
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, POLL_MS)) {
      const seen = await Promise.race([look(), late])
      if (seen !== null && seen !== undefined && seen !== false && !Number.isNaN(seen)) {
        return seen as Exclude<T, null | undefined | false>
      }
      await Promise.race([delay(pollMs), late])
    }
  } finally {
    clearTimeout(timer)
  }
}

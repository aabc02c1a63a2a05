import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { HANG_GUARD_MS } from './hang-guard.ts'

/** The first looks follow each other faster: most of what is waited for takes milliseconds. */
const FIRST_POLL_MS = 5
const POLL_MS = 50

/** Looks again and again until there is something to see (anything but null, undefined and false). */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<Exclude<T, null | undefined | false>> {
  const deadline = Date.now() + HANG_GUARD_MS
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, POLL_MS)) {
    const seen = await look()
    if (seen !== null && seen !== undefined && seen !== false) {
      return seen as Exclude<T, null | undefined | false>
    }
    assert.ok(Date.now() < deadline, `waited in vain: ${what}`)
    await delay(pollMs)
  }
}

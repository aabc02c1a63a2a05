import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 50
/** Long enough for a busy machine; what is waited for usually takes a fraction of it. */
const PATIENCE_MS = 30_000

/** Looks again and again until there is something to see (anything but null, undefined and false). */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<Exclude<T, null | undefined | false>> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const seen = await look()
    if (seen !== null && seen !== undefined && seen !== false) {
      return seen as Exclude<T, null | undefined | false>
    }
    assert.ok(Date.now() < deadline, `waited in vain: ${what}`)
    await delay(POLL_MS)
  }
}

import { channel } from 'node:diagnostics_channel'

/**
 * The one bound on waiting in tests, in milliseconds. It only ends a test that would wait forever: no verdict depends
 * on it, so it leaves room for a machine that is many times slower than any that was seen.
 */
export const HANG_GUARD_MS = 5 * 60_000
/** Enough for whatever goes on. A suite whose page stands where its next tests do not expect it takes a minute for each. */
const AFTER_A_FAILURE_MS = 60_000

/** Published by the reporter, which runs in the process of the tests where that is one for all of them. */
export const testFailed = channel('upbeat test failed')

let guardMs = HANG_GUARD_MS

/** Less once a test of this process has failed, as the run has then, too: the rest must not take hours to say so. */
export function hangGuardMs(): number {
  return guardMs
}

testFailed.subscribe(() => {
  guardMs = AFTER_A_FAILURE_MS
})

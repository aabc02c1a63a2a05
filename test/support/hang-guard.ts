/**
 * The one bound on waiting in tests, in milliseconds. It only ends a test that would wait forever: no verdict depends
 * on it, so it leaves room for a machine that is many times slower than any that was seen.
 */
export const HANG_GUARD_MS = 5 * 60_000

/** Milliseconds of a monotonic clock; unlike `performance.now()`, the same in all threads. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1_000_000
}

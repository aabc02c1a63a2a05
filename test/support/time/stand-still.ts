/** Stops this thread, loop and all, as a collection of garbage or another process that took the core would; at no cost. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

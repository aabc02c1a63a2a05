const EVERY_MS = 10_000

/**
 * For what happens by the thousand: the first time is said at once, and what comes within ten seconds after it at their
 * end, as one sum.
 */
export function createSaidAtTimes(say: (count: number, why: string) => void): {
  say(count: number, why: string): void
  /** Says what is left. */
  close(): void
} {
  let sum = 0
  let lastWhy = ''
  let timer: NodeJS.Timeout | undefined

  function sayAll() {
    timer = undefined
    if (sum === 0) return
    const count = sum
    sum = 0
    timer = setTimeout(sayAll, EVERY_MS).unref()
    say(count, lastWhy)
  }

  return {
    say(count, why) {
      sum += count
      lastWhy = why
      if (timer === undefined) sayAll()
    },
    close() {
      clearTimeout(timer)
      if (sum > 0) say(sum, lastWhy)
    },
  }
}

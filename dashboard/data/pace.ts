/** News of one event come together. */
const GATHER_MS = 50
/** The first rest. Each one is twice as long as the one before, up to the longest. */
const BEAT_MS = 250
const MAX_REST_BEATS = 20

/** When a question may be asked again, in beats from now; `length` is how many it rested, or will rest, this time. */
type Rest = { left: number; length: number; isWanted: boolean }

export type Pace = { want(questions: Iterable<string>): void; stop(): void }

/**
 * Asks what is wanted at once, and again at most every few seconds while it goes on being wanted: a storm of news, for
 * which nobody's eyes are quick enough, costs the service a request of each question in five seconds.
 */
export function createPace(ask: (questions: ReadonlySet<string>) => void): Pace {
  const wanted = new Set<string>()
  const rests = new Map<string, Rest>()
  let gathering: ReturnType<typeof setTimeout> | undefined
  let clock: ReturnType<typeof setInterval> | undefined

  function want(questions: Iterable<string>) {
    for (const question of questions) {
      const rest = rests.get(question)
      if (rest) rest.isWanted = true
      else wanted.add(question)
    }
    if (wanted.size > 0) gathering ??= setTimeout(askFirst, GATHER_MS)
  }

  function askFirst() {
    gathering = undefined
    for (const question of wanted) rests.set(question, { left: 1, length: 1, isWanted: false })
    ask(new Set(wanted))
    wanted.clear()
    clock ??= setInterval(beat, BEAT_MS)
  }

  function beat() {
    const again = new Set<string>()
    for (const [question, rest] of rests) {
      if (--rest.left > 0) continue
      if (!rest.isWanted) rests.delete(question)
      else {
        again.add(question)
        const length = Math.min(rest.length * 2, MAX_REST_BEATS)
        rests.set(question, { left: length, length, isWanted: false })
      }
    }
    if (again.size > 0) ask(again)
    if (rests.size > 0) return
    clearInterval(clock)
    clock = undefined
  }

  return {
    want,
    stop() {
      clearTimeout(gathering)
      clearInterval(clock)
      gathering = clock = undefined
      wanted.clear()
      rests.clear()
    },
  }
}

/** News of one event arrives together. */
const GATHER_MS = 50
/** The first rest. Each one is twice as long as the one before, up to the longest. */
const BEAT_MS = 250
const MAX_REST_BEATS = 20

/** Beats that are left until a question may be asked again; `length` is the whole rest, in beats. */
type Rest = { left: number; length: number; isWanted: boolean }

export type Pace = { want(questions: Iterable<string>): void; stop(): void }

/**
 * Asks wanted questions at once, and again at most every few seconds while they stay wanted: a storm of news costs the
 * service one request per question in five seconds.
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

import { SILENT_AFTER_MS } from '../../src/core/live-pace.ts'

const BEAT_MS = 1_000
/** Delay before a refused stream is requested again; a proxy may refuse it while the service starts. */
const REFUSED_FOR_MS = 5_000
/** `EventSource.CLOSED`: the browser does not try again by itself. */
const CLOSED = 2

/** The part of an `EventSource` that is used here. */
export type Source = {
  readonly readyState: number
  addEventListener(event: string, listener: (message: MessageEvent) => void): void
  close(): void
}

/** Keeps a live stream open and knows when it was last heard from. */
export type Connection = { start(): void; stop(): void }

/**
 * The stream is reopened as long as nothing is heard: a connection whose network is gone does not report it. `onLost`
 * gets the time of the last event, and null once one arrives again.
 */
export function createConnection({
  open,
  events,
  onEvent,
  onRefused,
  onLost,
}: {
  open: () => Source
  /** Includes the signs of life. */
  events: readonly string[]
  onEvent: (event: string, data: unknown) => void
  onRefused: () => void
  onLost: (sinceMs: number | null) => void
}): Connection {
  let source: Source | null = null
  let clock: ReturnType<typeof setInterval> | undefined
  let heardAtMs = Date.now()
  let openedAtMs = 0
  let beatAtMs = 0
  let isLost = false

  function connect() {
    source?.close()
    openedAtMs = Date.now()
    const opened = open()
    source = opened
    for (const event of events) {
      opened.addEventListener(event, ({ data }) => {
        hear()
        onEvent(event, JSON.parse(data))
      })
    }
    opened.addEventListener('error', () => {
      if (opened.readyState === CLOSED) onRefused()
    })
  }

  function hear() {
    heardAtMs = Date.now()
    if (!isLost) return
    isLost = false
    onLost(null)
  }

  /**
   * Uses the time of day: a computer that was asleep has heard nothing meanwhile. If the page itself stood still, the
   * next beat decides: by then it has heard what the service sent.
   */
  function beat() {
    const nowMs = Date.now()
    const stoodStill = nowMs - beatAtMs > 2 * BEAT_MS
    beatAtMs = nowMs
    if (!isLost && !stoodStill && nowMs - heardAtMs >= SILENT_AFTER_MS) {
      isLost = true
      onLost(heardAtMs)
    }
    const patienceMs = source?.readyState === CLOSED ? REFUSED_FOR_MS : SILENT_AFTER_MS
    if (nowMs - Math.max(heardAtMs, openedAtMs) >= patienceMs) connect()
  }

  return {
    start() {
      if (source) return
      connect()
      beatAtMs = Date.now()
      clock = setInterval(beat, BEAT_MS)
    },
    stop() {
      clearInterval(clock)
      source?.close()
      source = null
    },
  }
}

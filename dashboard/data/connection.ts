import { SILENT_AFTER_MS } from '../../src/core/live-event.ts'

const BEAT_MS = 1_000
/** A stream that was refused, by a proxy before a service that is being started, say, is asked for again after this. */
const REFUSED_FOR_MS = 5_000
/** `EventSource.CLOSED`: the browser does not try again by itself. */
const CLOSED = 2

/** As much of an `EventSource` as is used here. */
export type Source = {
  readonly readyState: number
  addEventListener(event: string, listener: (message: MessageEvent) => void): void
  close(): void
}

/** Holds a live stream open, and knows when it last said something. */
export type Connection = { start(): void; stop(): void }

/**
 * The stream is opened anew as long as nothing is heard: a connection whose network is gone does not say so. `onLost`
 * is told since when nothing was heard, and null once something is heard again.
 */
export function createConnection({
  open,
  events,
  onEvent,
  onRefused,
  onLost,
}: {
  open: () => Source
  /** Signs of life are among them. */
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
   * By the time of day: a computer that was asleep has heard nothing meanwhile. Whether it was the page that stood still
   * the next beat tells: until then what the service said can be heard.
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

// Loaded into every thread of a process by `--import`, with the file of a log: each thread writes down there when it
// stood still, and the main one, again and again, that it does not.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const LOOK_EVERY_MS = 20
/** Timers are never more exact than this. */
const MIN_MS = 5
const MARK_EVERY_MS = 250

const log = new URL(import.meta.url).searchParams.get('log')
if (log !== null) {
  const write = (fromMs: number, toMs: number) => appendFileSync(log, `${fromMs} ${toMs}\n`)
  watchLoop(write)
  if (isMainThread) setInterval(() => write(Date.now(), Date.now()), MARK_EVERY_MS).unref()
}

/** Notes from when to when the event loop of this thread stood still, in milliseconds since 1970. */
export function watchLoop(note: (fromMs: number, toMs: number) => void): NodeJS.Timeout {
  let dueMs = Date.now() + LOOK_EVERY_MS
  const look = () => {
    const nowMs = Date.now()
    if (nowMs - dueMs >= MIN_MS) note(dueMs, nowMs)
    dueMs = nowMs + LOOK_EVERY_MS
  }
  return setInterval(look, LOOK_EVERY_MS).unref()
}

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { becomesReady } from './connect.ts'
import { EmbeddedServerError, FILES_GONE } from './error.ts'
import type { ServerHold } from './hold.ts'
import { confirmHold, holdServer, isSupervised } from './hold.ts'
import type { FileLock } from './lock.ts'
import { tryExclusiveLock, trySharedLock } from './lock.ts'
import type { ServerPlace } from './place.ts'
import { recordedRuntime } from './place.ts'
import { startServer } from './start.ts'

const POLL_MS = 5
/** Another process may be initializing the database first, on a slow disk. */
const MAX_WAIT_MS = 60_000
/** A running server answers at once, or reports that it is starting. */
const MAX_SILENCE_MS = 30_000

export type AttachedServer = {
  hold: ServerHold
  /**
   * Our shared lock on the data directory. Unlike the FIFO, it is visible to other containers that mount the
   * directory.
   */
  share: FileLock
  startedHere: boolean
}

/** Joins the running server or starts one. Of processes that try at the same time, exactly one starts it. */
export async function attach(
  place: ServerPlace,
  note: (progress: string) => void,
  { silenceMs = MAX_SILENCE_MS, onStarting }: { silenceMs?: number; onStarting?: () => void } = {},
): Promise<AttachedServer> {
  const deadline = Date.now() + MAX_WAIT_MS
  while (Date.now() < deadline) {
    const joined = await join(place, silenceMs, deadline)
    if (joined) return joined
    const lock = tryExclusiveLock(place.startLock)
    try {
      const attached =
        lock && ((await join(place, silenceMs, deadline)) ?? (await start(place, note, deadline, onStarting)))
      if (attached) return attached
    } finally {
      lock?.release()
    }
    await sleep(POLL_MS)
  }
  throw new EmbeddedServerError(
    `The database in ${place.cluster} is in use by another machine or container, or does not stop. ` +
      `Stop the other Upbeat, or choose another DATA_DIR. The server's log is ${place.log}.`,
  )
}

/** Null if there is no server. If one is stopping, waits for its end first. */
async function join(place: ServerPlace, silenceMs: number, deadline: number): Promise<AttachedServer | null> {
  const runtime = await recordedRuntime(place)
  const hold = runtime && holdServer(runtime)
  if (!hold) return null
  let attachment: AttachedServer | null = null
  try {
    attachment = await confirm(place, hold, silenceMs, deadline)
  } finally {
    if (attachment === null) hold.release()
  }
  if (attachment !== null) return attachment
  while (isSupervised(runtime) && Date.now() < deadline) await sleep(POLL_MS)
  return null
}

async function confirm(
  place: ServerPlace,
  hold: ServerHold,
  silenceMs: number,
  deadline: number,
): Promise<AttachedServer | null> {
  const { runtime } = hold
  if (!(await confirmHold(runtime, deadline))) return null
  const readiness = await becomesReady(runtime, Date.now() + silenceMs)
  if (readiness === 'ready') return { hold, share: await takeShare(place, deadline), startedHere: false }
  if (readiness === 'ended') return null
  // Other processes hold this server, so it is not ours to stop.
  throw new EmbeddedServerError(
    `The PostgreSQL server of ${place.cluster} runs and does not answer. Stop every Upbeat that uses it, then the ` +
      `server if it is still there. Its log is ${place.log}.`,
  )
}

async function start(
  place: ServerPlace,
  note: (progress: string) => void,
  deadline: number,
  onStarting?: () => void,
): Promise<AttachedServer | null> {
  const alone = tryExclusiveLock(place.holdLock)
  alone?.release()
  if (!alone && !existsSync(place.cluster)) throw new EmbeddedServerError(FILES_GONE)
  // Another process has the data open: one of this system whose server died, or one of another system that we
  // cannot see.
  if (!alone && !(await recordedRuntime(place))) return null
  const hold = await startServer(place, note, onStarting)
  try {
    return { hold, share: await takeShare(place, deadline), startedHere: true }
  } catch (error) {
    hold.release()
    throw error
  }
}

async function takeShare(place: ServerPlace, deadline: number): Promise<FileLock> {
  for (;;) {
    // An exclusive lock is held only for a moment, to check whether anyone else has the file.
    const share = trySharedLock(place.holdLock)
    if (share) return share
    if (Date.now() > deadline)
      throw new EmbeddedServerError(`${place.holdLock} stays locked by another process.`)
    await sleep(POLL_MS)
  }
}

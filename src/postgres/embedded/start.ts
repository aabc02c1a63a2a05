import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { isMade, makeCluster } from './cluster.ts'
import { becomesReady } from './connect.ts'
import { EmbeddedServerError } from './error.ts'
import type { ServerHold } from './hold.ts'
import { confirmHold, holdServer, holdUnread } from './hold.ts'
import { clearLeftovers } from './leftovers.ts'
import type { ServerPlace } from './place.ts'
import { makeRuntime, recordedRuntime, refuseBarredWay } from './place.ts'
import { makeFifo, supervise } from './supervisor.ts'

const MAX_START_MS = 30_000
const RETRY_MS = 50
const MAX_END_MS = 10_000
const LOG_TAIL_BYTES = 2_000

/**
 * Starts a server, creating the cluster if necessary. Call only with the start lock held. `onStarting` is called when
 * it runs, before it is ready.
 */
export async function startServer(
  place: ServerPlace,
  note: (progress: string) => void,
  onStarting: () => void = () => {},
): Promise<ServerHold> {
  await clearLeftovers(place)
  const wasMade = await isMade(place)
  const finding = findBinaries(place.owner, place.dataDir)
  if (!wasMade) await makeCluster(place, await finding, note)
  // Both ask as another user, in a process each.
  const [binaries, { crashed, runtime }] = await Promise.all([finding, findRuntime(place)])
  const deadline = Date.now() + MAX_START_MS
  for (;;) {
    const logBefore = (await stat(place.log)).size
    const hold = await startOnce(place, binaries, runtime, deadline, onStarting)
    if (hold) return hold
    const said = await logSince(place.log, logBefore)
    // Children of a killed server take a moment to notice that it is gone.
    const waitsForOthers = said.includes('pre-existing shared memory block')
    if (!waitsForOthers || Date.now() > deadline) {
      if (!crashed) await rm(runtime, { recursive: true, force: true })
      await refuseBarredWay(place)
      throw new EmbeddedServerError(
        `The embedded PostgreSQL does not start in ${place.cluster}. Its log, ${place.log}, ends with:\n${said.trim()}`,
      )
    }
    await sleep(RETRY_MS)
  }
}

/** A new directory, unless a server has crashed: other processes still hold the FIFO in its. */
async function findRuntime(place: ServerPlace): Promise<{ crashed: string | null; runtime: string }> {
  const crashed = await recordedRuntime(place)
  return { crashed, runtime: crashed ?? (await makeRuntime(place)) }
}

async function startOnce(
  place: ServerPlace,
  binaries: string,
  runtime: string,
  deadline: number,
  onStarting: () => void,
): Promise<ServerHold | null> {
  await makeFifo(place, runtime)
  const unread = holdUnread(runtime)
  let hold: ServerHold | null = null
  let isReady = false
  let exited: Promise<void>
  try {
    ;({ exited } = supervise(place, binaries, runtime))
    onStarting()
    const awake = await Promise.race([confirmHold(runtime, deadline), exited.then(() => false)])
    hold = holdServer(runtime)
    unread.release()
    isReady = awake && hold !== null && (await becomesReady(runtime, deadline)) === 'ready'
  } finally {
    unread.release()
    if (!isReady) hold?.release()
  }
  if (isReady) return hold
  // A server that does not stop is left to its supervisor.
  await Promise.race([exited, sleep(MAX_END_MS, undefined, { ref: false })])
  return null
}

/** The end of what the server has logged since that position. */
async function logSince(path: string, position: number): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const from = Math.max(size - LOG_TAIL_BYTES, size < position ? 0 : position)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AttachedServer } from './attach.ts'
import { attach } from './attach.ts'
import type { ServerAddress } from './connect.ts'
import { addressOf } from './connect.ts'
import { EmbeddedServerError } from './error.ts'
import { handOverCluster } from './handover.ts'
import { isSupervised } from './hold.ts'
import { tryExclusiveLock } from './lock.ts'
import type { ServerPlace } from './place.ts'
import { findPlace } from './place.ts'

const POLL_MS = 5
const MAX_STOP_MS = 30_000
/** How often to check that the supervisor still exists. */
const LOOK_EVERY_MS = 250

export type EmbeddedServer = {
  /** The `pg` driver takes it: `host` is the directory of a Unix socket. Read it again after `ensureRunning`. */
  readonly connection: ServerAddress
  /** True if this process started the server, so no other process was using the database before. */
  readonly startedHere: boolean
  /** Restarts the server if it has died. Resolves when it accepts connections. */
  ensureRunning(): Promise<void>
  /** Lets go of the server. The last process to do so waits until it has stopped; the others return at once. */
  close(): Promise<void>
}

/**
 * Starts the embedded PostgreSQL server of `dataDir`, or joins the running one. The server runs until all processes
 * that opened it have closed it or died. Throws EmbeddedServerError with the remedy for the operator.
 */
export async function openEmbeddedServer(options: {
  dataDir: string
  note: (progress: string) => void
  /** How long a running server may take to answer. */
  silenceMs?: number
  /** Called when a server has been started here, which is not ready yet. */
  onStarting?: () => void
}): Promise<EmbeddedServer> {
  const place = await handOverCluster(await findPlace(options.dataDir, options.note), options.note)
  let attachment = await attach(place, options.note, options)
  const { startedHere } = attachment
  let restarting: Promise<void> | null = null
  let closing: Promise<void> | null = null

  async function reattach(): Promise<void> {
    // Release our own shared lock first, or it would look like another process's. The hold on the FIFO stays.
    attachment.share.release()
    const old = attachment
    attachment = await attach(place, options.note)
    old.hold.release()
  }

  return {
    get connection() {
      return addressOf(attachment.hold.runtime)
    },
    startedHere,
    ensureRunning() {
      if (closing) return Promise.reject(new EmbeddedServerError('The embedded database has been closed.'))
      restarting ??= reattach().finally(() => {
        restarting = null
      })
      return restarting
    },
    close() {
      closing ??= (restarting ?? Promise.resolve()).catch(() => {}).then(() => detach(place, attachment))
      return closing
    },
  }
}

async function detach(place: ServerPlace, { hold, share }: AttachedServer): Promise<void> {
  share.release()
  const weAreLast = isUnshared(place) && isSupervised(hold.runtime)
  hold.release()
  if (!weAreLast) return
  const began = Date.now()
  let looked = began
  while (existsSync(join(hold.runtime, 'holders')) && Date.now() - began < MAX_STOP_MS) {
    await sleep(POLL_MS)
    // Check rarely: each check opens the FIFO, and the end of file that we wait for requires it closed.
    if (Date.now() - looked < LOOK_EVERY_MS) continue
    looked = Date.now()
    if (!isUnshared(place) || !isSupervised(hold.runtime)) return
  }
}

function isUnshared(place: ServerPlace): boolean {
  // Without the data directory there is nothing to wait for; its other users end on their own.
  if (!existsSync(place.holdLock)) return false
  const alone = tryExclusiveLock(place.holdLock)
  alone?.release()
  return alone !== null
}

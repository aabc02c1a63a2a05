import { randomBytes } from 'node:crypto'
import { closeSync, constants, existsSync, openSync, utimesSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 2
/** Cleaners of temporary directories spare recently touched files. */
const TOUCH_EVERY_MS = 3_600_000

/**
 * Our end of the FIFO. The server runs while it is open, and the kernel closes it if we die. Calling release
 * twice is harmless; without it, the server runs as long as this process.
 */
export type ServerHold = { runtime: string; release(): void }

/** Holds the server supervised in `runtime`; null if there is no supervisor. */
export function holdServer(runtime: string): ServerHold | null {
  const fifo = join(runtime, 'holders')
  const descriptor = openForWriting(fifo)
  return descriptor === null ? null : openHold(runtime, fifo, descriptor)
}

/** Opens a FIFO that has no reader yet, before the supervisor is started. */
export function holdUnread(runtime: string): ServerHold {
  const fifo = join(runtime, 'holders')
  return openHold(runtime, fifo, openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK))
}

/** Whether a supervisor has the FIFO open, as it does until its server has ended. */
export function isSupervised(runtime: string): boolean {
  const descriptor = openForWriting(join(runtime, 'holders'))
  if (descriptor === null) return false
  closeSync(descriptor)
  return true
}

/**
 * Asks the supervisor whether our hold counts; false if it is stopping the server or has ended. After a
 * positive answer, the server stays for as long as we hold it.
 */
export async function confirmHold(runtime: string, deadline: number): Promise<boolean> {
  const question = `q${randomBytes(6).toString('hex')}`
  const answer = join(runtime, question)
  const descriptor = openForWriting(join(runtime, 'holders'))
  if (descriptor === null) return false
  try {
    writeSync(descriptor, `${question}\n`)
  } catch {
    return false
  } finally {
    closeSync(descriptor)
  }
  while (!existsSync(answer)) {
    if (existsSync(join(runtime, 'closing')) || !isSupervised(runtime) || Date.now() > deadline) return false
    await sleep(POLL_MS)
  }
  await rm(answer, { force: true })
  return true
}

function openForWriting(fifo: string): number | null {
  try {
    return openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENXIO' || code === 'ENOENT') return null
    throw error
  }
}

function openHold(runtime: string, fifo: string, descriptor: number): ServerHold {
  const touch = () => {
    const now = new Date()
    for (const path of [runtime, fifo]) {
      try {
        utimesSync(path, now, now)
      } catch {
        // Already gone.
      }
    }
  }
  const timer = setInterval(touch, TOUCH_EVERY_MS).unref()
  let isHeld = true
  return {
    runtime,
    release() {
      clearInterval(timer)
      if (isHeld) closeSync(descriptor)
      isHeld = false
    },
  }
}

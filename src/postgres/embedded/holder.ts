import { randomBytes } from 'node:crypto'
import { closeSync, constants, existsSync, openSync, utimesSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 2
/** Cleaners of temporary directories spare what was touched lately. */
const TOUCH_EVERY_MS = 3_600_000

/**
 * Our end of the FIFO: while it is open the server stays, and the kernel closes it when we die. To let go twice is
 * harmless; not to do it keeps the server for as long as this process lives.
 */
export type Holder = { runtime: string; letGo(): void }

/** Holds the server that is supervised in `runtime`; null when nobody supervises there. */
export function hold(runtime: string): Holder | null {
  const fifo = join(runtime, 'holders')
  const descriptor = openForWriting(fifo)
  return descriptor === null ? null : holderOf(runtime, fifo, descriptor)
}

/** Holds a FIFO that has no reader yet, for the one who is about to start the supervisor. */
export function holdUnread(runtime: string): Holder {
  const fifo = join(runtime, 'holders')
  return holderOf(runtime, fifo, openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK))
}

/** Whether a supervisor has the FIFO open: it does until its server has ended. */
export function isSupervised(runtime: string): boolean {
  const descriptor = openForWriting(join(runtime, 'holders'))
  if (descriptor === null) return false
  closeSync(descriptor)
  return true
}

/**
 * Asks the supervisor whether our hold counts; false when it has begun to stop the server or has ended.
 * Once it has answered, the server stays for as long as we hold.
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

function holderOf(runtime: string, fifo: string, descriptor: number): Holder {
  const touch = () => {
    const now = new Date()
    for (const path of [runtime, fifo]) {
      try {
        utimesSync(path, now, now)
      } catch {
        // Gone already: nothing to keep.
      }
    }
  }
  const timer = setInterval(touch, TOUCH_EVERY_MS).unref()
  let isHeld = true
  return {
    runtime,
    letGo() {
      clearInterval(timer)
      if (isHeld) closeSync(descriptor)
      isHeld = false
    },
  }
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Scope } from '../scope.ts'

const THREAD = new URL('./frozen-thread.ts', import.meta.url)
const SHORT_BACKLOG = 1
const LONG_BACKLOG = 100
/** A handshake on the loopback takes microseconds. One that is not over after so many looks gets no answer. */
const LOOKS = 20
const LOOK_EVERY_MS = 5
const MAX_FILLERS = 16

/** A server whose program has stopped in its tracks: connections come about, and nothing follows. */
export async function startFrozen(scope: Scope, host = '127.0.0.1', port = 0): Promise<{ port: number }> {
  return freeze(scope, host, port, LONG_BACKLOG)
}

/** A server that is so overrun that the kernel drops what asks for a connection: its SYNs stay unanswered. */
export async function startOverrun(scope: Scope, host = '127.0.0.1', port = 0): Promise<{ port: number }> {
  const server = await freeze(scope, host, port, SHORT_BACKLOG)
  const fillers: net.Socket[] = []
  scope.after(async () => {
    for (const filler of fillers) filler.destroy()
  })
  do {
    assert.ok(fillers.length < MAX_FILLERS, 'the backlog is never full')
    fillers.push(net.connect(server.port, host).on('error', () => {}))
  } while (await connects(fillers.at(-1)))
  return server
}

/** Looks again and again, since a process that stood still has yet to hear what happened meanwhile. */
async function connects(socket: net.Socket | undefined): Promise<boolean> {
  for (let looks = 0; socket?.connecting && looks < LOOKS; looks++) await delay(LOOK_EVERY_MS)
  return socket?.connecting === false
}

async function freeze(scope: Scope, host: string, port: number, backlog: number): Promise<{ port: number }> {
  const released = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(THREAD, { workerData: { host, port, backlog, released } })
  const ended = once(worker, 'exit')
  scope.after(async () => {
    Atomics.store(released, 0, 1)
    Atomics.notify(released, 0)
    await ended
  })
  const [listening] = await once(worker, 'message')
  return { port: listening }
}

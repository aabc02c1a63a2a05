import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Scope } from './scope.ts'

const THREAD = new URL('./frozen-thread.ts', import.meta.url)
const SHORT_BACKLOG = 1
const LONG_BACKLOG = 100
/** A handshake on the loopback takes microseconds; one that takes so long gets no answer. */
const HANDSHAKE_MS = 300
const MOST_FILLERS = 16

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
  for (let connected = true; connected; ) {
    assert.ok(fillers.length < MOST_FILLERS, 'the backlog is never full')
    const filler = net.connect(server.port, host).on('error', () => {})
    fillers.push(filler)
    connected = await Promise.race([
      once(filler, 'connect').then(() => true),
      delay(HANDSHAKE_MS).then(() => false),
    ])
  }
  return server
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

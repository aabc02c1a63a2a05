import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Below the ports that systems give to whoever asks for any (Linux: from 32768, macOS: from 49152): a service that is
 * dead for a while finds its own free when it is started again. Above the last one that browsers refuse, 10080.
 */
const FIRST_PORT = 10_100
const BLOCK = 64
const BLOCKS = 340

/** A block belongs to the process that listens at its first port, so that no two processes are given the same port. */
let nextBlock = process.pid
let block: { first: number; used: number } | null = null

/**
 * A port of the loopback interface that is free, and that neither the system nor another process of tests gives to
 * anybody while this process lives, though whoever listened there is killed meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    if (block === null || block.used === BLOCK) block = await claimBlock()
    const port = block.first + block.used++
    const server = await listenAt(port)
    if (server === null) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

async function claimBlock(): Promise<{ first: number; used: number }> {
  for (let tries = 0; tries < BLOCKS; tries++) {
    const first = FIRST_PORT + (nextBlock++ % BLOCKS) * BLOCK
    const guard = await listenAt(first)
    if (guard === null) continue
    guard.unref()
    return { first, used: 1 }
  }
  throw new Error(`Processes of tests hold all ${BLOCKS} blocks of ports from ${FIRST_PORT}.`)
}

/** Null where somebody else listens. */
async function listenAt(port: number): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy())
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return server
  } catch {
    return null
  }
}

import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from '../scope.ts'

const AGAIN_MS = 50

/** Takes every descriptor of a service by connecting to it, again and again, until it is released. */
export function occupyDescriptors(scope: Scope, url: string, count: number): () => Promise<void> {
  const port = Number(new URL(url).port)
  const open = new Set<net.Socket>()
  const releasing = new AbortController()

  async function take() {
    while (!releasing.signal.aborted) {
      const socket = net.connect(port, '127.0.0.1').on('error', () => {})
      open.add(socket)
      await new Promise((resolve) => socket.once('close', resolve))
      open.delete(socket)
      await delay(AGAIN_MS)
    }
  }

  const taking = Array.from({ length: count }, take)
  async function release() {
    releasing.abort()
    for (const socket of open) socket.destroy()
    await Promise.all(taking)
  }
  scope.after(release)
  return release
}

import net from 'node:net'
import { socketPathOf } from '../../core/monitors/target.ts'
import { socketFailure, socketNotAllowed } from '../../core/monitors/types/causes.ts'
import { letGoWhenClosed } from '../let-go.ts'
import type { Network } from '../network.ts'
import { codeOf, ownTrouble } from '../own-trouble.ts'

export type SocketDialled =
  /** Milliseconds are whole. The caller must destroy the socket. */
  | { kind: 'connected'; socket: net.Socket; connectMs: number }
  | { kind: 'failed'; reason: string; isRefused?: true }
  | { kind: 'inconclusive'; reason: string }

/** Why the socket of this machine that a URL names must not be used; null where it may, and for any other URL. */
export function socketRefusal(allowed: readonly string[], url: string): string | null {
  const path = socketPathOf(url)
  return path === null || allowed.includes(path) ? null : socketNotAllowed(path)
}

/**
 * Connects to a socket of this machine (AF_UNIX), if the operator lists its path: what speaks there often trusts everybody that may
 * open it. Never throws. When the signal aborts, the socket is destroyed and the result is `failed`.
 */
export function dialSocket(network: Network, path: string, signal: AbortSignal): Promise<SocketDialled> {
  return new Promise((resolve) => {
    if (!network.sockets.includes(path))
      return resolve({ kind: 'failed', reason: socketNotAllowed(path), isRefused: true })
    const startedAt = performance.now()
    const socket = net.connect({ path })
    letGoWhenClosed(socket)
    const end = (result: SocketDialled) => {
      signal.removeEventListener('abort', giveUp)
      if (result.kind !== 'connected') socket.destroy()
      resolve(result)
    }
    const giveUp = () => end({ kind: 'failed', reason: 'gave up connecting' })
    // Stays for the life of the socket: an error between two owners must not end the process.
    socket.on('error', (error) => {
      const own = ownTrouble(codeOf(error))
      // EPERM is the word of the file system here, not of a firewall of this machine.
      const isOurs = own !== null && codeOf(error) !== 'EPERM'
      end(
        isOurs
          ? { kind: 'inconclusive', reason: own }
          : { kind: 'failed', reason: socketFailure(codeOf(error), path) },
      )
    })
    socket.once('connect', () =>
      end({ kind: 'connected', socket, connectMs: Math.round(performance.now() - startedAt) }),
    )
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

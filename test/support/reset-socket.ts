import type { Socket } from 'node:net'

/**
 * Ends a connection as a machine does that knows nothing of it. One whose own end is under way is only destroyed: libuv
 * refuses to reset it, Node takes it for closing all the same, and then waits for that without end when the process exits.
 */
export function resetSocket(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy()
  else socket.resetAndDestroy()
}

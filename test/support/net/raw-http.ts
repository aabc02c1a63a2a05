import { once } from 'node:events'
import net from 'node:net'
import { text } from 'node:stream/consumers'

/** Sends the bytes of a request as they are, for clients that no library speaks like; resolves with all that comes back. */
export async function sendRaw(address: { host: string; port: number }, request: string): Promise<string> {
  const socket = net.connect(address)
  await once(socket, 'connect')
  socket.write(request)
  return await text(socket)
}

import dgram from 'node:dgram'
import { once } from 'node:events'
import type { Scope } from '../scope.ts'

/** A server of UDP on the loopback that sends back what `answer` makes of each packet; null is silence. */
export async function startEcho(
  scope: Scope,
  answer: (packet: Buffer, count: number) => string | Buffer | null = (packet) => packet,
): Promise<{ port: number; heard: string[] }> {
  const socket = dgram.createSocket('udp4')
  const heard: string[] = []
  socket.on('message', (packet, from) => {
    heard.push(packet.toString())
    const said = answer(packet, heard.length)
    if (said !== null) socket.send(said, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  scope.after(async () => {
    socket.close()
    await once(socket, 'close')
  })
  return { port: socket.address().port, heard }
}

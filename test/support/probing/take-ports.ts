import dgram from 'node:dgram'
import { readFile } from 'node:fs/promises'
import net from 'node:net'

/** First and last of the ports that Linux gives to whoever asks for any. */
export const PORT_RANGE = '/proc/sys/net/ipv4/ip_local_port_range'

/** Takes every port that this machine gives out, for TCP and UDP, where those are few; returns what gives them back. */
export async function takePorts(): Promise<() => void> {
  const [first = 0, last = -1] = (await readFile(PORT_RANGE, 'utf8')).split(/\s+/).map(Number)
  const taken: { close(): unknown }[] = []
  const take = async (socket: net.Server | dgram.Socket) => {
    const isTaken = await new Promise<boolean>((resolve) => {
      socket.once('listening', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    if (isTaken) taken.push(socket)
  }
  for (let port = first; port <= last; port++) {
    await take(dgram.createSocket('udp4').bind(port))
    // A port that is taken for IPv6 is not given to IPv4 either.
    await take(net.createServer().listen(port, '::'))
  }
  return () => {
    for (const socket of taken) socket.close()
  }
}

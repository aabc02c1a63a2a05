import dgram from 'node:dgram'
import net from 'node:net'
import type { DialFailure } from './dial-failure.ts'
import { codeOf } from './own-trouble.ts'

/** Any will do: nothing is sent. */
const PORT = 9

/**
 * ENETUNREACH says either that this machine has no route to an address or that a router on the way has none. To tell
 * them apart, a UDP socket is connected, which asks the route table alone; where a route is found, the failure becomes
 * EHOSTUNREACH, somebody else's.
 */
export async function askRoute(failure: DialFailure): Promise<DialFailure> {
  if (failure.code !== 'ENETUNREACH') return failure
  return (await hasRoute(failure.address)) ? { ...failure, code: 'EHOSTUNREACH' } : failure
}

async function hasRoute(address: string): Promise<boolean> {
  const socket = dgram.createSocket(net.isIPv6(address) ? 'udp6' : 'udp4')
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once('error', (error) => resolve(codeOf(error) !== 'ENETUNREACH'))
      socket.once('connect', () => resolve(true))
      socket.connect(PORT, address)
    })
  } finally {
    socket.close()
  }
}

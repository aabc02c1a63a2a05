import dgram from 'node:dgram'
import net from 'node:net'
import type { DialFailure } from './dial-failure.ts'
import { codeOf } from './own-trouble.ts'

/** Any port works: nothing is sent. */
const PORT = 9

/**
 * ENETUNREACH means either that this machine has no route to the address or that a router on the way has none. To tell
 * them apart, a UDP socket is connected, which consults only the local route table. If that finds a route, the code
 * becomes EHOSTUNREACH: not our fault.
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

import dgram from 'node:dgram'
import { closeSync, openSync } from 'node:fs'
import net from 'node:net'
import { devNull } from 'node:os'

/** Any port works: nothing is sent. */
const PORT = 9

/** Failures of this machine, by system error code. They never count against a target. */
const OWN_TROUBLE: Record<string, string> = {
  EMFILE: 'out of file descriptors',
  ENFILE: 'out of file descriptors',
  ENOBUFS: 'out of network buffers',
  ENOMEM: 'out of memory',
  EADDRINUSE: 'no local port left',
  EPERM: 'this machine does not let us connect there',
}

/** Like OWN_TROUBLE, except that each may affect only one address family (a machine without IPv6). */
const NO_NETWORK: Record<string, string> = {
  EADDRNOTAVAIL: 'no local address',
  ENETUNREACH: 'no network here',
  ENETDOWN: 'no network here',
  // A blackhole in our own route table.
  EINVAL: 'no network here',
  EAFNOSUPPORT: 'no network here',
}

/** Describes what is wrong with this machine; null when the code concerns the target. */
export function ownTrouble(code: string): string | null {
  return OWN_TROUBLE[code] ?? null
}

/** Like ownTrouble, for codes that are our fault only if every address failed with one. */
export function familyTrouble(code: string): string | null {
  return NO_NETWORK[code] ?? null
}

/**
 * Describes what keeps this process from opening any file or socket of its own; for libraries that do not report it.
 */
export async function shortage(): Promise<string | null> {
  try {
    closeSync(openSync(devNull, 'r'))
  } catch (error) {
    return ownTrouble(codeOf(error))
  }
  const code = await ownRefusal(null)
  return code === null ? null : ownTrouble(code)
}

/** Whether this process could open so many more files or sockets now. None is open any more when it returns. */
export function hasSpareDescriptors(count: number): boolean {
  const opened: number[] = []
  try {
    while (opened.length < count) opened.push(openSync(devNull, 'r'))
    return true
  } catch (error) {
    return ownTrouble(codeOf(error)) === null
  } finally {
    for (const one of opened) closeSync(one)
  }
}

/**
 * The code with which this machine itself refuses a UDP socket to an address, or one to anywhere; null if it does not.
 * Only descriptors, local ports, local addresses and the local route table decide, as nothing is sent.
 */
export async function ownRefusal(address: string | null): Promise<string | null> {
  const socket = dgram.createSocket(address !== null && net.isIPv6(address) ? 'udp6' : 'udp4')
  try {
    return await new Promise<string | null>((resolve) => {
      socket.once('error', (error) => resolve(codeOf(error)))
      socket.once(address === null ? 'listening' : 'connect', () => resolve(null))
      if (address === null) socket.bind(0)
      else socket.connect(PORT, address)
    })
  } finally {
    socket.close()
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN'
}

import type { Duplex } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { readBytes } from './first-bytes.ts'

const VERSION = 5
const NO_SIGN_IN = 0
const BY_PASSWORD = 2
const PASSWORD_VERSION = 1
const CONNECT = 1
const IPV4 = 1
const NAME = 3
const IPV6 = 4
const BYTES_OF: Record<number, number> = { [IPV4]: 4, [IPV6]: 16 }
const PORT_BYTES = 2

/** RFC 1928, section 6. */
const REFUSALS: Record<number, string> = {
  1: 'general failure',
  2: 'not allowed by its rules',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'TTL expired',
  7: 'command not supported',
  8: 'type of address not supported',
}

export type ProxyUser = { name: string; password: string } | null

/** Has a SOCKS 5 proxy connect to an address (RFC 1928, RFC 1929). Resolves with why it did not; null once it has. */
export async function openBySocks(
  socket: Duplex,
  { address, port }: { address: string; port: number },
  user: ProxyUser,
  signal: AbortSignal,
): Promise<string | null> {
  const methods = user ? [NO_SIGN_IN, BY_PASSWORD] : [NO_SIGN_IN]
  socket.write(Buffer.from([VERSION, methods.length, ...methods]))
  const [version, method] = await readBytes(socket, 2, signal)
  if (version !== VERSION) return 'it does not speak SOCKS 5'
  if (method === BY_PASSWORD && user) {
    const [name, password] = [Buffer.from(user.name), Buffer.from(user.password)]
    socket.write(
      Buffer.concat([
        Buffer.from([PASSWORD_VERSION, name.length]),
        name,
        Buffer.from([password.length]),
        password,
      ]),
    )
    const [, status] = await readBytes(socket, 2, signal)
    if (status !== 0) return 'it refuses the user name or password'
  } else if (method !== NO_SIGN_IN) return 'it wants another way of signing in'
  const bytes = ipaddr.parse(address).toByteArray()
  const kind = bytes.length === BYTES_OF[IPV4] ? IPV4 : IPV6
  socket.write(Buffer.from([VERSION, CONNECT, 0, kind, ...bytes, port >> 8, port & 0xff]))
  const [, reply = 0, , bound = 0] = await readBytes(socket, 4, signal)
  if (reply !== 0) return REFUSALS[reply] ?? `error ${reply} of SOCKS`
  const length = bound === NAME ? (await readBytes(socket, 1, signal))[0] : BYTES_OF[bound]
  if (length === undefined) return 'it does not speak SOCKS 5'
  await readBytes(socket, length + PORT_BYTES, signal)
  return null
}

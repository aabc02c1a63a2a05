import type { Duplex } from 'node:stream'
import { addressAndPort } from '../../core/monitors/cause.ts'
import { readHead } from './first-bytes.ts'
import type { ProxyUser } from './socks.ts'

const MAX_HEAD_BYTES = 16_384
const STATUS = /^HTTP\/1\.[01] (\d{3})(?: |$)/

/** Has an HTTP proxy connect to an address (RFC 9110, section 9.3.6). Resolves with why it did not; null once it has. */
export async function openByConnect(
  socket: Duplex,
  { address, port }: { address: string; port: number },
  user: ProxyUser,
  signal: AbortSignal,
): Promise<string | null> {
  const authority = addressAndPort(address, port)
  const credentials = user && Buffer.from(`${user.name}:${user.password}`).toString('base64')
  const lines = [
    `CONNECT ${authority} HTTP/1.1`,
    `Host: ${authority}`,
    ...(credentials === null ? [] : [`Proxy-Authorization: Basic ${credentials}`]),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const head = await readHead(socket, MAX_HEAD_BYTES, signal)
  const status = Number(STATUS.exec(head?.split('\r\n', 1)[0] ?? '')?.[1] ?? Number.NaN)
  if (Number.isNaN(status)) return 'its answer is not HTTP'
  return status >= 200 && status < 300 ? null : `HTTP ${status}`
}

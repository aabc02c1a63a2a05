import net from 'node:net'
import type { TestContext } from 'node:test'

/** Public, so that every policy allows it; tests reach the loopback through it. */
export const REACHED = '203.0.114.7'

/** Every address that this process connects to from here on. `REACHED` is answered by the loopback; nothing else is dialled. */
export function watchDials(t: TestContext): Set<string> {
  const dialed = new Set<string>()
  const connect = net.connect
  t.mock.method(net, 'connect', (options: net.TcpNetConnectOpts) => {
    dialed.add(options.host ?? '')
    if (options.host !== REACHED) return new net.Socket().destroy(new Error('a dial that must not be'))
    const { blockList: _blockList, ...others } = options
    return connect({ ...others, host: '127.0.0.1' })
  })
  return dialed
}

/** A name for each address, for name servers to answer: in the form of the URL standard, which knows no `::8.8.8.8`. */
export function namesOf(addresses: readonly string[]): { name: string; address: string }[] {
  return addresses.map((address, index) => {
    const literal = literalHostOf(address)
    const canonical =
      literal === null ? address : new URL(`http://${literal}/`).hostname.replace(/[[\]]/g, '')
    return { name: `n${index}.elsewhere.example`, address: canonical }
  })
}

/** The host of a URL with this address; null for what no URL can have. */
export function literalHostOf(address: string): string | null {
  const host = net.isIPv6(address) ? `[${address}]` : address
  return URL.canParse(`http://${host}/`) ? host : null
}

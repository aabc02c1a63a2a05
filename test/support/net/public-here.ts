import dns from 'node:dns'
import net from 'node:net'

/** Public addresses, one for each of the loopback's that begin with 127.0.0. */
const PUBLIC_NET = '203.0.114.'
const LOOPBACK_NET = '127.0.0.'

/** The public address of a server of this process, wherever it stands in a text: `http://203.0.114.1:4711/`. */
export function atPublicAddress(text: string): string {
  return text.replace(/\b(?:localhost|127\.0\.0\.(\d+))\b/g, (_, last = '1') => `${PUBLIC_NET}${last}`)
}

/**
 * From here on this process reaches its own servers at public addresses, too, as strangers name them: every dial to one is
 * judged as such, and then answered by the loopback. Nothing else is changed.
 */
export function reachPublicHere(): void {
  const connect = net.connect
  const { setServers } = dns.promises.Resolver.prototype
  net.connect = ((...given: Parameters<typeof connect>) => {
    const [options] = given as unknown as [net.TcpNetConnectOpts]
    if (!options.host?.startsWith(PUBLIC_NET)) return connect(...given)
    const { blockList: _judgedBefore, ...others } = options
    return connect({ ...others, host: atLoopback(options.host) })
  }) as typeof net.connect
  dns.promises.Resolver.prototype.setServers = function (servers) {
    setServers.call(this, servers.map(atLoopback))
  }
}

function atLoopback(address: string): string {
  return address.startsWith(PUBLIC_NET) ? address.replace(PUBLIC_NET, LOOPBACK_NET) : address
}

import { BlockList, isIP } from 'node:net'
import type { Context } from 'hono'

/** The client's address of a request, by which rate limits count. */
export type ClientAddress = (context: Context) => string

type Trusted = { hops: number } | { networks: string[] } | null

/**
 * Reads X-Forwarded-For from the right, as far as the proxies are trusted: a number of hops, or networks. `peerOf`
 * gives the address of the connection itself.
 */
export function createClientAddress(trusted: Trusted, peerOf: (context: Context) => string): ClientAddress {
  const clientOf = readClientAddress(trusted)
  return (context) => clientOf(peerOf(context), context.req.header('x-forwarded-for'))
}

/** The same of the connection's address and the header. */
export function readClientAddress(trusted: Trusted): (peer: string, header: string | undefined) => string {
  if (!trusted) return plain
  const isTrusted = 'hops' in trusted ? trustHops(trusted.hops) : trustNetworks(trusted.networks)
  return (peer, header) => {
    const forwarded = (header ?? '').split(',').map((entry) => entry.trim())
    const chain = [peer, ...forwarded.reverse()].map(plain).filter((address) => isIP(address) !== 0)
    const client = chain.findIndex((address, index) => !isTrusted(address, index))
    return chain.at(client) ?? plain(peer)
  }
}

function trustHops(hops: number) {
  return (_address: string, index: number) => index < hops
}

function trustNetworks(networks: string[]) {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return (address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** An IPv4-mapped address, or one with a zone, belongs to the same client as the plain address. */
function plain(address: string): string {
  if (!address.includes(':')) return address
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/s, '')
}

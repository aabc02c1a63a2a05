import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { atPublicAddress } from '../net/public-here.ts'
import type { Scope } from '../scope.ts'
import { type Reply, startDnsServer } from '../servers/dns-server.ts'
import { type Received, startReceiver } from '../servers/receivers.ts'
import { startWhoisServer } from '../servers/whois-server.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** The answer of a registry that says when the registration ends. */
export const DATED = {
  ldhName: 'SHOP.COM',
  status: ['client transfer prohibited'],
  events: [{ eventAction: 'expiration', eventDate: '2027-03-01T00:00:00Z' }],
}
/** The answers of WHOIS servers: IANA's about the top-level domain, and the registry's. */
export const WHOIS = {
  com: 'domain: COM\nwhois: whois.registry.example\n',
  'shop.com': 'Domain: shop.com\r\nRegistry Expiry Date: 2027-05-01T00:00:00Z\r\n',
}

export type Rdap = { status: number; body?: unknown; location?: string }

/** The registry of `shop.com`, over RDAP and WHOIS, and our name servers; `names`: what these say of it. */
export async function startRegistries(
  scope: Scope,
  rdap: Record<string, Rdap>,
  whois: Record<string, string> = WHOIS,
  names: Reply = 'NXDOMAIN',
  placed = atPublicAddress,
) {
  const resolver = await startDnsServer(scope, { 'shop.com': names })
  const registry = await startReceiver(scope, (response, { path }: Received) => {
    const { status, body = {}, location } = rdap[path] ?? { status: 500 }
    response.writeHead(status, location === undefined ? {} : { location })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const server = await startWhoisServer(scope, whois)
  const hostsFile = join(temporaryFolder(scope), 'hosts')
  await writeFile(hostsFile, placed('127.0.0.1 whois.iana.org whois.registry.example\n'))
  const options = { hostsFile, nameServers: [resolver.address], ports: { dns: 1, whois: server.port } }
  const services = {
    publication: '2026-01-01T00:00:00Z',
    services: [[['com'], [placed(`${registry.url}/`)]]] as [string[], string[]][],
  }
  return { options, services, registry, server }
}

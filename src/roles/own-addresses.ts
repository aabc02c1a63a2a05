import { hostname, type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { isThisMachine } from '../core/this-machine.ts'

/** Container hosts have a network for each group of containers. */
const MOST = 8

type Machine = { hostname: string; interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> }

/** The addresses at which other machines may reach this server; none where it listens to this machine alone. */
export function ownAddresses(
  { host, port }: { host: string; port: number },
  machine: Machine = { hostname: hostname(), interfaces: networkInterfaces() },
): string[] {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const hosts = isEverywhere ? hostsOf(machine, host === '::') : isThisMachine(host) ? [] : [inUrl(host)]
  return hosts.slice(0, MOST).map((one) => `http://${one}:${port}`)
}

function hostsOf({ hostname, interfaces }: Machine, takesIpv6: boolean): string[] {
  const found = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(
      ({ internal, family, address }) => !internal && (family === 'IPv4' || (takesIpv6 && !isLocal(address))),
    )
    .map(({ address }) => inUrl(address))
  return isThisMachine(hostname) ? found : [hostname, ...found]
}

/** A browser cannot use a link-local address, which needs the name of an interface. */
function isLocal(address: string): boolean {
  return /^fe[89ab]/i.test(address)
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

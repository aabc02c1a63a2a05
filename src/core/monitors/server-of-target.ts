import { isThisMachine } from '../this-machine.ts'
import { parseTarget } from './target.ts'

const IPV4 = /^\d+(\.\d+){3}$/

/**
 * The name of the server that a target is on, by the host names that servers tell of themselves: a server that tells its
 * name without a domain is that of the first label.
 */
export function serverOfTarget(
  url: string | null,
  servers: readonly { name: string; hostName: string }[],
): string | null {
  const host = (url === null ? null : parseTarget(url))?.hostname.toLowerCase().replace(/\.$/, '')
  // Another machine than the probe's would be one of its own.
  if (!host || isThisMachine(host)) return null
  const named = (wanted: string) => servers.find(({ hostName }) => hostName.toLowerCase() === wanted)?.name
  return named(host) ?? (IPV4.test(host) ? undefined : named(host.split('.')[0] ?? host)) ?? null
}

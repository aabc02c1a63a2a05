import dns from 'node:dns'
import { codeOf } from '../own-trouble.ts'

const TIMEOUT_MS = 3_000
const TRIES = 2

/**
 * The TXT records at a name, each whole; none if the name or such records do not exist, null if no server answered.
 * `servers` (`ip:port`): those of this machine unless told otherwise.
 */
export async function lookUpTxt(name: string, servers?: readonly string[]): Promise<string[] | null> {
  const resolver = new dns.promises.Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  } catch (error) {
    return ['ENOTFOUND', 'ENODATA'].includes(codeOf(error)) ? [] : null
  }
}

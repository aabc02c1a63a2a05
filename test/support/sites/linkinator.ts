import dns from 'node:dns'
import tls from 'node:tls'
import { LinkChecker, LinkState } from 'linkinator'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import type { Web } from './web.ts'

const CONCURRENCY = 10

/** Addresses of a site that linkinator calls broken, as a second opinion. It asks without a pace and without robots.txt. */
export async function brokenByLinkinator(
  web: Web,
  hosts: readonly string[],
  home: string,
): Promise<Set<string>> {
  const { lookup } = dns
  const authorities = tls.getCACertificates('default')
  // It dials by itself: names lead to the web for as long as it runs, and to nowhere else.
  dns.lookup = ((name: string, options: dns.LookupAllOptions, done: (...found: unknown[]) => void) => {
    if (!hosts.includes(name)) done(Object.assign(new Error(`no host ${name}`), { code: 'ENOTFOUND' }))
    else if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }])
    else done(null, '127.0.0.1', 4)
  }) as typeof dns.lookup
  tls.setDefaultCACertificates([...authorities, web.authority])
  try {
    const { links } = await new LinkChecker().check({
      path: web.withPorts(home),
      recurse: true,
      concurrency: CONCURRENCY,
      timeout: HANG_GUARD_MS,
      linksToSkip: ['^mailto:', '^tel:', '^javascript:'],
    })
    const broken = links.filter(({ state }) => state === LinkState.BROKEN)
    return new Set(broken.map(({ url }) => web.withoutPorts(url)))
  } finally {
    dns.lookup = lookup
    tls.setDefaultCACertificates(authorities)
  }
}

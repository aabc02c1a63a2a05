import type { ChildProcess } from 'node:child_process'
import { findIcinga, hostObject, placeIcinga } from '../programs/icinga.ts'
import { resourcesOf, startChild, versionOf } from './child.ts'
import { INTERVAL_SECONDS, type Peer } from './peer.ts'

/** Icinga with `check_http` for hosts, which keeps the latest result only; null unless both are there. */
export function icinga(): Peer | null {
  const programs = findIcinga()
  if (programs === null) return null
  return {
    name: `icinga2 ${versionOf(programs.daemon)} with check_http`,
    async prepare(scope, urls) {
      const hosts = urls.map((text, number) => {
        const url = new URL(text)
        return hostObject(`"bench-${number}"`, url, INTERVAL_SECONDS, JSON.stringify(url.pathname))
      })
      const { args, env } = await placeIcinga(scope, programs, hosts.join('\n'), ['-x', 'warning'])
      let child: ChildProcess
      return {
        async start() {
          child = startChild(scope, programs.daemon, args, { env })
        },
        screenUrl: null,
        ...resourcesOf(() => [child]),
        list: null,
      }
    },
  }
}

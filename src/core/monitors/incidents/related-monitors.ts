import { parseTarget } from '../target.ts'
import type { RelatedMonitor } from './diagnosis-words.ts'

const MAX_SHOWN = 20

/** Those whose target is one of the hosts, names or addresses, itself; what names one somewhere else in its address is none. */
export function relatedMonitors(
  monitors: readonly (RelatedMonitor & { url: string })[],
  hosts: readonly string[],
): { others: RelatedMonitor[]; othersLeftOut: number } {
  const wanted = new Set(hosts.map((host) => host.toLowerCase()))
  const related = monitors.filter(({ url }) => wanted.has(hostOf(url)))
  return {
    others: related.slice(0, MAX_SHOWN).map(({ name, status }) => ({ name, status })),
    othersLeftOut: Math.max(0, related.length - MAX_SHOWN),
  }
}

function hostOf(url: string): string {
  const host = parseTarget(url)?.hostname ?? ''
  return host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

import type { DnsSet } from '../../../src/core/sites/shown-site.ts'

export type DnsChange = { at: string; added: string[]; removed: string[] }

/** Records of a type as they stand, and how they came to. */
export type DnsHistory = { type: string; records: string[]; lastSeenAt: string; changes: DnsChange[] }

/** Newest change first. The first set that was ever sighted is no change. */
export function dnsHistory(sets: readonly DnsSet[]): DnsHistory[] {
  return [...Map.groupBy(sets, ({ type }) => type)].map(([type, ofType]) => {
    const inOrder = ofType.toSorted((a, b) => a.first_seen_at.localeCompare(b.first_seen_at))
    const current = ofType.reduce((newest, set) => (set.last_seen_at > newest.last_seen_at ? set : newest))
    const changes = inOrder.slice(1).map(({ records, first_seen_at }, index) => {
      const before = inOrder[index]?.records ?? []
      return {
        at: first_seen_at,
        added: records.filter((record) => !before.includes(record)),
        removed: before.filter((record) => !records.includes(record)),
      }
    })
    return { type, records: current.records, lastSeenAt: current.last_seen_at, changes: changes.reverse() }
  })
}

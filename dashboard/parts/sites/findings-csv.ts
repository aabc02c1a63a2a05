import { csvLine } from '../../../src/core/csv.ts'
import type { SiteFinding } from '../../../src/core/sites/site-finding.ts'
import { KIND_WORDS } from './finding-words.ts'

const HEAD = [
  'Kind',
  'Address',
  'Detail',
  'Page',
  'Link',
  'First seen',
  'Last seen',
  'Fixed',
  'Ignored because',
]

/** A line for each page that an address was found on (RFC 4180). */
export function findingsCsv(findings: readonly SiteFinding[]): string {
  const lines = findings.flatMap((finding) => {
    const { kind, address, detail, first_seen_at, last_seen_at, fixed_at, ignored_reason } = finding
    const sources = finding.sources.length > 0 ? finding.sources : [{ page: '', label: '' }]
    return sources.map(({ page, label }) => [
      ...[KIND_WORDS[kind], address, detail, page, label],
      ...[first_seen_at, last_seen_at, fixed_at ?? '', ignored_reason ?? ''],
    ])
  })
  return [HEAD, ...lines].map(csvLine).join('')
}

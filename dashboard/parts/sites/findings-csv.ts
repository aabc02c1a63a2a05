import { csvLine } from '../../../src/core/reports/csv.ts'
import type { SiteFinding } from '../../../src/core/sites/site-finding.ts'
import { t } from '../../language/language.ts'
import { KIND_WORDS } from './finding-words.ts'

const HEAD = [
  t('Kind'),
  t('Address'),
  t('Detail'),
  t('Page'),
  t('Link'),
  t('First seen'),
  t('Last seen'),
  t('Fixed'),
  t('Ignored because'),
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

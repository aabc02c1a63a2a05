import type { FindingKind, SiteFinding } from '../../../src/core/sites/site-finding.ts'

export const KIND_WORDS = {
  broken_link: 'Broken link',
  redirect_hint: 'Moved permanently',
  soft_404: 'Looks like “not found”',
  unjudged: 'Could not be judged',
  mixed_active: 'Blocked by browsers',
  mixed_passive: 'Upgraded by browsers',
  sitemap_fault: 'Sitemap',
} as const satisfies Record<FindingKind, string>

/** The lists that findings fall into. */
export const FINDING_TABS = [
  { value: 'told', label: 'Broken' },
  { value: 'unjudged', label: 'Not judged' },
  { value: 'hints', label: 'Hints' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'fixed', label: 'Fixed' },
] as const
export type FindingTab = (typeof FINDING_TABS)[number]['value']

export const TAB_WORDS = {
  told: 'Links, mixed content and sitemap entries that fail. An alert goes out once a link failed in two crawls at least an hour apart.',
  unjudged:
    'Addresses that refuse robots, ask for a password or have had too many requests. They may work for people, so that no alert goes out.',
  hints: 'These work, and could be better.',
  ignored: 'No alert goes out about these.',
  fixed: 'Fixed within 30 days.',
} as const satisfies Record<FindingTab, string>

const HINTS: readonly FindingKind[] = ['redirect_hint', 'soft_404', 'mixed_passive']

export function tabOf({ kind, ignored_at, fixed_at }: SiteFinding): FindingTab {
  if (fixed_at !== null) return 'fixed'
  if (ignored_at !== null) return 'ignored'
  if (kind === 'unjudged') return 'unjudged'
  return HINTS.includes(kind) ? 'hints' : 'told'
}

import type { Said } from '../../../src/core/language/said.ts'
import type { FindingKind, SiteFinding } from '../../../src/core/sites/site-finding.ts'
import { say } from '../../language/faults.ts'
import { t } from '../../language/language.ts'

export const KIND_WORDS = {
  broken_link: t('Broken link'),
  redirect_hint: t('Moved permanently'),
  soft_404: t('Looks like “not found”'),
  unjudged: t('Could not be judged'),
  mixed_active: t('Blocked by browsers'),
  mixed_passive: t('Upgraded by browsers'),
  sitemap_fault: t('Sitemap'),
} as const satisfies Record<FindingKind, string>

/** The lists that findings fall into. */
export const FINDING_TABS = [
  { value: 'told', label: t('Broken') },
  { value: 'unjudged', label: t('Not judged') },
  { value: 'hints', label: t('Hints') },
  { value: 'ignored', label: t('Ignored') },
  { value: 'fixed', label: t('Fixed') },
] as const
export type FindingTab = (typeof FINDING_TABS)[number]['value']

export const TAB_WORDS = {
  told: t(
    'Links, mixed content and sitemap entries that fail. An alert goes out once a link failed in two crawls at least an hour apart.',
  ),
  unjudged: t(
    'Addresses that refuse robots, ask for a password or have had too many requests. They may work for people, so that no alert goes out.',
  ),
  hints: t('These work, and could be better.'),
  ignored: t('No alert goes out about these.'),
  fixed: t('Fixed within 30 days.'),
} as const satisfies Record<FindingTab, string>

const HINTS: readonly FindingKind[] = ['redirect_hint', 'soft_404', 'mixed_passive']

export function tabOf({ kind, ignored_at, fixed_at }: SiteFinding): FindingTab {
  if (fixed_at !== null) return 'fixed'
  if (ignored_at !== null) return 'ignored'
  if (kind === 'unjudged') return 'unjudged'
  return HINTS.includes(kind) ? 'hints' : 'told'
}

/** Why an area is as it is, or a crawl is not whole. */
export function sayReasons(reasons: readonly Said[]): string {
  return reasons.map(say).join('; ')
}

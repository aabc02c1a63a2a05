import type * as z from 'zod'
import { SiteSettings } from '../../../src/core/sites/site.ts'
import { type SiteRuleContext, siteFaults } from '../../../src/core/sites/site-faults.ts'
import { type Parsed, parseFields } from '../../../src/core/validation.ts'
import { type Controls, controlsOf } from '../controls.ts'
import { changedNames, type Draft, draftOf, readDraft } from '../draft.ts'
import type { FieldText } from '../field-of.tsx'

/** A site as it is sent. */
export type SiteBody = z.input<typeof SiteSettings>

/** Patterns are typed one a line. */
const PATTERNS = 'ignored_patterns'

export const SITE_CONTROLS: Controls = {
  ...controlsOf(SiteSettings),
  [PATTERNS]: { kind: 'text', nullable: false, initial: '' },
  // A JSON Schema does not say that null is allowed here: the date is judged by code.
  domain_expires_on: { kind: 'text', nullable: true, initial: null },
}
export const SITE_NAMES = Object.keys(SITE_CONTROLS)

export const SITE_TEXTS = {
  url: {
    label: 'Address',
    hint: 'The home page. The crawl begins there.',
    placeholder: 'https://example.com/',
    input: { type: 'url', inputMode: 'url' },
  },
  name: { label: 'Name', hint: 'Shown in the list and in alerts.' },
  is_active: { label: 'Monitor this site', hint: 'When off, nothing is looked at, and there are no alerts.' },
  home_interval_seconds: { label: 'Seconds between two looks at the home page' },
  domain_expires_on: {
    label: 'Domain registered until',
    hint: 'Only where the registry publishes no date: reminders follow this one.',
    input: { type: 'date' },
  },
  areas_off: { label: 'Areas to monitor' },
  max_pages: { label: 'Most pages of a crawl' },
  checks_foreign_links: {
    label: 'Check links to other sites',
    hint: 'Each of them is requested once a crawl, gently.',
  },
  ignored_patterns: {
    label: 'Addresses that a crawl leaves out',
    hint: 'One a line; * stands for any characters: */cart*',
  },
  contact_ids: { label: 'Contacts to alert' },
} as const satisfies Record<keyof SiteSettings, FieldText>

export function siteDraft(given: Partial<SiteSettings>): Draft {
  const { ignored_patterns: patterns = [], ...rest } = given
  return { ...draftOf(SITE_CONTROLS, rest), [PATTERNS]: patterns.join('\n') }
}

export type Limits = Pick<SiteRuleContext, 'plan' | 'planName'>

function bodyOf(draft: Draft): Record<string, unknown> {
  const patterns = String(draft[PATTERNS] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return { ...readDraft(SITE_CONTROLS, draft, SITE_NAMES), [PATTERNS]: patterns }
}

export function judgeSite(draft: Draft, limits: Limits): Parsed<SiteBody> {
  // The service knows which addresses its policy refuses.
  const rules = siteFaults({ ...limits, refuseAddress: () => null })
  const body = bodyOf(draft)
  const parsed = parseFields(SiteSettings, body, rules)
  return parsed.ok ? { ok: true, value: body as SiteBody } : parsed
}

/** Only what was changed. */
export function judgeSitePatch(before: Draft, draft: Draft, limits: Limits): Parsed<Partial<SiteBody>> {
  const names = changedNames(SITE_CONTROLS, before, draft)
  const changed = (name: string) => names.includes(name)
  const body = bodyOf(draft)
  const sent = Object.fromEntries(Object.entries(body).filter(([name]) => changed(name)))
  const rules = siteFaults({ ...limits, refuseAddress: () => null })
  const parsed = parseFields(SiteSettings, body, () => rules(sent as Partial<SiteSettings>))
  return parsed.ok ? { ok: true, value: sent } : parsed
}

/** An address as people type it: `example.com`. */
export function completeAddress(typed: string): string {
  const text = typed.trim()
  return text === '' || text.includes('://') ? text : `https://${text}`
}

/** A name for the site at an address, where none was typed. */
export function nameOfAddress(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? ''
}

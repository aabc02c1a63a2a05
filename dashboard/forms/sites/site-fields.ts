import type * as z from 'zod'
import { SiteSettings } from '../../../src/core/sites/site.ts'
import { type SiteRuleContext, siteFaults } from '../../../src/core/sites/site-faults.ts'
import { type Parsed, parseFields } from '../../../src/core/validation.ts'
import { type Controls, controlsOf } from '../controls.ts'
import { changedNames, type Draft, draftOf, readDraft } from '../draft.ts'

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

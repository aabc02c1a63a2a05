import type { SiteSettings } from '../../../src/core/sites/site.ts'
import type { FieldText } from '../field-of.tsx'

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

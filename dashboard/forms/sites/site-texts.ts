import type { SiteSettings } from '../../../src/core/sites/site.ts'
import { t } from '../../language/language.ts'
import type { FieldText } from '../field-of.tsx'

export const SITE_TEXTS = {
  url: {
    label: t('Address'),
    hint: t('The home page. The crawl begins there.'),
    placeholder: 'https://example.com/',
    input: { type: 'url', inputMode: 'url' },
  },
  name: { label: t('Name'), hint: t('Shown in the list and in alerts.') },
  is_active: {
    label: t('Monitor this site'),
    hint: t('When off, nothing is checked, and there are no alerts.'),
  },
  home_interval_seconds: { label: t('Seconds between two checks of the home page') },
  domain_expires_on: {
    label: t('Domain registered until'),
    hint: t('Only where the registry publishes no date: reminders follow this one.'),
    input: { type: 'date' },
  },
  areas_off: { label: t('Areas to monitor') },
  max_pages: { label: t('Maximum pages per crawl') },
  checks_foreign_links: {
    label: t('Check links to other sites'),
    hint: t('Each is requested once per crawl.'),
  },
  ignored_patterns: {
    label: t('Addresses to skip'),
    hint: t('One per line. * matches any characters: */cart*'),
  },
  contact_ids: { label: t('Contacts to alert') },
} as const satisfies Record<keyof SiteSettings, FieldText>

import type * as z from 'zod'
import { PAGE_LANGUAGES, PageLanguage } from '../../../src/core/language/page-languages.ts'
import { pageFaults } from '../../../src/core/status-pages/page-faults.ts'
import type { StatusPagePatch } from '../../../src/core/status-pages/shown-page.ts'
import { StatusPage } from '../../../src/core/status-pages/status-page.ts'
import { type Parsed, parseFields } from '../../../src/core/validation.ts'
import { t } from '../../language/language.ts'
import { VISIBILITY_WORDS } from '../../parts/status-pages/page-words.ts'
import { type Controls, controlsOf } from '../controls.ts'
import { changedNames, type Draft, readDraft } from '../draft.ts'
import type { FieldText } from '../field-of.tsx'

type PageField = keyof z.infer<typeof StatusPage>

export const PAGE_CONTROLS: Controls<PageField> = controlsOf(StatusPage)

export const PAGE_TEXTS = {
  name: { label: t('Name'), hint: t('The title of the page, for example “Acme Status”.') },
  slug: { label: t('Address'), hint: t('a–z, 0–9 and hyphens.') },
  description: { label: t('Description'), hint: t('A few words below the state of the page.') },
  visibility: { label: t('Visible to') },
  networks: {
    label: t('Networks'),
    hint: t('Separated by commas, such as 203.0.113.0/24, 2001:db8::/32.'),
  },
  language: { label: t('Language'), hint: t('Of the fixed texts. Posts stay as they are written.') },
  theme: { label: t('Theme') },
  accent_color: {
    label: t('Accent color'),
    hint: t('Of links and the head line. Empty for the usual green.'),
  },
  home_url: {
    label: t('Home page'),
    hint: t('Where the logo and the title lead to.'),
    input: { type: 'url' },
  },
  support_url: { label: t('Support page'), hint: t('Where visitors get help.'), input: { type: 'url' } },
  days: { label: t('Days that the bars show') },
  posts: { label: t('When a component goes down') },
  template_id: {
    label: t('Text of such posts'),
    hint: t('A template, or a text in the language of the page.'),
  },
  allows_subscribers: {
    label: t('Visitors can subscribe'),
    hint: t('By e-mail and webhook. Feeds are there either way.'),
  },
} as const satisfies Record<PageField, FieldText>

const LANGUAGE_NAMES = Object.fromEntries(
  PageLanguage.options.map((language) => [language, PAGE_LANGUAGES[language].name]),
) as Record<PageLanguage, string>

/** Words for the options of choices. */
export const PAGE_OPTIONS = {
  visibility: VISIBILITY_WORDS,
  language: { auto: t('That of the visitor'), ...LANGUAGE_NAMES },
  theme: { auto: t('As the reader has set'), light: t('Light'), dark: t('Dark') },
  days: { 30: '30', 60: '60', 90: '90' },
  posts: {
    draft: t('Write a draft, which a person publishes'),
    publish: t('Publish a post by itself, from the template'),
  },
} as const satisfies Partial<Record<PageField, Record<string, string>>>

/** The changed settings as they are sent. */
export function changedSettings(before: Draft, draft: Draft): Record<string, unknown> {
  return readDraft(PAGE_CONTROLS, draft, changedNames(PAGE_CONTROLS, before, draft))
}

export function judgeSettings(
  before: Draft,
  draft: Draft,
  page: { hasPassword: boolean; isPublished: boolean },
): Parsed<StatusPagePatch> {
  const whole = readDraft(PAGE_CONTROLS, draft, Object.keys(PAGE_CONTROLS))
  const judged = parseFields(StatusPage, whole, pageFaults(page))
  if (!judged.ok) return judged
  return { ok: true, value: changedSettings(before, draft) as StatusPagePatch }
}

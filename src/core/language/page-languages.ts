import * as z from 'zod'
import { LANGUAGES } from './language.ts'

/** The languages of public pages and of what they send. A new one is an entry here, and its `public-pages.json`. */
export const PAGE_LANGUAGES = {
  ...LANGUAGES,
  fr: { name: 'Français', locale: 'fr' },
  es: { name: 'Español', locale: 'es' },
  pt: { name: 'Português', locale: 'pt' },
  ja: { name: '日本語', locale: 'ja' },
} as const satisfies Record<string, { name: string; locale: string }>

export type PageLanguage = keyof typeof PAGE_LANGUAGES
export const PageLanguage = z.enum(Object.keys(PAGE_LANGUAGES) as [PageLanguage, ...PageLanguage[]])

import type { Language } from './language.ts'
import type { Catalogue } from './translate.ts'

/** The texts of the dashboard in each language but English, which is the one they are written in. */
export const DASHBOARD_CATALOGUES = {
  de: () => import('./de/dashboard.ts').then((file) => file.DASHBOARD),
} satisfies Record<Exclude<Language, 'en'>, () => Promise<Catalogue>>

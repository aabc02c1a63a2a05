import type { PageLanguage } from '../status-page.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import type { PageWords } from './page-words.ts'
import { pt } from './pt.ts'

/** The fixed texts of status pages in every language that there is. */
export const PAGE_WORDS: Record<PageLanguage, PageWords> = { en, de, fr, es, pt, ja }

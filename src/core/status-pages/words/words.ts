import { PageLanguage } from '../../language/page-languages.ts'
import { translatorOf } from '../../language/service.ts'
import { type PageWords, pageWords } from './page-words.ts'

/** The fixed texts of status pages in every language that there is. */
export const PAGE_WORDS = Object.fromEntries(
  PageLanguage.options.map((language) => [language, pageWords(translatorOf(language).t)]),
) as Record<PageLanguage, PageWords>

import { acceptedLanguages } from './accept-language.ts'
import { SERVICE as de } from './de/service.ts'
import es from './es/public-pages.json' with { type: 'json' }
import fr from './fr/public-pages.json' with { type: 'json' }
import ja from './ja/public-pages.json' with { type: 'json' }
import { type Language, languageFor } from './language.ts'
import { PAGE_LANGUAGES, type PageLanguage } from './page-languages.ts'
import pt from './pt/public-pages.json' with { type: 'json' }
import { createSayer, type Sayer } from './sayer.ts'
import { type Catalogue, createTranslator, type Translator } from './translate.ts'

/** The texts of pages and mails. They are written in English; those of public pages alone are in every language. */
const CATALOGUES: Record<PageLanguage, Catalogue> = { en: {}, de, fr, es, pt, ja }

const translators = Object.fromEntries(
  Object.entries(PAGE_LANGUAGES).map(([language, { locale }]) => [
    language,
    createTranslator(language, locale, CATALOGUES[language as PageLanguage]),
  ]),
) as Record<PageLanguage, Translator>

/** Translates pages and mails; what is no text of public pages stays English in languages that only those speak. */
export function translatorOf(language: PageLanguage): Translator {
  return translators[language]
}

const sayers = new Map<Language, Sayer>()

/** Says refusals on pages of the service. */
export function sayerOf(language: Language): Sayer {
  const known = sayers.get(language)
  if (known) return known
  const sayer = createSayer(translatorOf(language))
  sayers.set(language, sayer)
  return sayer
}

/** The language of a visitor, by the header `Accept-Language`. */
export function visitorLanguage(header: string | undefined): Language {
  return languageFor(acceptedLanguages(header))
}

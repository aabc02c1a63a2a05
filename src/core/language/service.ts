import { acceptedLanguages } from './accept-language.ts'
import { SERVICE as de } from './de/service.ts'
import { LANGUAGES, type Language, languageFor } from './language.ts'
import { type Catalogue, createTranslator, type Translator } from './translate.ts'

/** The texts of pages and mails, in each language but English, which is the one they are written in. */
const CATALOGUES = { de } satisfies Record<Exclude<Language, 'en'>, Catalogue>

const translators = Object.fromEntries(
  Object.entries(LANGUAGES).map(([language, { locale }]) => [
    language,
    createTranslator(
      language,
      locale,
      language === 'en' ? {} : CATALOGUES[language as keyof typeof CATALOGUES],
    ),
  ]),
) as Record<Language, Translator>

/** Translates pages and mails. */
export function translatorOf(language: Language): Translator {
  return translators[language]
}

/** The language of a visitor, by the header `Accept-Language`. */
export function visitorLanguage(header: string | undefined): Language {
  return languageFor(acceptedLanguages(header))
}

import { IntlMessageFormat } from 'intl-messageformat'
import { LANGUAGES } from './language.ts'

/** English texts and what they are in another language, both in ICU MessageFormat. */
export type Catalogue = Readonly<Record<string, string>>

type Value = string | number | bigint | boolean | Date | null | undefined
export type Values = Readonly<Record<string, Value>>

/** Parts of a sentence that are shown otherwise, such as a link: what lies between the tags of a name. */
export type Parts<Part> = Readonly<Record<string, Value | Part | ((inside: (string | Part)[]) => Part)>>

export type Translator = {
  language: string
  locale: string
  /**
   * A text in the language of the reader. It is written in English where it is used: `t('Save changes')`,
   * `t('{count, plural, one {# monitor} other {# monitors}}', { count })`. A text that no catalogue has stays English.
   * `context`: its place, where one English text has several translations; `t('Maintenance', undefined, 'state')` stands in
   * the catalogue as `state|Maintenance`.
   */
  t: (text: string, values?: Values, context?: string) => string
  /** A text with parts that are not text: `rich('Read the <link>guide</link>.', { link: (inside) => … })`. */
  rich: <Part>(text: string, parts: Parts<Part>) => (string | Part)[]
}

/** Translates by a catalogue; without one the texts stay English. */
export function createTranslator(language: string, locale: string, catalogue: Catalogue = {}): Translator {
  const formats = new Map<string, IntlMessageFormat>()

  function formatOf(text: string, key: string): IntlMessageFormat {
    const known = formats.get(key)
    if (known) return known
    const format = new IntlMessageFormat(catalogue[key] ?? text, locale)
    formats.set(key, format)
    return format
  }

  return {
    language,
    locale,
    // Most texts take no values: they need no parser.
    t(text, values, context) {
      const key = context === undefined ? text : `${context}|${text}`
      return values === undefined ? (catalogue[key] ?? text) : String(formatOf(text, key).format(values))
    },
    rich<Part>(text: string, parts: Parts<Part>) {
      const formatted = formatOf(text, text).format<Part>(
        parts as Parameters<IntlMessageFormat['format']>[0] as never,
      )
      return (Array.isArray(formatted) ? formatted : [formatted]) as (string | Part)[]
    },
  }
}

/** Says texts that are English in every language, such as those of the API. */
export const ENGLISH = createTranslator('en', LANGUAGES.en.locale)

export { phrase } from './phrase.ts'

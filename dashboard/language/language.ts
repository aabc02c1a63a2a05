import { Children, type ReactNode } from 'react'
import { DASHBOARD_CATALOGUES } from '../../src/core/language/catalogues.ts'
import { Language, languageFor, localeFor } from '../../src/core/language/language.ts'
import { createTranslator, type Parts, type Translator } from '../../src/core/language/translate.ts'

export const LANGUAGE_KEY = 'upbeat-language'
/** Tests of single modules have no browser. */
const IN_BROWSER = 'document' in globalThis

/** The language that this browser was told to use; null while it follows the browser's own. */
export function chosenLanguage(): Language | null {
  return IN_BROWSER ? (Language.safeParse(localStorage.getItem(LANGUAGE_KEY)).data ?? null) : null
}

const wanted = IN_BROWSER ? navigator.languages : []

export const languageOfBrowser = (): Language => languageFor(wanted)

export const LANGUAGE: Language = chosenLanguage() ?? languageOfBrowser()
export const LOCALE = localeFor(LANGUAGE, wanted)

let translator = createTranslator(LANGUAGE, LOCALE)

/** Reads the texts of the language, before any file that shows some is read. Where they do not load, texts stay English. */
export async function loadTexts(): Promise<void> {
  if (LANGUAGE === 'en') return
  const catalogue = await DASHBOARD_CATALOGUES[LANGUAGE]().catch(() => null)
  if (catalogue) translator = createTranslator(LANGUAGE, LOCALE, catalogue)
}

export const t: Translator['t'] = (text, values, context) => translator.t(text, values, context)

/** A text with elements in it, which need no keys of their own: the text holds their order. */
export function rich(text: string, parts: Parts<ReactNode>): ReactNode[] {
  const keyed = Object.entries(parts).map(([name, part]) => [
    name,
    typeof part === 'function' ? (inside: ReactNode[]) => part(Children.toArray(inside)) : part,
  ])
  return Children.toArray(translator.rich<ReactNode>(text, Object.fromEntries(keyed)))
}

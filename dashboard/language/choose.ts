import type { Language } from '../../src/core/language/language.ts'
import { LANGUAGE_KEY } from './language.ts'

/**
 * Shows the dashboard in this language from now on; null follows the browser. Texts are read once, as files load: the
 * page loads anew.
 */
export function chooseLanguage(language: Language | null): void {
  if (language === null) localStorage.removeItem(LANGUAGE_KEY)
  else localStorage.setItem(LANGUAGE_KEY, language)
  location.reload()
}

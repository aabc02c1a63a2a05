import type { SignedIn } from '../../../src/core/accounts/signed-in.ts'
import type { Language } from '../../../src/core/language/language.ts'
import { chooseLanguage } from '../../language/choose.ts'
import { chosenLanguage, LANGUAGE, languageOfBrowser } from '../../language/language.ts'
import { askAccount } from '../account.ts'

/** Changes the language of the dashboard in this browser, and that of letters. Null follows the browser. */
export async function chooseOwnLanguage(language: Language | null): Promise<void> {
  // Letters are written in the old one where this fails; the dashboard need not wait for it another time.
  await askAccount('updatePerson', { body: { language: language ?? languageOfBrowser() } }).catch(() => {})
  chooseLanguage(language)
}

/** Shows the dashboard in the language that the person chose in another browser, unless one was chosen here. */
export function followLanguage({ user }: SignedIn): void {
  if (user.language === null || user.language === LANGUAGE || chosenLanguage() !== null) return
  chooseLanguage(user.language)
}

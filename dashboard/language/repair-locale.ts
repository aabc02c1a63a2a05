import { isLocale } from '../../src/core/language/language.ts'

/** Libraries such as uPlot give the browser's language to Intl while they load, which throws where it is no language tag. */
export function repairLocale(browser: { readonly language: string }, locale: string): void {
  if (!isLocale(browser.language)) Object.defineProperty(browser, 'language', { value: locale })
}

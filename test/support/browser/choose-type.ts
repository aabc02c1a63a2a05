import type { Page } from 'playwright-core'

/** Chooses the type of a new monitor by the word on its card, of which only the most used ones are seen at first. */
export async function chooseType(page: Page, word: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Find a type' }).fill(word)
  await page.getByRole('radio', { name: word, exact: true }).check()
}

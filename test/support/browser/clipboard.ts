import type { Page } from 'playwright-core'

/** What the browser of a page would paste. Pages of ours may write there and not read. */
export async function clipboardOf(page: Page): Promise<string> {
  const tab = await page.context().newPage()
  await tab.setContent('<textarea aria-label="Paste here"></textarea>')
  const field = tab.getByLabel('Paste here')
  await field.focus()
  await tab.keyboard.press('ControlOrMeta+V')
  const text = await field.inputValue()
  await tab.close()
  return text
}

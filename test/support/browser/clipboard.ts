import type { Page } from 'playwright-core'

/** The content of a page's clipboard. Pages of ours may write to it and not read it. */
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

// npm test leaves this out: it types into the search of the documentation, in a browser (seconds).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { browserService } from '../../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { expectAccessible } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'

describe('the search of the documentation', () => {
  const scope = suiteScope()
  let page: Page
  let complaints: string[]
  let field: Locator
  let links: Locator

  before(async () => {
    const service = await browserService()
    const browser = await openChromium(scope)
    ;({ page, complaints } = await openPage(browser, service.url))
    await page.goto('/docs')
    field = page.getByRole('searchbox', { name: 'Search the documentation' })
    links = page.locator('.instant a')
  })

  it('shows the first pages while one types, and leads into them by the keyboard', async () => {
    await field.pressSequentially('why was I not alerted')
    const answer = links.filter({ hasText: 'Troubleshooting' })
    await answer.waitFor()
    await expectAccessible(page, 'the first pages that are found')
    const first = links.first()
    await page.keyboard.press('ArrowDown')
    assert.ok(await first.and(page.locator(':focus')).isVisible())
    await page.keyboard.press('ArrowUp')
    assert.ok(await field.and(page.locator(':focus')).isVisible())
    await answer.press('Enter')
    await page.waitForURL('**/docs/troubleshooting**')
    assert.deepEqual(complaints, [])
  })

  it('closes by Escape, with what was typed still there, and when one goes elsewhere', async () => {
    await field.fill('heartbeat')
    await links.first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await links.first().waitFor({ state: 'detached' })
    assert.ok(await field.and(page.locator(':focus')).isVisible())
    assert.equal(await field.inputValue(), 'heartbeat')
    await field.fill('heartbeats')
    await links.first().waitFor()
    await page.locator('main').focus()
    await links.first().waitFor({ state: 'detached' })
  })

  it('says when nothing is found', async () => {
    await field.fill('xyzzyplugh')
    await page.locator('.instant', { hasText: 'No results for “xyzzyplugh”' }).waitFor()
    await field.fill('')
    await page.locator('.instant', { hasText: 'No results' }).waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })
})

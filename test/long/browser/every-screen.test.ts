// npm test leaves this out: it opens every screen of the dashboard (a minute of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { HOUR_MS } from '../../../src/core/history/history-span.ts'
import { type Gallery, LOOKS, lookAt, openGallery } from '../../support/browser/every-screen.ts'
import { routeOf, SCREENS } from '../../support/browser/role-screens.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  openScreen,
  untilLoaded,
} from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'
import { until } from '../../support/until.ts'

const { 'wide and light': WIDE_AND_LIGHT } = LOOKS

describe('every screen', () => {
  const scope = suiteScope()
  let gallery: Gallery

  before(async () => {
    gallery = await openGallery(scope)
  })

  it('is looked at: each address of the router has a title in these tests', () => {
    const looked = new Set(gallery.screens.map(({ path }) => routeOf(path.replace(/\?.*/, ''))))
    // The start only leads on.
    const left = Object.keys(SCREENS).filter((route) => route !== '/' && !looked.has(route))
    assert.deepEqual(left, [])
  })

  it('draws the label of the last tick of a chart whole', async () => {
    const { demo, inside: page } = gallery
    await lookAt(page, WIDE_AND_LIGHT)
    // A full hour at the very end, which has a tick.
    const to = Math.floor(Date.now() / HOUR_MS) * 3_600
    await openScreen(page, `/teams/${demo.id}/servers/${demo.servers.web}?from=${to - 6 * 3_600}&to=${to}`)
    await untilLoaded(page)
    await page.locator('.uplot canvas').first().waitFor()
    const inkAtTheEdge = `[...document.querySelectorAll('.uplot canvas')].map((canvas) =>
      canvas.getContext('2d').getImageData(canvas.width - 1, 0, 1, canvas.height).data.some((value) => value > 0))`
    const charts = (await page.evaluate(inkAtTheEdge)) as boolean[]
    assert.ok(charts.length > 1)
    assert.ok(!charts.includes(true), `cut: ${charts}`)
  })

  it('reads the documentation without a pointer, and its feed as a feed', async () => {
    const { url, outside: page } = gallery
    await lookAt(page, WIDE_AND_LIGHT)
    await page.goto('/docs/heartbeats')
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Skip to content')
    await page.keyboard.press('Enter')
    assert.equal(await focused(page, 'tagName'), 'MAIN')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.getAttribute("href")'), '#schedules')
    await page.goto('/docs/reference')
    await expectNoSidewaysScroll(page, 'the reference')
    const feed = await (await fetch(`${url}/docs/changelog.atom`)).text()
    const root = `new DOMParser().parseFromString(${JSON.stringify(feed)}, 'application/xml').documentElement`
    assert.equal(await page.evaluate(`${root}.namespaceURI`), 'http://www.w3.org/2005/Atom')
  })

  it('is left by keyboard for its content, and the next one begins where its content does', async () => {
    const { demo, inside: page } = gallery
    await lookAt(page, WIDE_AND_LIGHT)
    await page.goto(`/teams/${demo.id}`)
    await untilLoaded(page)
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Skip to content')
    await page.keyboard.press('Enter')
    assert.equal(await focused(page, 'tagName'), 'MAIN')
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'All monitors')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor()
    await until('the focus is in the new screen', async () => (await focused(page, 'tagName')) === 'MAIN')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    await until('the focus is in the new screen', async () => (await focused(page, 'tagName')) === 'MAIN')
  })

  it('keeps the focus in an open dialog, and gives it back', async () => {
    const { demo, inside: page } = gallery
    await lookAt(page, WIDE_AND_LIGHT)
    await openScreen(page, `/teams/${demo.id}/contacts/${demo.contacts[0]}`)
    // Where everybody may sign up, as here, an address has to agree first.
    await page.getByText('This address gets no alerts yet').waitFor()
    const opener = page.getByRole('button', { name: 'Delete…' })
    await opener.click()
    await expectAccessible(page, 'a dialog')
    const dialog = page.getByRole('dialog')
    for (let times = 0; times < 6; times++) {
      // Between its last and its first control the browser's own bar has its turn.
      const inside = await page.evaluate(
        `document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)`,
      )
      assert.ok(inside, `after ${times} steps`)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await focused(page), 'Delete…')
    await page.keyboard.press('Control+k')
    await dialog.getByRole('combobox').waitFor()
    await expectAccessible(page, 'the palette')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await focused(page), 'Delete…')
  })
})

async function focused(page: Page, what: 'textContent' | 'tagName' = 'textContent'): Promise<unknown> {
  return page.evaluate(`document.activeElement.${what}`)
}

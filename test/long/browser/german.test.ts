// npm test leaves this out: it opens every screen in German, at the width of a phone (a minute of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { LANGUAGE_KEY } from '../../../dashboard/language/language.ts'
import { DASHBOARD } from '../../../src/core/language/de/dashboard.ts'
import { TOO_SLOW } from '../../../src/core/sites/crawl/unasked.ts'
import { homeUnread, printReasons } from '../../../src/core/sites/cut-reason.ts'
import { type Gallery, LOOKS, openGallery } from '../../support/browser/every-screen.ts'
import { expectNoSidewaysScroll, openScreen, untilLoaded } from '../../support/browser/screens.ts'
import { changeRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'

/** Everything on a page that a person reads or hears. */
const READ_TEXTS = `(() => {
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) texts.push(walker.currentNode.data)
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(element.getAttribute(name) ?? '')
  }
  return texts
})()`

/** Names in the demo team that are words of the catalogue, too. */
const NAMES = new Set(['Checkout', 'Warehouse', 'Shop'])

describe('every screen in German', () => {
  const scope = suiteScope()
  let gallery: Gallery

  before(async () => {
    gallery = await openGallery(scope, 'de-DE')
    await gallery.inside.addInitScript(`localStorage.setItem('${LANGUAGE_KEY}', 'de')`)
  })

  /** English texts of the catalogue that stand on the page. */
  async function englishOn(page: Page): Promise<string[]> {
    const texts = (await page.evaluate(READ_TEXTS)) as string[]
    const found = texts.map((text) => text.trim()).filter((text) => isEnglish(text) && !NAMES.has(text))
    return [...new Set(found)]
  }

  function isEnglish(text: string): boolean {
    const german = DASHBOARD[text]
    return german !== undefined && german !== text && !Object.values(DASHBOARD).includes(text)
  }

  it('has no text of the catalogue in English, and fits a phone', async () => {
    const { inside: page } = gallery
    await page.setViewportSize(LOOKS['narrow and light'].window)
    const english: string[] = []
    const own = gallery.screens.filter((screen) => screen.page === page)
    for (const { path } of own) {
      await openScreen(page, path)
      await untilLoaded(page)
      for (const text of await englishOn(page)) english.push(`${path}: ${text}`)
      await expectNoSidewaysScroll(page, path)
    }
    assert.equal(await page.evaluate('document.documentElement.lang'), 'de')
    assert.deepEqual(english, [])
  })

  it('says in German what is wrong with a form, by its own rules and by those of the service', async () => {
    const { inside: page, demo } = gallery
    await openScreen(page, `/teams/${demo.id}/monitors/new`)
    await page.getByLabel('Name', { exact: true }).fill('x'.repeat(300))
    await page.getByRole('button', { name: 'Monitor hinzufügen' }).click()
    await page.getByText('Darf höchstens 255 Zeichen haben, hat aber 300').waitFor()
    await openScreen(page, `/teams/${demo.id}/settings/members`)
    await page.getByLabel('E-Mail', { exact: true }).fill(demo.admin.email)
    await page.getByRole('button', { name: 'Einladen' }).click()
    await page.getByText('Gehört bereits einem Mitglied').waitFor()
  })
  it('says in German why a site could not be crawled', async () => {
    const { inside: page, demo, services } = gallery
    const reasons = [homeUnread(TOO_SLOW.said ?? '')]
    const stored = { cause: printReasons(reasons), cause_reasons: JSON.stringify(reasons) }
    const site_id = demo.sites.shop
    await changeRows(services.db, 'site_areas', { site_id, area: 'links' }, stored)
    await page.goto(`/teams/${demo.id}/sites/${site_id}`)
    await page
      .getByText(/^Die Startseite: robots\.txt bittet Robots, .* länger als 10 s zu warten$/)
      .waitFor()
  })
})

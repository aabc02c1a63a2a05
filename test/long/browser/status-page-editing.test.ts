// npm test leaves this out: it orders 300 components of a page, and follows a post to its end (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../support/browser/browser-team.ts'
import { NARROW, openChromium } from '../../support/browser/chromium.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'
import { type SwitchTarget, startSwitchTarget } from '../../support/servers/switch-target.ts'
import { storePage } from '../../support/status-pages/stored-pages.ts'
import { until } from '../../support/until.ts'

const SLUG = 'lumiere-posts'
const RIGHT_TO_LEFT = 'חיפוש מוצרים ותשלומים בכל החנויות שלנו (API) ברחבי הארץ, כולל מחסנים ומשלוחים'

describe('editing a status page, at length', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page
  let target: SwitchTarget
  let web: number

  before(async () => {
    service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
    target = await startSwitchTarget(scope)
    const monitor = { name: 'Lumiere web', url: target.url, check_interval_seconds: 3_600 }
    web = (await here.team.monitor(monitor)).id
    const items = [{ component: { monitor_id: web, name: 'Lumiere web' } }]
    await storePage(service.services, here.team.teamId, { slug: SLUG, name: 'Café Lumière' }, { items })
    await until('visitors find the page', async () => (await visit()).status === 200)
  })

  const main = () => page.getByRole('main')
  const part = (name: string | RegExp) => page.getByRole('region', { name, exact: true })
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true })
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor()
  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'Status page' }).getByRole('link', { name }).click()
  const visit = async () => {
    const answer = await fetch(`${service.services.siteUrl}/status/${SLUG}`)
    return { status: answer.status, text: await answer.text() }
  }
  const untilVisitors = (what: string, sees: (text: string) => boolean) =>
    until(what, async () => sees((await visit()).text))

  it('leads from the incident of a monitor to a post, which visitors read until it is over', async () => {
    target.status = 503
    await here.team.checkNow(web)
    await here.team.untilStatus(web, 'down')
    await untilVisitors('the page changes its color by itself', (text) => text.includes('Major outage'))
    const [incident] = await here.team.incidents(web)
    await here.open(`/incidents/${incident?.id}`, 'Lumiere web is down')
    await part('On status pages').getByRole('link', { name: 'Post about it' }).click()
    await part('New incident').waitFor()
    assert.equal(await page.getByLabel('Lumiere web').inputValue(), 'major_outage')
    assert.equal(await page.getByLabel('Title').inputValue(), 'Outage: Lumiere web')
    assert.equal(
      await page.getByLabel('Text', { exact: true }).inputValue(),
      'Not available: Lumiere web. We are looking into it.',
    )
    await page.getByLabel('Title').fill('The web is dark')
    await page.getByLabel('Text', { exact: true }).fill('We are **looking** into it. <b>')
    await button('Preview', main()).click()
    await page.locator('strong', { hasText: 'looking' }).waitFor()
    await page.getByLabel('Keep it as a draft').check()
    await button('Save draft').click()
    await said('The draft is saved.')
    assert.ok(!(await visit()).text.includes('The web is dark'))
    await button('Publish…').click()
    await button('Publish', page.getByRole('dialog')).click()
    await said('The post is published.')
    await untilVisitors('visitors read the post', (text) => text.includes('<strong>looking</strong>'))
    await button('Add update').click()
    await page.getByLabel('Phase').selectOption('Resolved')
    await button('Publish update').click()
    await page.getByText('Enter a text').waitFor()
    await page.getByLabel('Text', { exact: true }).fill('The lights are on again.')
    await page.getByLabel('Lumiere web').selectOption('Not affected')
    await button('Publish update').click()
    await said('The update is published.')
    await expectAccessible(page, 'a post')
    target.status = 200
    await here.team.checkNow(web)
    await untilVisitors('visitors read that it is over', (text) => text.includes('The lights are on again.'))
    await button('Edit Resolved').click()
    await page.getByLabel('Text', { exact: true }).fill('It is bright.')
    await button('Save update').click()
    await said('The update is saved.')
    await untilVisitors('visitors read the change', (text) => text.includes('It is bright.'))
    await tab('Posts')
    await part('Past').getByRole('link', { name: 'The web is dark' }).waitFor()
  })

  it('proposes what is down where nothing is chosen, and shows no open post in green', async () => {
    target.status = 503
    await here.team.checkNow(web)
    await here.team.untilStatus(web, 'down')
    await tab('Posts')
    await main().getByRole('link', { name: 'Report incident' }).click()
    await page.getByText('Down now: Lumiere web (Major outage).').waitFor()
    await button('Choose what is down').click()
    assert.equal(await page.getByLabel('Lumiere web').inputValue(), 'major_outage')
    await page.getByLabel('Lumiere web').selectOption('Not affected')
    await page.getByText('The page will say that no affected component is named.').waitFor()
    await expectAccessible(page, 'a post without components')
    await page.getByLabel('Title').fill('Slow answers')
    await page.getByLabel('Text', { exact: true }).fill('We are looking into it.')
    target.status = 200
    await here.team.checkNow(web)
    await here.team.untilStatus(web, 'up')
    await button('Publish post').click()
    await said('The post is published.')
    await untilVisitors('the page is not well', (text) =>
      /<section class="head degraded">.*Ongoing incident/.test(text),
    )
    assert.match((await visit()).text, /<article class="panel post degraded"/)
    await tab('Posts')
    const row = part('Active').getByRole('listitem').filter({ hasText: 'Slow answers' })
    assert.equal(await row.locator('[data-tone]').getAttribute('data-tone'), 'degraded')
    await page.setViewportSize(NARROW)
    await expectAccessible(page, 'open posts')
    await page.goto(`${service.services.siteUrl}/status/${SLUG}`)
    const post = page.locator('article', { hasText: 'Slow answers' })
    await post.getByText('Investigating', { exact: true }).first().waitFor()
    await post.getByText('No affected component is named.').waitFor()
    assert.equal(
      await page
        .locator('.head')
        .innerText()
        .then((text) => text.includes('All systems')),
      false,
    )
    await expectAccessible(page, 'a page with an open incident, on a phone')
    await page.setViewportSize({ width: 1_280, height: 800 })
  })

  it('orders 300 components, with names in both directions, on a screen of any width', async () => {
    const items = Array.from({ length: 300 }, (_, index) => ({
      component: { monitor_id: null, name: index === 0 ? RIGHT_TO_LEFT : `Component ${index}` },
    }))
    const large = { slug: 'large', name: 'Large' }
    const { id } = await storePage(service.services, here.team.teamId, large, { items })
    await here.open(`/status-pages/${id}`, 'Large')
    for (const size of [{ width: 1_280, height: 800 }, NARROW]) {
      await page.setViewportSize(size)
      await page.locator('bdi', { hasText: RIGHT_TO_LEFT }).first().scrollIntoViewIfNeeded()
      await expectNoSidewaysScroll(page, `an editor of 300 components, ${size.width} wide`)
      await expectAccessible(page, `an editor of 300 components, ${size.width} wide`)
    }
    await button('Move Component 298 up').click()
    await said('Component 298: 298 of 300')
    await button('Save page').click()
    await said('Large saved.')
    const names = await part(/^Components/)
      .locator('[data-item] bdi')
      .allInnerTexts()
    assert.deepEqual([names.length, names[0]], [300, RIGHT_TO_LEFT])
    assert.deepEqual(names.slice(-3), ['Component 298', 'Component 297', 'Component 299'])
  })
})

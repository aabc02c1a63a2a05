// npm test leaves this out: it needs a team in a browser for one walk (seconds that say little more than the tests of windows do).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { expectAccessible } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { startSwitchTarget } from '../../../support/servers/switch-target.ts'
import { storePage } from '../../../support/status-pages/stored-pages.ts'
import { until } from '../../../support/until.ts'

/* Windows of every kind, and all that is done with them, are in test/long/browser. */
describe('maintenance of a monitor', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page
  let id: number

  before(async () => {
    service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
    const { url } = await startSwitchTarget(scope)
    id = (await here.team.monitor({ url, check_interval_seconds: 3_600, name: 'Billing' })).id
    const items = [{ component: { monitor_id: id, name: 'Bills' } }]
    await storePage(service.services, here.team.teamId, { slug: 'quick-mute', name: 'Public' }, { items })
  })

  const part = (name: string) => page.getByRole('region', { name, exact: true })
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor()
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name })

  const visitors = async () => (await fetch(`${service.services.siteUrl}/status/quick-mute`)).text()

  it('begins in two clicks, of which visitors read nothing, lasts longer, and ends', async () => {
    await here.open(`/monitors/${id}`, 'Billing')
    await button('Maintenance').click()
    await page.getByRole('menu').getByText('“Public” does not show it.').waitFor()
    await page.getByRole('menuitem', { name: 'Now, for 30 min' }).click()
    await said('Maintenance started for 30 min.')
    const banner = part('Under maintenance: Short-notice maintenance')
    await banner.getByText('Failures are not alerted.').waitFor()
    const endOf = () => banner.locator('time').getAttribute('datetime')
    const before = String(await endOf())
    assert.doesNotMatch(await visitors(), /Short-notice|under maintenance|class="state maintenance"/i)
    await expectAccessible(page, 'a monitor under maintenance')
    await button(/^Extend by 30 minutes/, banner).click()
    await said('Short-notice maintenance lasts 30 minutes longer.')
    await banner.locator(`time:not([datetime="${before}"])`).waitFor()
    assert.equal(Date.parse(String(await endOf())) - Date.parse(before), 30 * 60_000)
    await button(/^End now/, banner).press('Enter')
    await banner.waitFor({ state: 'detached' })
    await page.locator('main:focus').waitFor()
    await here.open('/maintenance', 'Maintenance')
    await part('Past').getByRole('listitem').getByText('ended by hand').waitFor()
    assert.deepEqual(here.complaints(), [])
  })

  it('that is planned is announced to visitors by its name for them, unless it is not to be shown', async () => {
    await here.open('/maintenance/new', 'New maintenance window')
    await page.getByLabel('Name', { exact: true }).fill('Move db-7')
    assert.equal(await page.getByLabel('Show on status pages').isChecked(), true)
    await page.getByLabel('Name on status pages').fill('Better storage')
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await part('Preview')
      .getByText(/^Once, on .* Europe\/Berlin \(.*UTC\)/)
      .waitFor()
    await page.getByRole('checkbox', { name: 'Billing' }).check()
    await button('Create window').click()
    await page.getByRole('heading', { name: 'Move db-7', level: 1 }).waitFor()
    await page.getByText('On status pages as “Better storage”.').waitFor()
    const announced = await until('visitors read of it', async () => {
      const text = await visitors()
      return text.includes('Better storage') && text
    })
    assert.doesNotMatch(announced, /db-7/)
    await page.getByRole('main').getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Show on status pages').uncheck()
    await button('Save changes').click()
    await page.getByText('Not on status pages.').waitFor()
    await until('visitors read nothing of it', async () => !(await visitors()).includes('Better storage'))
    assert.deepEqual(here.complaints(), [])
  })
})

// npm test leaves this out: it waits for checks that fail and pass again while a page shows them (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../support/browser/browser-team.ts'
import { openChromium, openPage } from '../../support/browser/chromium.ts'
import { createPerson, signInQuietly } from '../../support/browser/people.ts'
import { expectAccessible, openScreen } from '../../support/browser/screens.ts'
import { addChecks } from '../../support/records/history.ts'
import { suiteScope } from '../../support/scope.ts'
import { type SwitchTarget, startSwitchTarget } from '../../support/servers/switch-target.ts'
import { checkNow } from '../../support/services/check-now.ts'
import { until } from '../../support/until.ts'

const ATTEMPTS = 'Extra failed attempts before alerting'
const PASSING = 'Successful checks before recovery'

describe('confirming failures, in the settings and on the page of a monitor', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let viewer: Page
  let target: SwitchTarget
  let shop: number

  before(async () => {
    service = await browserService()
    target = await startSwitchTarget(scope)
    const browser = await openChromium(scope)
    here = await openBrowserTeam(scope, service, browser)
    const settings = { name: 'Confirmed shop', url: target.url, check_interval_seconds: 3_600 }
    shop = (await here.team.monitor(settings)).id
    const opened = await openPage(browser, service.services.siteUrl)
    await signInQuietly(opened.context, await createPerson(service, here.team.teamId, 'viewer', 'Viola'))
    viewer = opened.page
  })

  const checkShop = () => checkNow(service, { teamId: here.team.teamId, id: shop, target })

  it('is chosen by keyboard, and said in a sentence before it is saved', async () => {
    const { page, open } = here
    await open('/settings', 'Team')
    const panel = page.getByRole('region', { name: 'Confirming failures' })
    await panel.getByText('When a check fails, the monitor goes down and you are alerted at once.').waitFor()
    // The list opens, and Enter takes what the arrows lead to.
    await panel.getByLabel(ATTEMPTS).focus()
    for (const key of ['Space', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await panel.getByText('Upbeat makes another attempt at once').waitFor()
    await page.keyboard.press('Tab')
    for (const key of ['Space', 'End', 'Enter']) await page.keyboard.press(key)
    await panel.getByText('The monitor is up again when 5 checks in a row have passed.').waitFor()
    await expectAccessible(page, 'the settings of a team')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Failures are now confirmed before an alert.').waitFor()
    await page.reload()
    assert.equal(await panel.getByLabel(ATTEMPTS).inputValue(), '1')
    assert.equal(await panel.getByLabel(PASSING).inputValue(), '5')
  })

  it('is read by viewers, who cannot change it', async () => {
    await openScreen(viewer, `/teams/${here.team.teamId}/settings`)
    const panel = viewer.getByRole('region', { name: 'Confirming failures' })
    await panel.getByText('The monitor is up again when 5 checks in a row have passed.').waitFor()
    assert.equal(await panel.getByRole('button').count(), 0)
    assert.equal(await panel.getByRole('combobox').count(), 0)
  })

  it('says how many checks have passed while the monitor is still down', async () => {
    await here.team.untilStatus(shop, 'up')
    target.status = 503
    await checkShop()
    await here.team.untilStatus(shop, 'down')
    await here.open(`/monitors/${shop}`, 'Confirmed shop')
    const state = here.page.getByRole('alert').filter({ hasText: 'Down for' })
    await state.getByText('HTTP 503 (expected 200)').waitFor()
    target.status = 200
    await checkShop()
    await state.getByText(/passing, [1-4] of 5/).waitFor()
    await until('the monitor is up again', async () => {
      await checkShop()
      return (await here.team.show(shop)).status === 'up'
    })
    await state.waitFor({ state: 'detached' })
    await here.page.getByRole('button', { name: 'Failed', exact: true }).click()
    await here.page.getByText('HTTP 503 (expected 200) (confirmed by another attempt)').first().waitFor()
  })

  it('shows what was not confirmed at the check that passed', async () => {
    // Written as the recorder does: a failure for a single request cannot be timed.
    const error_message = 'not confirmed from lon (seen from nyc): HTTP 503 (expected 200)'
    await addChecks(service.services.db, [{ monitor_id: shop, region: 'lon', error_message }])
    // The page is loaded: nobody tells it of what was written past the service.
    await here.page.goto(`/teams/${here.team.teamId}/monitors/${shop}`)
    await here.page.getByText('not confirmed from lon (seen from nyc)').first().waitFor()
  })

  it('makes no page complain', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

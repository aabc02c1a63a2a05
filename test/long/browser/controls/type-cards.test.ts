// npm test leaves this out: it goes from form to form in a browser (seconds).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { TYPES_BY_PLACE } from '../../../../src/core/monitors/monitor-types.ts'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { expectAccessible } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'

const MOST_USED = ['HTTP', 'Keyword', 'Certificate', 'TCP port', 'Ping', 'Heartbeat']

describe('the cards of the types of monitors', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page

  before(async () => {
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope))
    page = here.page
  })

  const names = () =>
    page
      .getByRole('group', { name: 'What do you want to monitor?' })
      .locator('label .font-medium')
      .allInnerTexts()

  it('are the most used ones, then all by their groups', async () => {
    await here.open('/monitors/new', 'Add a monitor')
    assert.deepEqual(await names(), MOST_USED)
    await page.getByRole('button', { name: /^Show \d+ more$/ }).click()
    assert.equal((await names()).length, TYPES_BY_PLACE.length)
    await page.getByRole('region', { name: 'Network' }).getByRole('radio', { name: 'DNS' }).waitFor()
    await page.getByRole('region', { name: 'Web' }).getByRole('radio', { name: 'WebSocket' }).waitFor()
    await expectAccessible(page, 'all types of monitors')
  })

  it('are found by a few letters, of which Enter takes the first', async () => {
    await here.open('/monitors/new', 'Add a monitor')
    const find = page.getByRole('searchbox', { name: 'Find a type' })
    await find.fill('wss')
    assert.deepEqual(await names(), ['WebSocket', 'MQTT'])
    await find.press('Enter')
    await page.getByLabel('Name', { exact: true }).waitFor()
    assert.equal(await page.getByRole('radio', { name: 'WebSocket' }).isChecked(), true)
    await find.fill('no such thing')
    await page.getByText('No results.').waitFor()
    await find.fill('')
    assert.deepEqual(await names(), [...MOST_USED, 'WebSocket'])
  })

  it('are known to the palette, which begins the form with one', async () => {
    await here.open('/', 'Overview')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('monitor heartb')
    await page.getByRole('option', { name: /^Add monitor: Heartbeat/ }).click()
    await page.getByRole('heading', { name: 'Add a monitor' }).waitFor()
    assert.equal(await page.getByRole('radio', { name: 'Heartbeat' }).isChecked(), true)
    assert.equal(await page.locator('option:checked', { hasText: '25 h, for a daily job' }).count(), 1)
  })

  it('make the page complain about nothing', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

// npm test leaves this out: it types monitors into the form, one after the other (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Monitor } from '../../../../src/core/monitors/monitor.ts'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { suiteScope } from '../../../support/scope.ts'

describe('monitors that are added one after the other', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page

  before(async () => {
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope))
    page = here.page
    await here.open('/monitors/new', 'Add a monitor')
  })

  const url = () => page.getByLabel('URL', { exact: true })

  it('are typed at once: the address has the focus', async () => {
    await page.locator('input[name=url]:focus').waitFor()
  })

  it('begin with the settings of the one before, and without its address', async () => {
    await page.keyboard.type('http://localhost:9/first')
    await page.getByText('More settings').click()
    await page.getByLabel('Timeout').fill('7')
    await page.getByRole('button', { name: 'Save and add another' }).click()
    await page.getByRole('status').getByText('localhost:9 added.').waitFor()
    await page.locator('input[name=url]:focus').waitFor()
    assert.equal(await url().inputValue(), '')
    await page.keyboard.type('http://localhost:9/second')
    await page.getByLabel('Name', { exact: true }).fill('Second')
    await page.getByRole('button', { name: 'Save and add another' }).click()
    await page.getByRole('status').getByText('Second added.').waitFor()
    const { data } = (await here.team.ask('GET', '/monitors')).body as { data: Monitor[] }
    assert.deepEqual(data.map((monitor) => [monitor.url, monitor.request_timeout_seconds]).sort(), [
      ['http://localhost:9/first', 7],
      ['http://localhost:9/second', 7],
    ])
  })

  it('end with Enter, which leads to the last one', async () => {
    await page.locator('input[name=url]:focus').waitFor()
    await page.keyboard.type('http://localhost:9/third')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'localhost:9', level: 1 }).waitFor()
  })

  it('make the page complain about nothing', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

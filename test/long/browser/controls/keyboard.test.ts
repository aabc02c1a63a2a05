// npm test leaves this out: it goes through lists and screens key by key (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { expectAccessible } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'

describe('the keyboard', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page
  let help: Locator

  const focused = (locator: Locator) => locator.and(page.locator(':focus')).waitFor()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }

  before(async () => {
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope))
    page = here.page
    help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const paused = { url: 'http://127.0.0.1/', is_active: false }
    for (const name of ['Almanac', 'Barometer']) await here.team.monitor({ ...paused, name })
  })

  it('searches a list, goes through its rows and opens one', async () => {
    await here.open('/monitors?sort=name', 'Monitors')
    const [first, second] = ['Almanac', 'Barometer'].map((name) => page.getByRole('link', { name })) as [
      Locator,
      Locator,
    ]
    await first.waitFor()
    await press('j')
    await focused(first)
    await press('j')
    await focused(second)
    assert.equal(await second.evaluate('document.activeElement.matches(":focus-visible")'), true)
    await press('j', 'k')
    await focused(first)
    await press('/')
    const search = page.getByRole('searchbox', { name: 'Search' })
    await focused(search)
    await press('j', '?', '/')
    assert.equal(await search.inputValue(), 'j?/')
    await search.fill('Baro')
    await first.waitFor({ state: 'detached' })
    // An earlier search may have emptied the list for a moment.
    await second.waitFor()
    await search.blur()
    await press('j')
    await focused(second)
    await press('Enter')
    await page.getByRole('heading', { name: 'Barometer', exact: true, level: 1 }).waitFor()
    // Here is no list to search.
    await press('/')
    const palette = page.getByRole('dialog', { name: 'Find a monitor, server, site or action' })
    await focused(palette.getByRole('combobox'))
    await press('Escape')
    await palette.waitFor({ state: 'detached' })
  })

  it('is explained on ?, and single keys can be turned off', async () => {
    await here.open('/monitors', 'Monitors')
    await press('?')
    await help.getByText('Next row of a list').waitFor()
    await expectAccessible(page, 'the help')
    const single = help.getByRole('checkbox', { name: 'Use single keys' })
    await single.uncheck()
    await press('Escape')
    await help.waitFor({ state: 'hidden' })
    await press('?', '/', 'Control+k')
    const palette = page.getByRole('dialog', { name: 'Find a monitor, server, site or action' })
    await focused(palette.getByRole('combobox'))
    await press('Escape')
    await palette.waitFor({ state: 'detached' })
    assert.equal(await help.isVisible(), false)
    await page.getByRole('button', { name: here.person.name }).click()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await single.check()
    await help.getByRole('button', { name: 'Close' }).click()
    await help.waitFor({ state: 'hidden' })
    await press('?')
    await help.waitFor()
    await press('Escape')
    assert.deepEqual(here.complaints(), [])
  })
})

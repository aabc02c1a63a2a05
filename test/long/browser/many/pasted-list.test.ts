// npm test leaves this out: it adds lists of monitors by the screen for them (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Monitor } from '../../../../src/core/monitors/monitor.ts'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { dropFiles } from '../../../support/browser/drop-files.ts'
import { expectAccessible } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'

describe('a list of addresses', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page

  before(async () => {
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope), 'free')
    page = here.page
    await here.team.monitor({
      name: 'Old shop',
      url: 'http://localhost:9/shop',
      check_interval_minutes: 60,
      check_interval_seconds: null,
    })
    await here.open('/monitors/many', 'Add many monitors')
  })

  const field = () => page.getByRole('textbox', { name: 'Addresses' })
  const line = (row: number) =>
    page.locator('[data-row]').filter({ has: page.getByText(String(row), { exact: true }) })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const monitors = async () => ((await here.team.ask('GET', '/monitors')).body as { data: Monitor[] }).data

  it('is shown as what would be added, row by row, with what is wrong', async () => {
    await field().fill(
      [
        'http://localhost:9/shop',
        'http://localhost:9/blog, Blog',
        'localhost:5432, Database',
        'gopher://localhost',
      ].join('\n'),
    )
    await line(1).getByText('There already, left alone: Old shop').waitFor()
    await line(2).getByText('Blog', { exact: true }).waitFor()
    await line(2).getByText('HTTP', { exact: true }).waitFor()
    await line(3).getByText('TCP port').waitFor()
    await line(4).getByText('must start with http').waitFor()
    await page.getByText('0 added, 1 there already, 1 cannot be added').waitFor()
    await expectAccessible(page, 'the preview of a list')
    assert.equal((await monitors()).length, 1)
  })

  it('is added but for what is there and what is wrong, and says so of each row', async () => {
    await button('Add 2 monitors').click()
    await line(2).getByText('Added: Blog').waitFor()
    await line(3).getByText('Added: Database').waitFor()
    await page.getByText('2 added, 1 there already, 1 cannot be added').waitFor()
    const found = (await monitors()).map(({ name, type, port }) => [name, type, port])
    assert.deepEqual(found.sort(), [
      ['Blog', 'http', null],
      ['Database', 'tcp', 5_432],
      ['Old shop', 'http', null],
    ])
  })

  it('adds nothing when it is pasted again', async () => {
    const text = await field().inputValue()
    await field().fill('')
    await field().fill(text)
    await page.getByText('0 added, 3 there already, 1 cannot be added').waitFor()
    assert.equal(await button('Add monitors').isDisabled(), true)
  })

  it('shows and sets the options of rows, and names the one that is wrong', async () => {
    const assertions = '"[{""source"": ""status_code"", ""comparison"": ""less_than"", ""target"": 400}]"'
    await field().fill(
      [
        'url,name,options.attempts,options.assertions',
        `http://localhost:9/options,With options,3,${assertions}`,
        'http://localhost:9/more,Too many,11,',
      ].join('\n'),
    )
    await line(2).getByText('Attempts before a check fails: 3').waitFor()
    await line(3).getByText('The attempts must be at most 10').waitFor()
    await button('Add 1 monitor').click()
    await line(2).getByText('Added: With options').waitFor()
    const found = (await monitors()).find(({ name }) => name === 'With options')
    assert.deepEqual(found?.options, {
      assertions: [{ source: 'status_code', comparison: 'less_than', target: 400, severity: 'down' }],
      attempts: 3,
    })
    await here.team.ask('DELETE', `/monitors/${found?.id}`)
  })

  it('does not add twice what somebody else has added since it was shown', async () => {
    await field().fill('http://localhost:9/wiki\nhttp://localhost:9/docs')
    await button('Add 2 monitors').waitFor()
    const add = async () => {
      await here.team.monitor({
        name: 'Wiki',
        url: 'http://localhost:9/wiki',
        check_interval_minutes: 60,
        check_interval_seconds: null,
      })
    }
    await page.route('**/app/teams/*/monitors?*', (route) => add().then(() => route.continue()), { times: 1 })
    await page.getByRole('button', { name: /^Add \d monitors?$/ }).click()
    await line(1).getByText('There already, left alone: Wiki').waitFor()
    await line(2).getByText('Added: localhost:9/docs').waitFor()
    assert.equal((await monitors()).filter(({ url }) => url?.endsWith('/wiki')).length, 1)
  })

  it('is read from a file of CSV', async () => {
    await page.getByLabel('Choose a file').setInputFiles({
      name: 'list.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name;url;type;interval\n"Shop; certificate";https://localhost:9;ssl;60 min\n'),
    })
    await line(2).getByText('Shop; certificate').waitFor()
    await line(2).getByText('Certificate', { exact: true }).waitFor()
    await line(2).getByText('1 h').waitFor()
  })

  it('is read from a file that is dropped', async () => {
    await dropFiles(field(), [{ name: 'list.txt', content: 'http://localhost:9/dropped, From a folder\n' }])
    await line(1).getByText('From a folder').waitFor()
    assert.match(await field().inputValue(), /^http:\/\/localhost:9\/dropped/)
  })

  it('longer than the plan has room for is not begun', async () => {
    await field().fill(Array.from({ length: 60 }, (_, index) => `http://localhost:9/${index}`).join('\n'))
    await page.getByRole('alert').getByText('The free plan leaves room for').waitFor()
    assert.equal(await button('Add 60 monitors').isDisabled(), true)
  })

  it('makes the page complain about nothing', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

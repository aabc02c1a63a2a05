// npm test leaves this out: it prints reports on two sizes of paper, and saves files (seconds of a browser).
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../support/browser/browser-team.ts'
import { openChromium, openPage } from '../../support/browser/chromium.ts'
import { createPerson, signInQuietly } from '../../support/browser/people.ts'
import { expectAccessible, expectNoSidewaysScroll, openScreen } from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'
import { arrived } from '../../support/servers/smtp-receiver.ts'
import { until } from '../../support/until.ts'

const MONITORS = ['Freight', 'Harbour', 'Customs']
const CUSTOMER = 'reader-of-reports@example.com'

describe('reports', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page
  let viewer: Page

  before(async () => {
    service = await browserService()
    const browser = await openChromium(scope)
    here = await openBrowserTeam(scope, service, browser)
    page = here.page
    for (const name of MONITORS)
      await here.team.monitor({ name, url: 'http://127.0.0.1:9/', is_active: false })
    const opened = await openPage(browser, service.services.siteUrl)
    scope.after(opened.leave)
    await signInQuietly(opened.context, await createPerson(service, here.team.teamId, 'viewer', 'Ottoline'))
    viewer = opened.page
  })

  const button = (name: string, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true })
  const dialog = () => page.getByRole('dialog')
  const subjects = async () =>
    (await page.getByRole('row').allInnerTexts()).slice(1).map((row) => row.split('\n')[0])
  const isShown = (name: string) => page.getByRole('row').filter({ hasText: name }).waitFor()

  it('are reached from the menu, and show everything of last month', async () => {
    await here.open('', 'All is well')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports' }).click()
    await page.getByText('No saved reports yet').waitFor()
    await page.getByRole('link', { name: 'New report' }).click()
    await page.getByRole('heading', { name: 'Uptime report', level: 1 }).waitFor()
    await isShown('Harbour')
    assert.deepEqual((await subjects()).sort(), [...MONITORS].sort())
    await expectAccessible(page, 'a report')
  })

  it('show any range, which the address keeps', async () => {
    await page.getByLabel('Period').selectOption('Any range…')
    await page.getByLabel('First day').fill('2026-02-10')
    await page.getByLabel('Last day').fill('2026-02-01')
    await page.getByText('The last day must not be before the first.').waitFor()
    assert.ok(await button('Show').isDisabled())
    await page.getByLabel('Last day').fill('2026-02-20')
    await button('Show').click()
    await page.waitForURL(/from=2026-02-10&to=2026-02-20/)
    await page.reload()
    await page.getByRole('article').getByText('2026').first().waitFor()
    assert.equal(await page.getByLabel('First day').inputValue(), '2026-02-10')
  })

  it('are about chosen subjects', async () => {
    await button('All subjects').click()
    await dialog().getByRole('checkbox', { name: 'Everything of the team' }).uncheck()
    await button('Show report', dialog()).click()
    await dialog().getByText('must name a monitor').waitFor()
    for (const name of ['Freight', 'Customs']) await dialog().getByRole('checkbox', { name }).check()
    await expectAccessible(page, 'the subjects of a report')
    await button('Show report', dialog()).click()
    await button('2 monitors').waitFor()
    await until('the others are gone', async () => (await subjects()).length === 2)
    assert.deepEqual((await subjects()).sort(), ['Customs', 'Freight'])
  })

  it('are saved as a file', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ])
    assert.match(download.suggestedFilename(), /^report-\d{4}-\d\d-\d\d\.csv$/)
    const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    assert.match(head ?? '', /^from,to,time_zone,kind,id,name,uptime_percent,/)
    assert.deepEqual(lines.map((line) => line.split(',')[5]).sort(), ['Customs', 'Freight'])
  })

  it('print without menus and without the dark, on A4 and on Letter', async () => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    assert.equal(await page.getByRole('navigation', { name: 'Main' }).isVisible(), false)
    assert.equal(await button('2 monitors').isVisible(), false)
    const outside = `document.body.innerText.trim() === document.querySelector('main').innerText.trim()`
    assert.ok(await page.evaluate(outside), 'nothing stands around the content')
    assert.ok(await page.getByRole('heading', { name: 'Uptime report', level: 2 }).isVisible())
    const background = 'getComputedStyle(document.documentElement).backgroundColor'
    assert.equal(await page.evaluate(background), 'rgb(255, 255, 255)')
    for (const width of [703, 726, 1_000]) {
      await page.setViewportSize({ width, height: 1_000 })
      await expectNoSidewaysScroll(page, `a print ${width} px wide`)
    }
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
    await page.setViewportSize({ width: 1_440, height: 900 })
  })

  it('are kept under a name, and sent monthly to an address that confirms', async () => {
    await button('Save report').click()
    await dialog().getByLabel('Name').fill('Ports, monthly')
    await dialog().getByLabel('Time zone').fill('Europe/Lisbon')
    await button('Save report', dialog()).click()
    await page.getByRole('heading', { name: 'Ports, monthly', level: 1 }).waitFor()
    await page.getByText('days in Europe/Lisbon').waitFor()
    await button('Send monthly to…').click()
    await dialog().getByLabel('E-mail address').fill('nobody')
    await button('Add', dialog()).click()
    await dialog().locator('[aria-invalid=true]').waitFor()
    await dialog().getByLabel('E-mail address').fill(CUSTOMER)
    await page.keyboard.press('Enter')
    await dialog().getByRole('listitem').getByText('unconfirmed').waitFor()
    // A button under the pointer is paler.
    await page.mouse.move(0, 0)
    await expectAccessible(page, 'the recipients of a report')
    const letter = await until('the letter', () =>
      arrived(service.smtp).find(({ to }) => to.includes(CUSTOMER)),
    )
    const link = /http\S+\/report-mails\/\S+/.exec(letter.text)?.[0] ?? ''
    const reader = await page.context().newPage()
    await reader.goto(link)
    await expectAccessible(reader, 'the link of a letter')
    await reader.getByRole('button', { name: 'Yes, send me the report' }).click()
    await reader.getByRole('heading', { name: 'You will get the report' }).waitFor()
    await reader.close()
    await dialog().getByText('Confirmed. Nothing sent yet.').waitFor()
    await button('Done', dialog()).click()
  })

  it('are shown to viewers, who change nothing', async () => {
    await openScreen(viewer, `/teams/${here.team.teamId}/reports`)
    await viewer.getByText('2 subjects · sent monthly to 1 address').waitFor()
    await viewer.getByRole('link', { name: 'Ports, monthly' }).click()
    await viewer.getByRole('row').filter({ hasText: 'Freight' }).waitFor()
    for (const name of ['Save report', 'Send monthly to…', '2 monitors', 'More actions'])
      assert.equal(await button(name, viewer).count(), 0, name)
  })

  it('are renamed and deleted', async () => {
    await button('More actions').click()
    await page.getByRole('menuitem', { name: 'Change name or time zone…' }).click()
    await dialog().getByLabel('Name').fill('Ports')
    await button('Save changes', dialog()).click()
    await page.getByRole('heading', { name: 'Ports', exact: true, level: 1 }).waitFor()
    await button('More actions').click()
    await page.getByRole('menuitem', { name: 'Delete report…' }).click()
    await button('Delete report', dialog()).click()
    await page.getByText('No saved reports yet').waitFor()
    assert.deepEqual(here.complaints(), [])
  })

  it('have company: a list is a file, with its filter', async () => {
    await openScreen(page, `/teams/${here.team.teamId}/monitors?search=Harb`)
    await isShown('Harbour')
    await button('More for this list').click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    assert.equal(lines.length, 2)
    assert.match(lines[1] ?? '', /,Harbour,/)
  })
})

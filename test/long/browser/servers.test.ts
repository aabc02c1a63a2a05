// npm test leaves this out: it goes from a new server to its charts and limits (seconds of a browser).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../support/browser/browser-team.ts'
import { openChromium, openPage } from '../../support/browser/chromium.ts'
import { clipboardOf } from '../../support/browser/clipboard.ts'
import { createPerson, signInQuietly } from '../../support/browser/people.ts'
import { expectAccessible, openScreen } from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'
import { until } from '../../support/until.ts'

const REPORT = readFileSync(join(import.meta.dirname, '../../core/servers/agent-reports/debian.txt'), 'utf8')

describe('servers', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page
  let viewer: Page
  let address: string
  let reports = 0

  before(async () => {
    service = await browserService()
    const browser = await openChromium(scope)
    here = await openBrowserTeam(scope, service, browser)
    page = here.page
    const opened = await openPage(browser, service.services.siteUrl)
    scope.after(opened.leave)
    await signInQuietly(opened.context, await createPerson(service, here.team.teamId, 'viewer', 'Sanjay'))
    viewer = opened.page
  })

  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name })
  const region = (name: string, of: Page | Locator = page) => of.getByRole('region', { name, exact: true })
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor()

  /** As the agent does it, a minute after the one before. */
  async function report(to = address): Promise<number> {
    reports++
    const later = (value: string) => String(Number(value) + 60 * reports)
    const body = REPORT.replace(/(?<=^@time\n)\d+/m, later).replace(/(?<=^@uptime\n)[\d.]+/m, later)
    const answer = await fetch(to, { method: 'POST', headers: { 'content-type': 'text/plain' }, body })
    return answer.status
  }

  it('have a screen that says how to begin, and begin with a name', async () => {
    await here.open('', 'Overview')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Servers' }).click()
    await page.getByText('No servers yet').waitFor()
    await page.getByRole('link', { name: 'Add your first server' }).click()
    await button('Add server').click()
    await page.getByText('Enter a name').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Web of Ada')
    await button('Add server').click()
  })

  it('are installed by one line, which waits for the first report and becomes the first chart', async () => {
    const dialog = page.getByRole('dialog', { name: 'Install the agent on Web of Ada' })
    await dialog.getByText('Waiting for the first report…').waitFor()
    await button('Copy install line', dialog).click()
    const line = await clipboardOf(page)
    address = /http\S+(?=\/install \| sh$)/.exec(line)?.[0] ?? ''
    assert.equal(line, `curl -fsSL ${address}/install | sh`)
    await button('OpenTelemetry', dialog).click()
    await dialog.getByText(`${address}/v1/metrics`).waitFor()
    await expectAccessible(page, 'the install dialog')
    assert.equal(await report(), 200)
    await dialog.getByText('web-1 reports.').waitFor()
    await dialog.getByRole('slider', { name: 'Memory, point by point' }).waitFor()
    await button('Show the server', dialog).click()
    await dialog.waitFor({ state: 'hidden' })
  })

  it('have a page with figures, charts, and tables of their parts', async () => {
    await page.getByText('The last report came').waitFor()
    await region('Machine').getByText('Debian GNU/Linux 12 (bookworm)').waitFor()
    const row = page.getByRole('table', { name: 'File systems' }).getByRole('row')
    await row.filter({ hasText: '/srv/my files' }).getByText('25 %').waitFor()
    await button('1 h').click()
    await region('Load over time').getByText('0.42').waitFor()
    await region('Load over time').getByText('Show as a table').click()
    const rows = region('Load as a table').getByRole('row')
    await rows.nth(1).waitFor()
    assert.equal(await rows.count(), 2)
  })

  it('zoom into a stretch that is drawn in a chart, and back', async () => {
    const box = await region('Load over time').locator('.u-over').boundingBox()
    assert.ok(box)
    await page.mouse.move(box.x + box.width * 0.2, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 20, { steps: 4 })
    await page.mouse.up()
    await button('Reset zoom').waitFor()
    const { from, to } = Object.fromEntries(new URL(page.url()).searchParams)
    // A third of an hour would be 1,080 s.
    assert.ok(Number(to) - Number(from) < 600, `${Number(to) - Number(from)} s: it begins with the record`)
    await button('Reset zoom').click()
    await button('Reset zoom').waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '?range=1h')
  })

  it('zoom by keys, and out again', async () => {
    const seconds = () => {
      const { from, to } = Object.fromEntries(new URL(page.url()).searchParams)
      return Number(to) - Number(from)
    }
    // The chart of a new server begins with its record, and is as short as a chart can be.
    await service.services.db.pool.query(
      "UPDATE servers SET created_at = created_at - interval '1 day' WHERE team_id = $1",
      [here.team.teamId],
    )
    await page.reload()
    await page.getByRole('slider', { name: 'Load, point by point' }).focus()
    await page.keyboard.press('+')
    const near = await until('a key zooms in', seconds)
    // All reports came within the last minutes: nothing is known of the middle.
    await page.getByText('No reports in this period.').waitFor()
    await page.keyboard.press('-')
    await until('and out', () => seconds() > near * 1.5)
    await page.getByText('No reports in this period.').waitFor({ state: 'detached' })
    await button('Reset zoom').click()
    await button('Reset zoom').waitFor({ state: 'detached' })
  })

  it('say of each threshold what it means, and at its line what is wrong', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Edit Web of Ada', level: 1 }).waitFor()
    await page.getByText('Begins when a file system is 90 % full or more for 10 min').waitFor()
    await page.getByLabel('Disk space: from').fill('50')
    await page.getByLabel('Disk space: minutes').fill('0')
    await button('Save changes').click()
    await page.getByText('Disk space, “Until”: must be at most 50, at which it begins, not 85.').waitFor()
    await page.getByLabel('Disk space: until').fill('40,5')
    await page.getByText('Begins when a file system is 50 % full or more; ends at 40,5 % or less.').waitFor()
    assert.equal(await page.getByLabel('CPU: from').count(), 0, 'it is off')
    await page.getByLabel('CPU is on').check()
    await page.getByLabel('CPU: from').waitFor()
    await button('Reset CPU to its default').click()
    assert.equal(await page.getByLabel('CPU is on').isChecked(), false)
    await expectAccessible(page, 'the form of a server')
    await button('Save changes').click()
    await said('Web of Ada saved.')
  })

  it('are seen in trouble by everyone at once, in words', async () => {
    await openScreen(viewer, `/teams/${here.team.teamId}/servers`)
    const row = viewer.getByRole('row').filter({ hasText: 'Web of Ada' })
    await row.getByText('79 %').filter({ visible: true }).waitFor()
    assert.equal(await viewer.getByRole('link', { name: 'Add server' }).count(), 0)
    assert.equal(await report(), 200)
    await row.locator('[data-status=down]').waitFor()
    await row.getByText(/^\/ is 7\d.* full/).waitFor()
    await page
      .getByRole('alert')
      .getByText(/^\/ is 7\d.* full/)
      .waitFor()
    await region('Incidents').getByText('Disk space of /').waitFor()
    await row.getByRole('link', { name: 'Web of Ada' }).click()
    await viewer.getByRole('heading', { name: 'Web of Ada', level: 1 }).waitFor()
    await region('Incidents', viewer).getByText('Ongoing').waitFor()
    await region('Incidents', viewer).getByText('Alerts').click()
    const alert = region('Incidents', viewer).getByText(/^Down: Web of Ada to /)
    await alert.click()
    await region('Incidents', viewer).getByRole('link', { name: 'Web of Ada' }).waitFor()
    assert.equal(await button(/Pause|More actions/, viewer).count(), 0)
  })

  it('have incidents that show the figure they are about, around their time', async () => {
    await region('Incidents').getByRole('link', { name: 'Disk space of /' }).click()
    await page.getByRole('heading', { name: 'Web of Ada: Disk space of /', level: 1 }).waitFor()
    await page.getByRole('slider', { name: 'File systems, point by point' }).waitFor()
    await page.getByText('Alerted', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'View server' }).click()
    await page.getByRole('heading', { name: 'Web of Ada', level: 1, exact: true }).waitFor()
  })

  it('are found in the list by name, and by the palette', async () => {
    await here.open('/servers', 'Servers')
    await page.getByLabel('Search').fill('nothing')
    await page.getByText('No matching servers').waitFor()
    await button('Show all').click()
    await page.getByRole('row').filter({ hasText: 'Web of Ada' }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Find a monitor, server, site or action' })
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.type('web of')
    await palette.getByRole('option', { selected: true }).filter({ hasText: 'Web of Ada' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Web of Ada', level: 1 }).waitFor()
  })

  it('are components of a status page beside monitors, which visitors see go down', async () => {
    await here.open('/status-pages/new', 'New status page')
    await page.getByLabel('Name', { exact: true }).fill('Ada in public')
    await page.getByRole('checkbox', { name: 'Web of Ada' }).check()
    await button('Create page').click()
    await region('Components (1)').getByRole('link', { name: 'Web of Ada' }).waitFor()
    await page.frameLocator('iframe').getByText('Major outage').first().waitFor()
    const server = region('Add servers').getByRole('checkbox', { name: 'Web of Ada' })
    await server.uncheck()
    await region('Components').getByText('There is nothing on this page yet.').waitFor()
    await server.check()
    await region('Components (1)').getByText('Everything is saved.').waitFor({ state: 'detached' })
    await button('Save page').click()
    await said('Ada in public saved.')
    await region('Components (1)').getByRole('link', { name: 'Web of Ada' }).click()
    await page.getByRole('heading', { name: 'Web of Ada', level: 1 }).waitFor()
  })

  it('are put under maintenance, paused, given a new address, and deleted after a question', async () => {
    await button('Maintenance').click()
    await page.getByRole('menuitem', { name: 'Now, for 30 min' }).click()
    await region('Under maintenance: Short-notice maintenance').waitFor()
    await button('More actions').click()
    await page.getByRole('menuitem', { name: 'New address…' }).click()
    await button('Create new address', page.getByRole('dialog')).click()
    await said('New address created.')
    assert.equal(await report(), 404)
    await button('Show the server').click()
    await button('Pause').click()
    await said('Paused.')
    await button('More actions').click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await button('Delete server', page.getByRole('dialog')).click()
    await said('“Web of Ada” deleted.')
    await page.getByText('No servers yet').waitFor()
  })

  it('make no page complain', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

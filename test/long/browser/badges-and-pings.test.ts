// npm test leaves this out: it goes through the page of several monitors, and runs the code that is copied there (seconds of a browser).
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../support/browser/chromium.ts'
import { clipboardOf } from '../../support/browser/clipboard.ts'
import { createPerson, signInQuietly } from '../../support/browser/people.ts'
import { expectAccessible, openScreen } from '../../support/browser/screens.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { suiteScope } from '../../support/scope.ts'
import { type SwitchTarget, startSwitchTarget } from '../../support/servers/switch-target.ts'
import { checkNow } from '../../support/services/check-now.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

describe('the badges, the settings and the pings on the page of a monitor', () => {
  const scope = suiteScope()
  let target: SwitchTarget
  let page: Page
  let panel: Locator
  let complaints: string[]
  let badge: string
  let siteUrl: string
  let service: BrowserService
  let team: TeamClient
  let shop: number

  before(async () => {
    service = await browserService()
    siteUrl = service.services.siteUrl
    const browser = await openChromium(scope)
    team = await teamClient(service)
    target = await startSwitchTarget(scope)
    const secrets = { request_headers: { 'X-Key': 'secret' }, username: 'watcher', password: 'secret' }
    shop = (await team.monitor({ name: 'Shop', url: target.url, check_interval_seconds: 3_600, ...secrets }))
      .id
    await team.untilStatus(shop, 'up')
    const person = await createPerson(service, team.teamId, 'viewer', 'Bea')
    const opened = await openPage(browser, service.url)
    ;({ page, complaints } = opened)
    await signInQuietly(opened.context, person)
    await openScreen(page, `/teams/${team.teamId}/monitors/${shop}`)
    // Folded away until somebody wants one.
    await page.getByRole('heading', { name: 'Badges' }).click()
    panel = page.getByRole('region', { name: 'Badges' })
    const report = await opened.context.request.get(`/app/teams/${team.teamId}/monitors/${shop}/report`)
    badge = (await report.json()).data.badge_url
  })

  it('are shown as far as the type uses them, without secrets', async () => {
    const lines = page.getByRole('region', { name: 'Settings' }).locator('dl > div')
    await lines.first().waitFor()
    const names = await lines.locator('dt').allTextContents()
    const values = await lines.locator('dd').allTextContents()
    const shown = names.map((name, index) => [name, values[index]])
    assert.deepEqual(shown.slice(0, -2), [
      ['Type', 'HTTP'],
      ['Method', 'GET'],
      ['Expected codes', '200'],
      ['Headers', 'X-Key: ********'],
      ['User name', 'watcher, with a password'],
      ['Timeout', '30 s'],
      ['Alerts', 'Every contact of the team'],
    ])
    assert.deepEqual(
      shown.slice(-2).map(([name]) => name),
      ['Created', 'ID'],
    )
  })

  const code = () => panel.locator('code').allTextContents()

  it('are shown as they are now', async () => {
    for (const label of ['status', 'uptime 30d', 'response time']) {
      const picture = panel.getByRole('img', { name: `Badge: ${label}`, exact: true })
      await picture.scrollIntoViewIfNeeded()
      await until(`the picture of ${label} is there`, () =>
        picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 60),
      )
    }
    await expectAccessible(page, 'the page of a monitor')
  })

  it('change with the monitor', async () => {
    const status = panel.getByRole('img', { name: 'Badge: status' })
    assert.match((await status.getAttribute('src')) ?? '', /-up$/)
    target.status = 503
    await checkNow(service, { teamId: team.teamId, id: shop, target })
    await until('the picture is asked for anew', async () =>
      (await status.getAttribute('src'))?.endsWith('-down'),
    )
  })

  it('have code to copy, in the form and for the window that are chosen', async () => {
    // The browser is at another name of the service: what is copied leads to its public one.
    assert.notEqual(new URL(page.url()).origin, siteUrl)
    assert.match(badge.replace(siteUrl, ''), /^\/badge\/[0-9a-f-]{36}$/)
    assert.deepEqual(await code(), [
      `![status](${badge}/status.svg)`,
      `![uptime 30d](${badge}/uptime.svg?window=30d)`,
      `![response time](${badge}/response.svg)`,
    ])
    await panel.getByRole('button', { name: '7 d', exact: true }).click()
    await panel.getByRole('button', { name: 'HTML' }).click()
    assert.deepEqual(await code(), [
      `<img src="${badge}/status.svg" alt="status">`,
      `<img src="${badge}/uptime.svg?window=7d" alt="uptime 7d">`,
      `<img src="${badge}/response.svg" alt="response time">`,
    ])
    await panel.getByRole('img', { name: 'Badge: uptime 7d' }).waitFor()
    await panel.getByRole('button', { name: 'URL' }).click()
    assert.equal((await code())[0], `${badge}/status.svg`)
    await page.context().grantPermissions(['clipboard-write'])
    await panel.getByRole('button', { name: 'Copy badge code (uptime, 7 days)' }).click()
    await panel.getByRole('button', { name: 'Copied badge code (uptime, 7 days)' }).waitFor()
    assert.equal(await clipboardOf(page), `${badge}/uptime.svg?window=7d`)
  })

  it('show what the job sent, as its text and how long it took, after its code to copy was run', async () => {
    const job = await team.monitor({ name: 'Backup', type: 'heartbeat', check_interval_seconds: 3_600 })
    await openScreen(page, `/teams/${team.teamId}/monitors/${job.id}`)
    await page.getByText('Nothing received yet').waitFor()
    await page.getByRole('heading', { name: 'At the end of a script' }).waitFor()
    const [code = ''] = await page.locator('code', { hasText: '/path/to/job' }).allTextContents()
    const script = code.replace('/path/to/job', `bash -c 'echo "<b>disk</b> full"; exit 3'`)
    await promisify(execFile)('bash', ['-c', script], { timeout: HANG_GUARD_MS })
    await team.untilStatus(job.id, 'down')

    const pings = page.getByRole('list', { name: 'Pings' }).getByRole('listitem')
    await pings.filter({ hasText: /Failed.*exit status 3, took \d+( ms| s)/ }).waitFor()
    const { rows } = await service.services.db.pool.query('SELECT FROM pings WHERE monitor_id = $1', [job.id])
    assert.equal(await pings.count(), rows.length)
    assert.match((await pings.last().textContent()) ?? '', /Started$/)
    const open = page.getByRole('button', { name: '16 bytes' })
    await open.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Ping body' }).getByText('<b>disk</b> full').waitFor()
    await expectAccessible(page, 'the page of a job')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Ping body' }).waitFor({ state: 'detached' })
  })

  it('are below the URL of the job, which is folded away now, and stays as somebody leaves it', async () => {
    const code = page.getByRole('heading', { name: 'At the end of a script' })
    // The first ping takes nothing away that somebody may be reading.
    assert.equal(await code.count(), 1)
    const fold = page.getByRole('heading', { name: 'Ping URL' })
    await page.reload()
    await fold.waitFor()
    assert.equal(await code.count(), 0)
    await fold.click()
    await code.waitFor()
    await page.reload()
    await code.waitFor()
    await expectAccessible(page, 'the page of a job with its URL')
    await fold.click()
    await code.waitFor({ state: 'detached' })
  })

  it('make the page complain of nothing', () => {
    assert.deepEqual(complaints, [])
  })
})

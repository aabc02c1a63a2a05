// npm test leaves this out: it watches an outage on every screen that shows it, from its check to its end (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { announceNews } from '../../../../src/store/news.ts'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { createPerson, signInQuietly } from '../../../support/browser/people.ts'
import { openScreen, untilLoaded, watchLayout } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { type SwitchTarget, startSwitchTarget } from '../../../support/servers/switch-target.ts'
import { checkNow } from '../../../support/services/check-now.ts'
import { type TeamClient, teamClient } from '../../../support/services/team-client.ts'
import { until } from '../../../support/until.ts'

describe('an outage, seen live', () => {
  const scope = suiteScope()
  let service: BrowserService
  let team: TeamClient
  let target: SwitchTarget
  let shop: number
  let blog: number
  let screens: Record<'overview' | 'list' | 'monitor', Page>
  const complaints: string[][] = []

  before(async () => {
    service = await browserService()
    const browser = await openChromium(scope)
    team = await teamClient(service)
    target = await startSwitchTarget(scope)
    const hourly = { check_interval_seconds: 3_600 }
    shop = (await team.monitor({ ...hourly, name: 'Shop', url: target.url })).id
    blog = (await team.monitor({ ...hourly, name: 'Blog', url: (await startSwitchTarget(scope)).url })).id
    for (const id of [shop, blog]) await team.untilStatus(id, 'up')
    const person = await createPerson(service, team.teamId, 'viewer', 'Odo')
    const open = async (path: string, heading: string) => {
      const opened = await openPage(browser, service.services.siteUrl)
      complaints.push(opened.complaints)
      await signInQuietly(opened.context, person)
      await openScreen(opened.page, `/teams/${team.teamId}${path}`)
      await opened.page.getByRole('heading', { name: heading, exact: true }).waitFor()
      return opened.page
    }
    screens = {
      overview: await open('', 'All is well'),
      list: await open('/monitors', 'Monitors'),
      monitor: await open(`/monitors/${shop}`, 'Shop'),
    }
    await screens.list.getByRole('link', { name: 'Shop' }).waitFor()
    for (const page of Object.values(screens)) await untilLoaded(page)
  })

  async function answerFromNowOn(status: number) {
    target.status = status
    await checkNow(service, { teamId: team.teamId, id: shop, target })
  }

  it('appears on every screen without a reload, and moves nothing', async () => {
    const watched = await Promise.all(Object.values(screens).map(watchLayout))
    await answerFromNowOn(503)
    await screens.overview.getByRole('heading', { name: '1 down' }).waitFor()
    await screens.overview.getByText('HTTP 503 (expected 200)').first().waitFor()
    await screens.overview.getByText('Shop went down').waitFor()
    await screens.list.getByRole('row').filter({ hasText: 'HTTP 503 (expected 200)' }).waitFor()
    await screens.monitor.getByText('HTTP 503 (expected 200)').first().waitFor()
    for (const shifts of watched) assert.deepEqual(await shifts(), [])
  })

  it('shows the answer that failed, at the check and at the incident', async () => {
    const { monitor } = screens
    const failed = monitor.getByRole('row').filter({ hasText: 'HTTP 503 (expected 200)' }).first()
    await failed.getByRole('button').click()
    await monitor.getByRole('region', { name: 'The answer that failed' }).getByText('HTTP/1.1 503').waitFor()
    await openScreen(monitor, `/teams/${team.teamId}/incidents/${(await team.incidents(shop))[0]?.id}`)
    await monitor.getByRole('region', { name: 'The answer that failed' }).getByText('HTTP/1.1 503').waitFor()
    await openScreen(monitor, `/teams/${team.teamId}/monitors/${shop}`)
  })

  it('ends on every screen when the monitor recovers', async () => {
    await answerFromNowOn(200)
    await screens.overview.getByRole('heading', { name: 'All is well' }).waitFor()
    await screens.overview.getByRole('link', { name: 'Shop Recovered' }).waitFor()
    // A list that is being read stays as it is until its reader asks for what is new.
    await screens.overview.getByRole('button', { name: '1 new (recent events)' }).click()
    await screens.overview.getByText('Shop recovered').waitFor()
    await screens.list.getByRole('row').filter({ hasText: 'HTTP 503' }).waitFor({ state: 'detached' })
    await screens.monitor.locator('[data-status=up]').first().waitFor()
  })

  it('shows what was configured meanwhile by a program', async () => {
    await team.data('PATCH', `/monitors/${shop}`, { name: 'Shop of Ada' })
    await screens.list.getByRole('link', { name: 'Shop of Ada' }).waitFor()
    await screens.monitor.getByRole('heading', { name: 'Shop of Ada' }).waitFor()
  })

  it('has the page of a monitor ask for nothing of its own when another one changes', async () => {
    const asked: string[] = []
    const note = (request: Request) => asked.push(new URL(request.url()).pathname)
    screens.monitor.on('request', note)
    const answered = screens.monitor.waitForResponse((answer) => answer.url().endsWith('/overview'))
    await announceNews(service.services.db.query, {
      team_id: team.teamId,
      event: 'monitor',
      data: { id: blog, status: 'down', is_active: true },
    })
    await answered
    screens.monitor.off('request', note)
    assert.deepEqual(
      asked.filter((path) => path.includes(`/monitors/${shop}`)),
      [],
    )
  })

  it('makes no page complain', () => {
    assert.deepEqual(complaints.flat(), [])
  })

  it('keeps the page where the chart is gone since an upgrade, and loads it again when asked', async () => {
    const { monitor: page } = screens
    const chart = '**/chart-*.js'
    await page.route(chart, (route) => route.fulfill({ status: 404 }))
    await page.reload()
    await page.getByText('The chart could not be drawn.').waitFor()
    await page.getByRole('heading', { name: 'Shop of Ada' }).waitFor()
    await page.unroute(chart)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('slider', { name: 'Response times, point by point' }).waitFor()
  })

  it('keeps the page where a screen is not loaded yet and the service is away, and shows it when it is back', async () => {
    const { monitor: page } = screens
    const file = '**/assets/settings-*.js'
    // From the start of the page on: a second after it the files of other screens are loaded, too.
    await page.route(file, (route) => route.abort())
    await page.reload()
    await page.getByRole('heading', { name: 'Shop of Ada' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Team', exact: true }).click()
    await page.getByRole('heading', { name: 'This screen has not loaded yet' }).waitFor()
    await page.getByRole('link', { name: 'Monitors', exact: true }).waitFor()
    await page.unroute(file)
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Leave this team' }).waitFor()
  })

  it('shows the list where an old link asks for what there is not, and takes that out of the address', async () => {
    const { list: page } = screens
    await openScreen(page, `/teams/${team.teamId}/monitors?order=bogus&page=0&sort=name`)
    await page.getByRole('link', { name: 'Shop of Ada' }).waitFor()
    await until('the address', () => new URL(page.url()).search === '?sort=name')
  })
})

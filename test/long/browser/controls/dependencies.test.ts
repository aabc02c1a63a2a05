// npm test leaves this out: it waits for checks of a parent and its child in a real service (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { expectAccessible } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { startSwitchTarget } from '../../../support/servers/switch-target.ts'
import { until } from '../../../support/until.ts'

const SELDOM = { check_interval_seconds: 3_600 }

describe('a monitor that depends on another, on screens', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page

  before(async () => {
    service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
    const config = { url: 'http://127.0.0.1:9/' }
    await here.team.data('POST', '/notification-contacts', { name: 'Hook', type: 'webhook', config })
  })

  const eventsOf = async (id: number) =>
    (
      await service.services.db.pool.query<{ event: string }>(
        'SELECT event FROM deliveries WHERE subject_id = $1 ORDER BY id',
        [id],
      )
    ).rows.map(({ event }) => event)
  const incidentOf = async (id: number): Promise<number> =>
    (await here.team.show(id)).open_incident?.id ?? assert.fail('no incident')

  it('is chosen in the form, and its alerts wait and go as the screens say', async () => {
    const [line, shop] = [await startSwitchTarget(scope, 503), await startSwitchTarget(scope, 503)]
    const { id: router } = await here.team.monitor({ ...SELDOM, name: 'Router', url: line.url })
    await here.team.untilStatus(router, 'down')
    const { id: child } = await here.team.monitor({
      ...SELDOM,
      name: 'Shop',
      url: shop.url,
      is_active: false,
    })

    await here.open(`/monitors/${child}/edit`, 'Edit Shop')
    await page.locator('summary').filter({ hasText: 'Patience' }).click()
    await page.getByRole('checkbox', { name: 'Router' }).check()
    assert.equal(await page.getByRole('checkbox', { name: 'Shop' }).count(), 0, 'itself')
    await expectAccessible(page, 'the choice of parents')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.waitForURL(`**/monitors/${child}`)
    assert.deepEqual((await here.team.show(child)).options, { depends_on: [router] })
    await here.team.data('PATCH', `/monitors/${child}`, { is_active: true })
    await here.team.untilStatus(child, 'down')
    await page.getByText('Alerts wait while Router is down.').waitFor()
    await expectAccessible(page, 'a monitor whose alerts wait')

    await here.open(`/incidents/${await incidentOf(child)}`, 'Shop is down')
    await page.getByText('No one is alerted yet: this monitor depends on Router').waitFor()
    await here.open(`/incidents/${await incidentOf(router)}`, 'Router is down')
    await page.getByText('Its alert waits').waitFor()
    await expectAccessible(page, 'the incident of a parent')
    assert.deepEqual(await eventsOf(child), [])

    line.status = 200
    await page.request.post(`/app/teams/${here.team.teamId}/monitors/${router}/check-now`)
    await here.team.untilStatus(router, 'up')
    // Its own check is an hour away: it is asked for.
    await until('the alert', async () => (await eventsOf(child)).length > 0)
    assert.deepEqual([...new Set(await eventsOf(child))], ['monitor.down'])
    await here.open(`/incidents/${await incidentOf(child)}`, 'Shop is down')
    await page.getByText('Alerts waited until Router had recovered.').waitFor()
  })
})

// npm test leaves this out: it reads a team on three screens of a browser (seconds that say little more than the tables in test/core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { NARROW, openChromium, openPage, WIDE } from '../../../support/browser/chromium.ts'
import { createTeamOf, signInQuietly } from '../../../support/browser/people.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  openScreen,
  untilLoaded,
} from '../../../support/browser/screens.ts'
import { makeTrouble, TROUBLE } from '../../../support/browser/troubled-team.ts'
import { suiteScope } from '../../../support/scope.ts'
import { type ServiceHere, startServiceHere } from '../../../support/services/service-here.ts'
import { until } from '../../../support/until.ts'

const { down, incidents } = TROUBLE

describe('a team in trouble', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let page: Page
  let team: number

  before(async () => {
    // Nothing is checked: the rows say what is down.
    service = await startServiceHere({ ROLES: 'api' })
    scope.after(() => service.close())
    const { id, owner } = await createTeamOf(service, 'Trouble', 'Counts')
    team = id
    await makeTrouble(service.services, team)
    const opened = await openPage(await openChromium(scope), service.url)
    page = opened.page
    await signInQuietly(opened.context, owner)
  })

  const heading = () => page.getByRole('heading', { level: 1, name: `${down.all} down`, exact: true })
  const entry = (nav: string, name: string) =>
    page.getByRole('navigation', { name: nav }).getByRole('link', { name: new RegExp(`^${name}`) })
  /** The first number of what is said there. */
  const numberIn = async (place: Locator) => Number(/\d+/.exec(await place.innerText())?.[0])
  const iconNumber = async () => {
    const href = await page.locator('link[rel=icon]').getAttribute('href')
    return Number(/>(\d+)<\/text>/.exec(decodeURIComponent(href ?? ''))?.[1])
  }

  it('counts the same in the menu, heading, tiles, title and icon, and on the wallboard', async () => {
    await page.setViewportSize(WIDE)
    await openScreen(page, `/teams/${team}`)
    await heading().waitFor()
    await until('the icon', async () => (await iconNumber()) === down.all)
    assert.match(await page.title(), new RegExp(`^${down.all} down `))
    const tile = page.getByRole('list', { name: 'By status' }).getByRole('listitem').first()
    assert.equal(await numberIn(tile), down.all)
    const { monitors, servers, sites } = down
    assert.match((await tile.innerText()).replaceAll(/\s+/g, ' '), /3 monitors 1 server 1 site$/)
    await page.getByText('3 monitors, 1 server and 1 site are down.').waitFor()
    const menu = Object.entries({ Monitors: monitors, Servers: servers, Sites: sites, Incidents: incidents })
    for (const [name, count] of menu) assert.equal(await numberIn(entry('Main', name)), count, name)
    await openScreen(page, `/teams/${team}/incidents?state=open`)
    const rows = page.getByRole('list', { name: 'Incidents' }).getByRole('listitem')
    await until('all ongoing incidents are listed', async () => (await rows.count()) === incidents)
    await openScreen(page, `/teams/${team}/wallboard`)
    await heading().waitFor()
    const wall = page.getByRole('list', { name: 'By status' }).getByRole('listitem').first()
    assert.equal(await numberIn(wall), down.all)
    assert.match(await page.title(), new RegExp(`^${down.all} down `))
  })

  it('has all that is down on the first screen of a phone, with windows that run and alerts that fail', async () => {
    await page.setViewportSize(NARROW)
    await openScreen(page, `/teams/${team}`)
    await heading().waitFor()
    await untilLoaded(page)
    assert.equal(await numberIn(entry('Most used', 'Incidents')), incidents)
    const alerts = page.getByRole('region', { name: 'Alerts' })
    await alerts.getByText('are failing').waitFor()
    await page.getByRole('link', { name: /^2 under maintenance/ }).waitFor()
    const lines = page.getByRole('region', { name: 'Needs attention' }).locator('[data-row]')
    assert.equal(await lines.count(), down.all)
    const bar = await page.getByRole('navigation', { name: 'Most used' }).boundingBox()
    const top = await lines.first().boundingBox()
    const last = await lines.nth(3).boundingBox()
    assert.ok(top && bar && top.y < bar.y / 2, `what is down begins at ${top?.y} of ${bar?.y}`)
    assert.ok(
      last && last.y + last.height <= bar.y,
      `the fourth ends at ${last && last.y + last.height} of ${bar.y}`,
    )
    const tiles = page.getByRole('list', { name: 'By status' })
    const boxes = await Promise.all((await tiles.getByRole('listitem').all()).map((one) => one.boundingBox()))
    assert.ok(boxes.length > 1)
    assert.equal(new Set(boxes.map((box) => box?.y)).size, 1, 'the numbers are one line')
    await expectNoSidewaysScroll(page, 'the overview on a phone')
    await expectAccessible(page, 'the overview on a phone')
  })
})

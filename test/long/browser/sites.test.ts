// npm test leaves this out: it adds sites, puts them under maintenance and looks at each area (seconds of a browser).
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { mostOfOne } from '../../../src/core/sharing/share.ts'
import { sizeOf } from '../../../src/core/sharing/shared.ts'
import { SiteArea } from '../../../src/core/sites/area.ts'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { type BrowserTeam, idInAddress, openBrowserTeam } from '../../support/browser/browser-team.ts'
import { openChromium } from '../../support/browser/chromium.ts'
import { addRow, changeRows } from '../../support/records/rows.ts'
import { addFinding, addSite } from '../../support/records/sites.ts'
import { suiteScope } from '../../support/scope.ts'
import { startSwitchTarget } from '../../support/servers/switch-target.ts'
import { type ServiceHere, startServiceHere } from '../../support/services/service-here.ts'

const MOST_OF_ONE_TEAM = mostOfOne(sizeOf('crawls'))

describe('the screens of sites', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page
  let address: string

  before(async () => {
    service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
    address = `${(await startSwitchTarget(scope)).url}/`
  })

  it('add a site by its address, show its areas, and silence what is known', async () => {
    await here.open('/sites', 'Sites')
    await page.getByRole('link', { name: 'Add your first site' }).click()
    const url = page.getByLabel('Address', { exact: true })
    await url.fill('ftp://127.0.0.1/')
    await page.getByRole('button', { name: 'Add site' }).click()
    await page.getByText('Must start with https:// or http://').waitFor()
    await url.fill(address)
    await page.getByLabel('Name').fill('Shop')
    // All that would leave this machine, or look before this test does.
    for (const area of ['Certificate', 'DNS', 'Domain', 'Links', 'Mixed content', 'Sitemap'])
      await page.getByLabel(area, { exact: true }).uncheck()
    await page.getByRole('button', { name: 'Add site' }).click()
    const id = await idInAddress(page, 'sites')
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor()
    const areas = page.getByRole('region', { name: 'Areas' }).getByRole('listitem')
    assert.equal(await areas.count(), 7)
    assert.equal(await areas.filter({ hasText: 'Not checked.' }).count(), 6)

    await page.getByRole('button', { name: 'Snooze (Home page)' }).click()
    await page.getByLabel('Reason').fill('Moving to another host')
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByText(/Snoozed until .*: Moving to another host/).waitFor()
    await page.getByRole('button', { name: 'End snooze (Home page)' }).click()
    await page.getByRole('button', { name: 'Snooze (Home page)' }).waitFor()

    const gone = `${address}gone`
    await addFinding(service.services.db, id, { address: gone })
    await changeRows(service.services.db, 'sites', { id }, { is_active: false })
    await here.open('/sites', 'Sites')
    await here.open(`/sites/${id}`, 'Shop')
    await page.reload()
    await page.getByRole('button', { name: `Ignore ${gone}` }).waitFor()
    await page.keyboard.press('/')
    await page.getByRole('button', { name: 'Broken 1' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: `Ignore ${gone}` }).click()
    await page.getByRole('button', { name: 'Ignore', exact: true }).click()
    await page.getByText('Enter a reason').waitFor()
    await page.getByLabel('Reason').fill('Gone on purpose')
    await page.getByRole('button', { name: 'Ignore', exact: true }).click()
    await page.getByRole('button', { name: 'Ignored 1' }).click()
    await page.getByText('Ignored: Gone on purpose').waitFor()
    assert.deepEqual(here.complaints(), [])
  })

  it('put one under maintenance in two clicks, prolong and end it, and plan the next', async () => {
    await page.getByRole('button', { name: 'Maintenance', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Now, for 1 h' }).click()
    const banner = page.getByRole('region', { name: 'Under maintenance: Short-notice maintenance' })
    await banner.getByRole('button', { name: 'Extend by 30 minutes' }).click()
    await page.getByText('Short-notice maintenance lasts 30 minutes longer.').waitFor()
    await banner.getByRole('button', { name: 'End now' }).click()
    await banner.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Maintenance', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Plan maintenance…' }).click()
    await page.getByRole('list', { name: 'Selected sites' }).getByText('Shop').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Move of the shop')
    await page.getByRole('button', { name: 'Create window' }).click()
    await page.getByRole('region', { name: 'Sites (1)' }).getByRole('link', { name: 'Shop' }).click()
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor()
    assert.deepEqual(here.complaints(), [])
  })

  it('are on the overview when they are down, and found by the palette', async () => {
    const { db } = service.services
    const areas_off = SiteArea.options.filter((area) => area !== 'dns')
    const { id } = await addSite(db, {
      ...{ team_id: here.team.teamId, name: 'Bookshop', areas_off, is_active: false },
    })
    const next_look_at = new Date(Date.now() + 86_400_000)
    await changeRows(
      db,
      'site_areas',
      { site_id: id },
      { status: 'down', cause: 'no such name', next_look_at },
    )
    await changeRows(db, 'sites', { id }, { is_active: true })
    // A load, since nobody tells the page of what a test writes.
    await page.goto(`/teams/${here.team.teamId}`)
    const trouble = page.getByRole('link', { name: /Bookshop/ })
    await trouble.filter({ hasText: 'DNS: no such name' }).waitFor()
    await page.getByRole('heading', { name: '1 down' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('books')
    await page.getByRole('option', { selected: true }).filter({ hasText: 'Bookshop' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Bookshop', level: 1 }).waitFor()
  })
})

describe('the screen of a site that nobody looks at yet', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let here: BrowserTeam
  let page: Page

  before(async () => {
    // Nothing of it looks at sites: what this test writes stays as it is.
    service = await startServiceHere({ ROLES: 'api' })
    scope.after(() => service.close())
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
  })

  it('say what one look has seen, when the next one is, and what a crawl waits for', async () => {
    const { db } = service.services
    const team_id = here.team.teamId
    const soon = new Date(Date.now() + 3_600_000)
    const { id } = await addSite(db, { team_id, name: 'Doubtful', is_active: false })
    await changeRows(db, 'site_areas', { site_id: id }, { next_look_at: soon })
    const doubt = { doubt: 'certificate is self-signed (CN=shop)', doubted_at: new Date() }
    await changeRows(
      db,
      'site_areas',
      { site_id: id, area: 'certificate' },
      { status: 'up', cause: 'valid until 2100-01-01', ...doubt },
    )
    await changeRows(db, 'site_areas', { site_id: id, area: 'links' }, { next_look_at: new Date(0) })
    const crawl = (site_id: number) =>
      addRow(db, 'site_crawls', {
        ...{ site_id, started_at: new Date(), ended_at: null, cut_short: null, by_hand: false },
        ...{ held_by: randomUUID(), held_until: soon },
      })
    const others = []
    for (let index = 0; index < MOST_OF_ONE_TEAM; index++)
      others.push(await addSite(db, { team_id, is_active: false }))
    await crawl((others[0] as { id: number }).id)
    await changeRows(db, 'sites', { id }, { is_active: true })
    const openAnew = async () => {
      await here.open('/sites', 'Sites')
      await here.open(`/sites/${id}`, 'Doubtful')
      await page.reload()
    }
    await openAnew()
    const areas = page.getByRole('region', { name: 'Areas' }).getByRole('listitem')
    const certificate = areas.filter({ hasText: 'Valid until 2100-01-01' })
    await certificate.getByText(/^Seen once, checked again at .+: certificate is self-signed/).waitFor()
    const links = areas
      .filter({ hasText: 'Check now' })
      .filter({ has: page.getByText('Links', { exact: true }) })
    await links.getByText(/The crawl begins when another crawl ends or makes way/).waitFor()
    for (const other of others.slice(1)) await crawl(other.id)
    await openAnew()
    await links
      .getByText(`Waits for the crawl of another site of your team (${MOST_OF_ONE_TEAM} are running)`)
      .waitFor()
    await crawl(id)
    await openAnew()
    await links.getByText('Crawl under way').waitFor()
    await changeRows(db, 'sites', { id }, { is_active: false })
    assert.deepEqual(here.complaints(), [])
  })
})

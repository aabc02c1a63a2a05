// npm test leaves this out: it looks for incidents in every way that the list has, on a phone as well (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../support/browser/browser-team.ts'
import { NARROW, openChromium, WIDE } from '../../support/browser/chromium.ts'
import { clipboardOf } from '../../support/browser/clipboard.ts'
import { expectAccessible, expectNoSidewaysScroll, untilLoaded } from '../../support/browser/screens.ts'
import { addChecks, addIncident } from '../../support/records/history.ts'
import { addRow, ago } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { startSwitchTarget } from '../../support/servers/switch-target.ts'
import { until } from '../../support/until.ts'

const HOUR_MS = 3_600_000
/** The least that people press with a thumb, in px. */
const MIN_TARGET = 44

describe('incidents, as people look for them', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page
  let rows: Locator
  let search: Locator
  let shop: number

  before(async () => {
    service = await browserService()
    const { db } = service.services
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
    rows = page.getByRole('list', { name: 'Incidents' }).getByRole('listitem')
    search = page.getByRole('searchbox', { name: 'Search' })
    const { team } = here
    const { url } = await startSwitchTarget(scope)
    shop = (await team.monitor({ name: 'Shop', url, check_interval_seconds: 3_600 })).id
    await team.untilStatus(shop, 'up')
    const others = { team_id: team.teamId, cause: 'HTTP 503 (expected 200)' }
    for (const hours of [2, 60 * 24]) {
      const startedAt = ago(hours * HOUR_MS)
      const resolvedAt = new Date(startedAt.getTime() + 90_000)
      await addIncident(db, { ...others, monitor_id: shop, started_at: startedAt, resolved_at: resolvedAt })
    }
    const server = await addRow(db, 'servers', {
      ...{ team_id: team.teamId, name: 'Rack', thresholds: '{}', token: '', token_hash: Buffer.of(7, 7) },
    })
    await addRow(db, 'server_state', { server_id: server.id, status: 'degraded' })
    await addIncident(db, {
      ...{ team_id: team.teamId, server_id: server.id, about: 'disk_space:/', warns_only: true },
      ...{ cause: '/ is 93 % full (limit 90 %)', started_at: ago(HOUR_MS) },
      processes: JSON.stringify([{ name: 'postgres', cpu_percent: 90, memory_percent: null }]),
    })
  })

  const names = async () =>
    Promise.all((await rows.all()).map(async (row) => (await row.innerText()).match(/Shop|Rack/)?.[0]))

  it('are found by words, kind, subject and days, which are in the address', async () => {
    await here.open('/incidents', 'Incidents')
    await rows.nth(2).waitFor()
    assert.deepEqual(await names(), ['Rack', 'Shop', 'Shop'], 'newest first')
    await page.keyboard.press('/')
    await search.and(page.locator(':focus')).waitFor()
    await search.fill('503')
    await rows.filter({ hasText: 'Rack' }).waitFor({ state: 'detached' })
    await page.waitForURL(/\?search=(%22)?503/)
    await search.fill('')
    await rows.filter({ hasText: 'Rack' }).waitFor()
    await page.getByLabel('Kind').selectOption('Servers')
    await rows.filter({ hasText: 'Shop' }).first().waitFor({ state: 'detached' })
    await page.waitForURL(/kind=server/)
    await page.getByLabel('Kind').selectOption('Any')
    await page.getByRole('button', { name: 'Subject Any' }).click()
    const dialog = page.getByRole('dialog', { name: 'Choose a monitor, server or site' })
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('sho')
    await dialog.getByRole('button', { name: 'Rack' }).waitFor({ state: 'detached' })
    await expectAccessible(page, 'the choice of a subject')
    await dialog.getByRole('button', { name: 'Shop' }).click()
    await page.getByRole('button', { name: 'Subject Shop' }).waitFor()
    await rows.filter({ hasText: 'Rack' }).waitFor({ state: 'detached' })
    await page.getByLabel('Period').selectOption('Any range…')
    await page.getByLabel('From').fill(
      ago(48 * HOUR_MS)
        .toISOString()
        .slice(0, 10),
    )
    await until('only one is that new', async () => (await rows.count()) === 1)
    // A person who is given this address sees the same.
    await page.reload()
    await page.getByRole('button', { name: 'Subject Shop' }).waitFor()
    await until('it is listed', async () => (await rows.count()) === 1)
    await page.getByRole('button', { name: 'Show all subjects' }).click()
    await rows.filter({ hasText: 'Rack' }).waitFor()
    await page.getByLabel('From').fill('')
    await until('all are listed', async () => (await rows.count()) === 3)
    await page.getByRole('button', { name: 'Ongoing' }).click()
    await until('one is ongoing', async () => (await rows.count()) === 1)
  })

  it('open by a click anywhere in their row, and by the keyboard', async () => {
    await here.open('/incidents', 'Incidents')
    await rows
      .filter({ hasText: 'Shop' })
      .first()
      .click({ position: { x: 4, y: 4 } })
    await page.getByRole('heading', { name: 'Shop was down', level: 1 }).waitFor()
    await here.open('/incidents', 'Incidents')
    await rows.first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Rack: Disk space of /', level: 1 }).waitFor()
    await page.getByText('postgres').waitFor()
    await page.getByRole('link', { name: 'View server' }).click()
    await page.getByRole('heading', { name: 'Rack', exact: true, level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Disk space of /' }).click()
    await page.getByRole('heading', { name: 'Rack: Disk space of /', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'View server' }).click()
    await page.getByRole('link', { name: 'View all incidents' }).click()
    await page.getByRole('button', { name: 'Subject Rack' }).waitFor()
    await until('its one incident is listed', async () => (await rows.count()) === 1)
  })

  it('say first who was alerted, show the time around them in a chart, and fold the checks that passed', async () => {
    const { db } = service.services
    const { team } = here
    const incident = { started_at: ago(4 * HOUR_MS), resolved_at: ago(3 * HOUR_MS) }
    const id = await addIncident(db, {
      ...{ team_id: team.teamId, monitor_id: shop, cause: 'HTTP 500 (expected 200)' },
      ...incident,
    })
    const begun = incident.started_at.getTime()
    await addChecks(
      db,
      [5, 4, 3, 2, 1].map((minutes) => ({
        ...{ monitor_id: shop, region: 'local', response_time_ms: 20 + minutes },
        checked_at: new Date(begun - minutes * 60_000),
      })),
    )
    await here.open(`/incidents/${id}`, 'Shop was down')
    await page.getByText('No contact', { exact: true }).waitFor()
    const plot = page.getByRole('slider', { name: 'Response times, point by point' })
    await plot.waitFor()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    const folded = timeline.getByText('5 checks passed')
    await folded.waitFor()
    const places = [page.getByText('Alerted', { exact: true }), plot, timeline]
    const tops = await Promise.all(places.map(async (place) => (await place.boundingBox())?.y ?? 0))
    assert.deepEqual(
      tops,
      tops.toSorted((one, other) => one - other),
      'who was alerted is read first',
    )
    assert.equal(await timeline.getByText(/^Check passed/).count(), 0, 'folded')
    await folded.click()
    await until('they are told', async () => (await timeline.getByText(/Check passed in/).count()) === 5)
    await expectAccessible(page, 'an incident')
    await page.getByRole('link', { name: 'More of the chart' }).click()
    await page.getByRole('heading', { name: 'Shop', exact: true, level: 1 }).waitFor()
    await page.waitForURL(/from=\d+&to=\d+/)
  })

  it('have one action that stands out, and it is what comes next', async () => {
    const bar = page.getByRole('toolbar', { name: 'Actions on this incident' })
    const main = bar.locator('.bg-accent')
    const only = async () => (await main.allInnerTexts()).map((words) => words.trim())
    await here.open('/incidents?search=503', 'Incidents')
    await rows.filter({ hasText: 'Shop' }).first().click()
    await bar.waitFor()
    assert.deepEqual(await only(), ['Copy as Markdown'], 'it is over')
    await here.open('/incidents?search=Rack', 'Incidents')
    await rows.first().click()
    await bar.getByRole('button', { name: 'Acknowledge' }).waitFor()
    assert.deepEqual(await only(), ['Acknowledge'])
    await page.getByRole('heading', { name: 'Rack: Disk space of /', level: 1 }).waitFor()
  })

  it('are copied as Markdown, and have their monitor checked', async () => {
    await here.open('/incidents?search=Shop', 'Incidents')
    await rows.first().click()
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await page.getByRole('status').getByText('Copied as Markdown.').waitFor()
    const text = await clipboardOf(page)
    assert.match(text, /^# Shop was down\n\n- \*\*Monitor:\*\* Shop /)
    assert.ok(text.includes(`- **Details:** <${page.url()}>`), text)
    assert.match(text, /- \*\*Duration:\*\* 1 min 30 s/)
    await page.getByRole('button', { name: 'Check now' }).click()
    await page
      .getByRole('status')
      .getByText(/^Check passed in /)
      .waitFor()
  })

  it('and other lists fold their filters on a phone, and are used with a thumb', async () => {
    scope.after(() => page.setViewportSize(WIDE))
    await page.setViewportSize(NARROW)
    for (const [path, heading] of [
      ['/monitors?status=up', 'Monitors'],
      ['/servers?status=degraded', 'Servers'],
      ['/incidents?kind=monitor', 'Incidents'],
      ['/deliveries?state=sent', 'Delivery log'],
    ] as const) {
      await here.open(path, heading)
      await untilLoaded(page)
      await expectNoSidewaysScroll(page, path)
      const fold = page.getByRole('button', { name: 'Filters (1)' })
      const filter = page.locator('search select').first()
      assert.equal(await filter.isVisible(), false, path)
      await fold.click()
      await filter.waitFor()
      await expectNoSidewaysScroll(page, `${path}, unfolded`)
      for (const target of [fold, filter, ...(await page.locator('[data-row]').all())]) {
        const height = (await target.boundingBox())?.height ?? 0
        assert.ok(height >= MIN_TARGET, `${path}: ${height} px is too little to press`)
      }
    }
    const bar = page.getByRole('navigation', { name: 'Most used' })
    await bar.getByRole('link', { name: 'Monitors' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Shop' })
    await row.getByRole('img', { name: /days/ }).waitFor()
    await row
      .getByText(/^[\d.]+ %$/)
      .filter({ visible: true })
      .waitFor()
    await bar.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Sites', exact: true }).click()
    await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor()
    await bar.getByRole('button', { name: /^Find/ }).click()
    await page.getByRole('dialog', { name: /^Find/ }).getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await here.open('/incidents', 'Incidents')
    await rows.filter({ hasText: 'Shop' }).first().click()
    const actions = page.getByRole('toolbar', { name: 'Actions on this incident' })
    await actions.waitFor()
    const inReach = await actions.boundingBox()
    assert.ok((inReach?.y ?? 0) > NARROW.height / 2, 'at the bottom of the screen')
    for (const action of await actions.locator('a, button').all()) {
      const { height = 0, width = 0 } = (await action.boundingBox()) ?? {}
      assert.ok(Math.min(height, width) >= MIN_TARGET, `${await action.innerText()}: ${width} × ${height} px`)
    }
    // The last line of the page ends above the bar.
    await page.keyboard.press('End')
    await until('the end of the page is in sight', async () => {
      const end = await page.getByRole('region', { name: 'Timeline' }).boundingBox()
      return (end?.y ?? 0) + (end?.height ?? 0) <= (inReach?.y ?? 0)
    })
  })

  it('make the page complain about nothing', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

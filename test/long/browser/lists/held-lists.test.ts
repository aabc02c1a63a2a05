// npm test leaves this out: it lets many rows change while several lists are read (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { announceNews } from '../../../../src/store/news.ts'
import { NARROW, openChromium, openPage, WIDE } from '../../../support/browser/chromium.ts'
import { createTeamOf, signInQuietly } from '../../../support/browser/people.ts'
import { expectAccessible, openScreen, untilLoaded } from '../../../support/browser/screens.ts'
import { addDeliveries } from '../../../support/records/alerting.ts'
import { addChecks, addIncident } from '../../../support/records/history.ts'
import { addMonitors } from '../../../support/records/monitors.ts'
import { ago, changeRows } from '../../../support/records/rows.ts'
import { addServers } from '../../../support/records/servers.ts'
import { addSite } from '../../../support/records/sites.ts'
import { suiteScope } from '../../../support/scope.ts'
import { type ServiceHere, startServiceHere } from '../../../support/services/service-here.ts'
import { until } from '../../../support/until.ts'

/** More than a page. */
const ROWS = 70
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const CAUSE = 'connection refused by 203.0.113.7:443'
/** A tenth of what web.dev/cls calls good. */
const MAX_SHIFT = 0.01

describe('a list that somebody reads', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let page: Page
  let complaints: string[]
  let team: number
  let monitors: number[]
  let servers: number[]

  before(async () => {
    // Nothing is checked: the test says what is down.
    service = await startServiceHere({ ROLES: 'api' })
    scope.after(() => service.close())
    const { id, owner } = await createTeamOf(service, 'Steady', 'Readers')
    team = id
    const { db } = service.services
    const state = { status: 'up' as const, last_checked_at: new Date() }
    const named = (kind: string, index: number) => `${kind} ${String(index).padStart(2, '0')}`
    monitors = (
      await addMonitors(db, ROWS, (index) => ({ team_id: id, name: named('Monitor', index), state }))
    ).map((one) => one.id)
    servers = (
      await addServers(db, ROWS, (index) => ({
        ...{ team_id: id, name: named('Server', index) },
        state: { status: 'up', last_report_at: new Date() },
      }))
    ).map((one) => one.id)
    const opened = await openPage(await openChromium(scope), service.url)
    page = opened.page
    complaints = opened.complaints
    await page.setViewportSize(WIDE)
    await signInQuietly(opened.context, owner)
  })

  async function monitorGoesDown(index: number) {
    const { db } = service.services
    const id = monitors[index] as number
    const at = new Date()
    const incident = await addIncident(db, { team_id: team, monitor_id: id, started_at: at, cause: CAUSE })
    const state = { status: 'down' as const, status_since: at, open_incident_id: incident }
    await changeRows(db, 'monitor_state', { monitor_id: id }, state)
    const news = { id, status: 'down' as const, is_active: true }
    await announceNews(db.query, { team_id: team, event: 'monitor', data: news })
    const opened = { id: incident, monitor_id: id, state: 'open' as const }
    await announceNews(db.query, { team_id: team, event: 'incident', data: opened })
  }

  async function monitorRecovers(index: number) {
    const { db } = service.services
    const id = monitors[index] as number
    await changeRows(db, 'team_incidents', { kind: 'monitor', subject_id: id }, { resolved_at: new Date() })
    await changeRows(db, 'monitor_state', { monitor_id: id }, { status: 'up', open_incident_id: null })
    const news = { id, status: 'up' as const, is_active: true }
    await announceNews(db.query, { team_id: team, event: 'monitor', data: news })
  }

  async function serverGoesDown(index: number) {
    const { db } = service.services
    const id = servers[index] as number
    await changeRows(db, 'server_state', { server_id: id }, { status: 'down', status_since: new Date() })
    await announceNews(db.query, { team_id: team, event: 'servers', data: {} })
  }

  /** Their order is that of their names: nothing but another site changes it. */
  async function siteIsAdded(index: number) {
    const { db } = service.services
    await addSite(db, { team_id: team, name: `Site ${20 + index}` })
    await announceNews(db.query, { team_id: team, event: 'sites', data: {} })
  }

  /** Each is nearer than the one before, and comes first. */
  async function certificateExpires(index: number) {
    const { db } = service.services
    const ssl_expires_at = new Date(Date.now() + (100 - index) * DAY_MS)
    await changeRows(db, 'monitor_state', { monitor_id: monitors[index] as number }, { ssl_expires_at })
    await announceNews(db.query, { team_id: team, event: 'sites', data: {} })
  }

  async function alertIsSent(index: number) {
    const { db } = service.services
    const alert = { team_id: team, contact_name: `Contact ${index}`, state: 'sent' as const }
    const [id = 0] = await addDeliveries(db, [alert])
    const data = { id, state: 'sent' as const, contact_id: null, incident_id: null }
    await announceNews(db.query, { team_id: team, event: 'delivery', data })
  }

  const rows = () => page.locator('main [data-row]')
  /** The first line of each row, which names it. */
  const names = async () =>
    (await rows().allInnerTexts()).map((text) => text.match(/(Monitor|Server|Site|Contact) \d+/)?.[0] ?? text)
  const changed = (count = '\\d+') => page.getByRole('button', { name: new RegExp(`^${count} changed$`) })
  const overList = () => rows().nth(3).hover()
  const awayFromList = () => page.mouse.move(10, 10)

  async function watchShifts() {
    await page.evaluate(`
      globalThis.shifts = { sum: 0, what: [] }
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries()) {
          shifts.sum += value
          shifts.what.push(value + ' ' + sources.map(({ node }) => node?.outerHTML?.slice(0, 200) ?? node?.data))
        }
      }).observe({ type: 'layout-shift' })
    `)
    return () => page.evaluate('shifts') as Promise<{ sum: number; what: string[] }>
  }

  async function openList(path: string) {
    await openScreen(page, `/teams/${team}`)
    await awayFromList()
    await openScreen(page, `/teams/${team}${path}`)
    await untilLoaded(page)
    await rows().first().waitFor()
    // The answer to an earlier visit makes way for that of now.
    const isFetching = 'globalThis.__TSR_ROUTER__.options.context.queries.isFetching() > 0'
    await until('the answer of now', async () => !(await page.evaluate(isFetching)))
  }

  const lists: Record<string, { path: string; change: (index: number) => Promise<void> }> = {
    'of monitors': { path: '/monitors', change: (index) => monitorGoesDown(60 - index) },
    'of servers': { path: '/servers', change: (index) => serverGoesDown(60 - index) },
    'of incidents': { path: '/incidents', change: (index) => monitorGoesDown(40 - index) },
    'of alerts': { path: '/deliveries', change: alertIsSent },
    'of sites': { path: '/sites', change: siteIsAdded },
    'of expiry dates': { path: '/expiries', change: certificateExpires },
  }
  for (const [name, { path, change }] of Object.entries(lists))
    it(`${name} keeps its rows below the pointer, and says how many wait`, async (test) => {
      await change(0)
      await change(1)
      await openList(path)
      const before = await names()
      await (before.length > 3 ? overList() : rows().first().hover())
      const shifts = await watchShifts()
      await change(2)
      await changed('1').waitFor()
      await change(3)
      await changed('2').waitFor()
      assert.deepEqual(await names(), before)
      const { sum, what } = await shifts()
      test.diagnostic(`shift: ${sum.toFixed(4)}`)
      assert.ok(sum <= MAX_SHIFT, `${sum}: ${what.join('\n')}`)
      await changed().click()
      await until('the order is new', async () => (await names()).join() !== before.join())
      await changed().waitFor({ state: 'detached' })
      // Rows that moved are seen as such.
      await until('the move was seen', async () => (await shifts()).sum > sum)
      // With nobody at the list, it is shown as it is.
      const now = await names()
      await awayFromList()
      await change(4)
      await until('the list follows', async () => (await names()).join() !== now.join())
      assert.equal(await changed().count(), 0)
    })

  const ways: Record<string, { begin: () => Promise<unknown>; end: () => Promise<unknown> }> = {
    'is scrolled': {
      begin: () => page.evaluate('scrollTo(0, 120)'),
      end: () => page.evaluate('scrollTo(0, 0)'),
    },
    'has text that is selected': {
      begin: () =>
        page.evaluate(`getSelection().selectAllChildren(document.querySelector('main [data-row] a'))`),
      end: () => page.evaluate('getSelection().removeAllRanges()'),
    },
  }
  for (const [index, [what, { begin, end }]] of Object.entries(ways).entries())
    it(`keeps its rows while it ${what}, on a phone, too`, async () => {
      await page.setViewportSize(NARROW)
      await openList('/monitors')
      const before = await names()
      await begin()
      // It comes from the second page: the same rows in another order would be no reason to move.
      await monitorGoesDown(50 + index)
      await changed('1').waitFor()
      assert.deepEqual(await names(), before)
      await end()
      await until('the list follows', async () => (await names()).join() !== before.join())
      assert.equal(await changed().count(), 0)
      await page.setViewportSize(WIDE)
    })

  /** Events of one monitor, minutes ago, which come into the boxes of its page newest first. */
  const boxes: Record<string, (id: number, minutes: number) => Promise<void>> = {
    async Checks(monitor_id, minutes) {
      const { db } = service.services
      await addChecks(db, [{ monitor_id, region: 'local', checked_at: ago(minutes * MINUTE_MS) }])
      const data = { id: monitor_id, status: 'up' as const, is_active: true }
      await announceNews(db.query, { team_id: team, event: 'monitor', data })
    },
    async Incidents(monitor_id, minutes) {
      const { db } = service.services
      const started_at = ago(minutes * MINUTE_MS)
      const over = { resolved_at: new Date(started_at.getTime() + 1_000), cause: CAUSE }
      const id = await addIncident(db, { team_id: team, monitor_id, started_at, ...over })
      await announceNews(db.query, {
        ...{ team_id: team, event: 'incident', data: { id, monitor_id, state: 'resolved' } },
      })
    },
  }
  for (const [title, happens] of Object.entries(boxes))
    it(`has its rows below the pointer in the box “${title}” of a monitor, too`, async () => {
      const id = monitors[5] as number
      const box = page.getByRole('region', { name: title, exact: true })
      const waits = (count: number) => box.getByRole('button', { name: `${count} changed`, exact: true })
      const times = async () =>
        Promise.all((await box.locator('time').all()).map((one) => one.getAttribute('datetime')))
      for (const minutes of [30, 20, 10]) await happens(id, minutes)
      await openScreen(page, `/teams/${team}/monitors/${id}`)
      await untilLoaded(page)
      await until('three rows', async () => (await times()).length === 3)
      await box.locator('time').nth(1).hover()
      const before = await times()
      await happens(id, 5)
      await waits(1).waitFor()
      await happens(id, 4)
      await waits(2).waitFor()
      assert.deepEqual(await times(), before)
      await waits(2).click()
      await until('all five', async () => (await times()).length === 5)
      await page.evaluate('scrollTo(0, 0)')
      await awayFromList()
      await happens(id, 3)
      await until('the box follows', async () => (await times()).length === 6)
    })

  it('keeps its rows in a box while one of them is open', async () => {
    const id = monitors[6] as number
    const add = boxes.Checks as (id: number, minutes: number) => Promise<void>
    for (const minutes of [30, 20]) await add(id, minutes)
    await openScreen(page, `/teams/${team}/monitors/${id}`)
    await untilLoaded(page)
    const box = page.getByRole('region', { name: 'Checks', exact: true })
    const opener = box.locator('tbody').getByRole('button', { expanded: false }).first()
    await opener.click()
    await box.getByRole('button', { expanded: true }).waitFor()
    await page.evaluate('scrollTo(0, 0)')
    await awayFromList()
    await add(id, 10)
    await box.getByRole('button', { name: '1 changed', exact: true }).waitFor()
    await box.getByRole('button', { expanded: true }).click()
    await page.evaluate('scrollTo(0, 0)')
    await awayFromList()
    await until('the box follows', async () => (await box.locator('tbody time').count()) === 3)
  })

  it('keeps the room of the boxes beside incidents, when the last one that could be chosen ends', async () => {
    await monitorGoesDown(30)
    await openList('/incidents?search=Monitor%2030')
    const box = page.getByRole('checkbox', { name: 'Select Monitor 30' })
    await box.waitFor()
    await rows().first().hover()
    const placeOf = async () => (await rows().first().getByRole('link').boundingBox())?.x
    const before = await placeOf()
    await monitorRecovers(30)
    const data = { id: 0, monitor_id: monitors[30] as number, state: 'resolved' as const }
    await announceNews(service.services.db.query, { team_id: team, event: 'incident', data })
    await box.waitFor({ state: 'detached' })
    await rows().first().getByText('Resolved').waitFor()
    assert.equal(await placeOf(), before)
  })

  it('has its lines in a box of figures on the overview, too', async () => {
    // Scrolled to it, a reader of a phone is at it, whatever comes above.
    await page.setViewportSize(NARROW)
    await openScreen(page, `/teams/${team}`)
    await untilLoaded(page)
    const box = page.getByRole('region', { name: 'Expiring next', exact: true })
    const lines = async () =>
      (await box.getByRole('listitem').allInnerTexts()).map((text) => text.match(/Monitor \d+/)?.[0])
    const before = await lines()
    assert.ok(before.length > 1, before.join())
    await box.getByRole('listitem').nth(1).hover()
    await certificateExpires(7)
    await box.getByRole('button', { name: '1 changed', exact: true }).click()
    await until('the newest is first', async () => (await lines())[0] === 'Monitor 07')
    assert.notDeepEqual(await lines(), before)
    await page.setViewportSize(WIDE)
  })

  it('shows what is known of each row, also of those that belong elsewhere by now', async () => {
    await openList('/monitors')
    await overList()
    const before = await names()
    const row = rows().filter({ hasText: 'Monitor 60' })
    await row.getByText(CAUSE).waitFor()
    await monitorRecovers(60)
    // It belongs on the second page now.
    await row.locator('[data-status=up]').waitFor()
    assert.deepEqual(await names(), before)
    await changed('1').waitFor()
  })

  it('keeps the focus of the keyboard', async () => {
    await openList('/monitors?sort=attention')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const focused = () => page.evaluate('document.activeElement.textContent') as Promise<string>
    const before = await names()
    const name = await focused()
    assert.equal(before.includes(name), true, name)
    await monitorGoesDown(25)
    await changed('1').waitFor()
    assert.equal(await focused(), name)
    assert.deepEqual(await names(), before)
    await changed().focus()
    await page.keyboard.press('Enter')
    await until('the order is new', async () => (await names()).join() !== before.join())
    // The keyboard goes on from the list, not from the top of the page.
    assert.equal(await page.evaluate(`document.activeElement.querySelector('[data-row]') !== null`), true)
  })

  it('says which of what is selected is not on the page, shows it, and what an action will hit', async () => {
    const toolbar = page.getByRole('toolbar', { name: 'Selected monitors' })
    await openList('/monitors')
    const chosen = (await names()).slice(-2)
    for (const name of chosen) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await toolbar.getByText('2 selected', { exact: true }).waitFor()
    await toolbar.getByText(chosen.join(', ')).waitFor()
    await awayFromList()
    // Two that were on the next page come first, and push the selected ones there.
    await monitorGoesDown(61)
    await monitorGoesDown(62)
    await changed('[2-9]').click()
    await toolbar.getByText('2 selected, 2 not on this page').waitFor()
    await expectAccessible(page, 'a selection that has left the page')
    await toolbar.getByRole('button', { name: 'Show selected' }).click()
    await toolbar.getByText('2 selected', { exact: true }).waitFor()
    await until('only these', async () => (await names()).toSorted().join() === chosen.toSorted().join())
    await toolbar.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 monitors?' })
    await dialog.getByText(chosen.join(', ')).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await toolbar.getByRole('button', { name: 'Clear selection' }).click()
    await toolbar.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show all' }).click()
    await until('all again', async () => (await names()).length > 2)
  })

  it('makes the page complain about nothing', () => {
    assert.deepEqual(complaints, [])
  })
})

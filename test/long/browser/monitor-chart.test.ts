// npm test leaves this out: it draws, zooms and reads charts of a long history (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { NARROW, openChromium, openPage, WIDE } from '../../support/browser/chromium.ts'
import { createPerson, signInQuietly } from '../../support/browser/people.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectWholeFacts,
  openScreen,
  untilLoaded,
  watchLayout,
} from '../../support/browser/screens.ts'
import { addIncident } from '../../support/records/history.ts'
import { suiteScope } from '../../support/scope.ts'
import { teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const CENTER_CHART = `document.querySelector('[aria-label="Response times, point by point"]').scrollIntoView({ block: 'center' })`

describe('the page of a monitor', () => {
  const scope = suiteScope()
  let service: BrowserService
  let page: Page
  let complaints: string[]
  let address: string
  let chartId: number
  let chart: Locator
  let figures: Locator

  before(async () => {
    service = await browserService()
    const { db } = service.services
    const team = await teamClient(service)
    const { id } = await team.monitor({ name: 'Chart', url: 'http://127.0.0.1:9', is_active: false })
    // Checks of two regions, one a minute, all of 72 ms: a whole day of them at any time of day, none older than yesterday.
    const since = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - DAY_MS)
    await db.pool.query(`UPDATE monitors SET created_at = now() - interval '40 days' WHERE id = $1`, [id])
    await db.pool.query(
      `INSERT INTO checks (checked_at, monitor_id, response_time_ms, status, region)
       SELECT at, $1, 72, 'up', (ARRAY['lon', 'nyc'])[1 + n % 2]
       FROM generate_series($2::timestamptz, now(), '1 minute') WITH ORDINALITY AS c (at, n)`,
      [id, since],
    )
    const down = { team_id: team.teamId, monitor_id: id, cause: 'HTTP 503 (expected 200)' }
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS)
    await addIncident(db, { ...down, started_at: hoursAgo(6), resolved_at: hoursAgo(5.5) })
    const opened = await openPage(await openChromium(scope), service.url)
    ;({ page, complaints } = opened)
    await signInQuietly(opened.context, await createPerson(service, team.teamId, 'viewer', 'Cleo'))
    chartId = id
    address = `/teams/${team.teamId}/monitors/${id}`
    await openScreen(page, address)
    chart = page.getByRole('slider', { name: 'Response times, point by point' })
    figures = page.getByRole('region', { name: 'Figures' })
    await chart.waitFor()
  })

  const searchOf = () => Object.fromEntries(new URL(page.url()).searchParams)
  const zoomOf = () => {
    const { from, to } = searchOf()
    return from === undefined ? null : { from: Number(from), to: Number(to) }
  }
  const untilZoom = (what: string, fits: (zoom: { from: number; to: number }) => boolean) =>
    until(what, () => {
      const zoom = zoomOf()
      return zoom && fits(zoom) ? zoom : null
    })
  const legend = () => page.getByRole('list', { name: 'Legend' }).getByRole('listitem').allTextContents()
  const reset = () => page.getByRole('button', { name: 'Reset zoom' })

  it('shows the state, the days and the chart first, then all figures in one strip', async () => {
    await untilLoaded(page)
    const headings = await page.locator('main').getByRole('heading', { level: 2 }).allTextContents()
    assert.deepEqual(headings.slice(0, 4), [
      'Response time',
      'Response time, last 24 hours',
      'Uptime',
      'Checks',
    ])
    const said = await figures.locator('dl > div').allTextContents()
    // Checks that all take 72 ms read 72 ms, whichever figure of them it is.
    assert.deepEqual(
      said.slice(0, 5),
      ['Newest check', 'Average', 'p50', 'p95', 'p99'].map((name) => `${name}72 ms`),
    )
    assert.deepEqual(
      said.slice(5).map((figure) => figure.replace(/[\d.]+ %$|–$/, '')),
      ['24 h', '7 d', '30 d', 'of 40 d known'],
    )
    assert.equal(await page.getByText('For a README or a website').count(), 1)
    assert.equal(await page.getByRole('button', { name: /^Copy badge/ }).count(), 0, 'badges are folded away')
    await expectAccessible(page, 'the page of a monitor')
  })

  it('says of a new monitor once how much is known, and begins its chart with it', async () => {
    const { db } = service.services
    const age = (interval: string) =>
      db.pool.query(`UPDATE monitors SET created_at = now() - $2::interval WHERE id = $1`, [
        chartId,
        interval,
      ])
    await age('90 minutes')
    await page.reload()
    await untilLoaded(page)
    const said = await figures.locator('dl > div').allTextContents()
    assert.equal(said.length, 6)
    assert.match(said[5] ?? '', /^of 1 h \d+ min known/)
    const { x = 0, y = 0, width = 0, height = 0 } = (await chart.boundingBox()) ?? {}
    await page.mouse.move(x + width * 0.5, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.9, y + height / 2, { steps: 5 })
    await page.mouse.up()
    const { from, to } = await untilZoom('the zoom is in the address', () => true)
    assert.ok(to - from < 3_600, `${to - from} s of 90 minutes`)
    await age('40 days')
    await reset().click()
    await until('the address is as it was', () => zoomOf() === null)
    await page.reload()
    await untilLoaded(page)
  })

  it('zooms into what is drawn along the chart, keeps it in the address, and goes back', async () => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await chart.boundingBox()) ?? {}
    const now = Date.now() / 1_000
    await page.mouse.move(x + width * 0.6, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.8, y + height / 2, { steps: 5 })
    await page.mouse.up()
    const { from, to } = await untilZoom('the zoom is in the address', () => true)
    assert.ok(from > now - (24 * HOUR_MS) / 1_000 && to < now && to - from < 12 * 3_600, `${from} to ${to}`)
    await page.reload()
    await reset().waitFor()
    assert.deepEqual(zoomOf(), { from, to })
    const caption = figures.getByRole('heading', { level: 2 }).first()
    await until('the figures say of when they are', async () =>
      ((await caption.textContent()) ?? '').includes('–'),
    )
    await reset().click()
    await until('the address is as it was', () => zoomOf() === null)
  })

  it('zooms by keys, around the point that was gone to', async () => {
    await chart.focus()
    await page.keyboard.press('+')
    const once = await untilZoom('a key zooms in', () => true)
    await page.keyboard.press('+')
    await untilZoom('again', ({ from, to }) => to - from < once.to - once.from)
    await page.keyboard.press('-')
    await untilZoom('and out', ({ from, to }) => to - from > (once.to - once.from) * 0.9)
    await page.getByRole('button', { name: '24 h', exact: true }).click()
    await until('a range ends it', () => zoomOf() === null)
  })

  it('shows a period that is typed, and says what is wrong with one', async () => {
    await page.getByRole('button', { name: 'Custom' }).click()
    const form = page.getByRole('form', { name: 'Custom period' })
    const typed = await form.getByLabel('From').inputValue()
    await form.getByLabel('To').fill(typed)
    await form.getByRole('button', { name: 'Show' }).click()
    await form.getByText('At least 5 minutes after From.').waitFor()
    await form.getByLabel('From').fill('')
    await form.getByRole('button', { name: 'Show' }).click()
    await form.getByText('Enter a day and a time.').waitFor()
    await expectAccessible(page, 'the form with faults')
    await form.getByLabel('From').fill(typed)
    const end = `${new Date(Date.parse(`${typed}Z`) + 2 * HOUR_MS).toISOString().slice(0, 16)}`
    await form.getByLabel('To').fill(end)
    await form.getByRole('button', { name: 'Show' }).click()
    await untilZoom('two hours are shown', ({ from, to }) => to - from === 2 * 3_600)
    await reset().click()
    await page.getByRole('button', { name: '24 h', exact: true }).click()
    await form.waitFor({ state: 'detached' })
  })

  it('compares with the week before, and says where nothing was checked then', async () => {
    assert.deepEqual((await legend()).slice(0, 3), ['p50', 'p95', 'p99'])
    await page.getByLabel('Compare with the week before').check()
    await page.getByText('(no checks then)').waitFor()
    await until('the legend has the other line', async () =>
      (await legend()).includes('p50, the week before'),
    )
    assert.equal(searchOf().line, 'before')
    await page.getByRole('button', { name: '30 d', exact: true }).click()
    await page.getByLabel('Compare with 5 weeks before').uncheck()
    await page.getByRole('button', { name: '24 h', exact: true }).click()
  })

  it('draws a line for each region', async () => {
    const regions = page.getByRole('combobox', { name: 'Region' })
    await regions.selectOption('A line for each region')
    await until('a line for each', async () => (await legend()).slice(0, 2).join() === 'lon,nyc')
    await expectAccessible(page, 'the lines of regions')
    await regions.selectOption('nyc')
    await until('one alone', async () => (await legend())[0] === 'p50')
    assert.deepEqual(searchOf(), { range: '24h', region: 'nyc' })
    await regions.selectOption('All regions')
  })

  it('tells what is shaded in words, with the steps in a table', async () => {
    await page.getByText('Show as a table').click()
    await page
      .getByRole('region', { name: 'Shaded in the chart' })
      .getByText('Down 30 min: HTTP 503 (expected 200)')
      .waitFor()
    const table = page.getByRole('region', { name: 'Response times as a table' })
    assert.ok((await table.getByRole('row').count()) > 90)
    await page.getByText('Show as a table').click()
  })

  it('leads from a day to the chart of that day', async () => {
    const days = page.getByRole('slider', { name: 'Uptime, day by day' })
    await days.focus()
    await page.keyboard.press('ArrowLeft')
    const said = (await days.getAttribute('aria-valuetext')) ?? ''
    assert.match(said, /%|no data/)
    await page.getByText(said).waitFor()
    await page.keyboard.press('Enter')
    const { from, to } = await untilZoom('the day is shown', () => true)
    assert.deepEqual([from % 86_400, to - from], [0, 86_400])
    await reset().click()
  })

  it('draws in a browser whose language is no language tag', async () => {
    const other = await page.context().newPage()
    await other.addInitScript(
      `Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })`,
    )
    await openScreen(other, address)
    await other.locator('.uplot canvas').waitFor()
    await other.close()
  })

  it('moves nothing while it loads', async () => {
    await openScreen(page, address.replace(/\/\d+$/, ''))
    await untilLoaded(page)
    const moved = await watchLayout(page)
    await openScreen(page, address)
    await chart.waitFor()
    await untilLoaded(page)
    assert.deepEqual(await moved(), [])
  })

  it('fits on a phone', async () => {
    await page.setViewportSize(NARROW)
    await openScreen(page, address)
    await untilLoaded(page)
    await expectNoSidewaysScroll(page, 'the page of a monitor')
    await expectWholeFacts(page, 'the page of a monitor')
    await page.setViewportSize(WIDE)
  })

  it('zooms on a phone with two fingers, and scrolls with one', async () => {
    await page.setViewportSize(NARROW)
    const debug = await page.context().newCDPSession(page)
    await debug.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
    await openScreen(page, address)
    await untilLoaded(page)
    await page.getByText('Pinch the chart with two fingers to zoom.').waitFor()
    await page.evaluate(CENTER_CHART)
    const { x = 0, y = 0, width = 0, height = 0 } = (await chart.boundingBox()) ?? {}
    const touch = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      ...touchPoints: { x: number; y: number }[]
    ) => debug.send('Input.dispatchTouchEvent', { type, touchPoints })
    const finger = (share: number, up = 0) => ({ x: x + width * share, y: y + height / 2 - up })
    const scrolled = () => page.evaluate('scrollY') as Promise<number>

    const before = await scrolled()
    await touch('touchStart', finger(0.5))
    // It rests before it leaves: a fling would scroll on.
    for (const up of [20, 60, 100, 140, 140, 140, 140]) await touch('touchMove', finger(0.5, up))
    await touch('touchEnd')
    await until('one finger scrolls', async () => (await scrolled()) > before)
    await until('the page rests', async () => {
      const at = await scrolled()
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
      return at === (await scrolled())
    })
    assert.equal(zoomOf(), null)

    await page.evaluate(CENTER_CHART)
    const still = await scrolled()
    await touch('touchStart', finger(0.5), finger(0.6))
    for (const apart of [0.05, 0.1, 0.15, 0.2])
      await touch('touchMove', finger(0.5 - apart), finger(0.6 + apart))
    assert.equal(zoomOf(), null, 'the fingers are still there')
    assert.equal(await scrolled(), still)
    await touch('touchEnd')
    const near = await untilZoom('two fingers zoom in', () => true)
    const hours = (near.to - near.from) / 3_600
    assert.ok(hours > 3 && hours < 8, `a tenth became a half: ${hours} h`)
    await untilLoaded(page)
    await touch('touchStart', finger(0.4), finger(0.7))
    await touch('touchMove', finger(0.45), finger(0.6))
    await touch('touchEnd')
    await untilZoom('and out', ({ from, to }) => to - from > near.to - near.from)
    assert.equal(await page.evaluate('visualViewport.scale'), 1, 'the page is as large as it was')
    await debug.send('Emulation.setTouchEmulationEnabled', { enabled: false })
    await page.setViewportSize(WIDE)
  })

  it('makes the page complain of nothing', () => {
    assert.deepEqual(complaints, [])
  })
})

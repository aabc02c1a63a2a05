// npm test leaves this out: it lets hundreds of monitors change while a page is measured (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { announceNews } from '../../../src/store/news.ts'
import { NARROW, openChromium, openPage, WIDE } from '../../support/browser/chromium.ts'
import { createTeamOf, signInQuietly } from '../../support/browser/people.ts'
import { expectAccessible, openScreen, untilLoaded } from '../../support/browser/screens.ts'
import { addIncident } from '../../support/records/history.ts'
import { addMonitors } from '../../support/records/monitors.ts'
import { changeRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { type ServiceHere, startServiceHere } from '../../support/services/service-here.ts'
import { until } from '../../support/until.ts'

const MONITORS = 120
const ROUNDS = 8
const FLAPPING = 40
/** "No line moves": a tenth of what web.dev/cls calls good. */
const MAX_SHIFT = 0.01

const CAUSES = [
  'connection refused by 203.0.113.7:443',
  'HTTP 503 (expected 200)',
  'no answer within 30 s (connecting)',
]

describe('the overview in a storm', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let page: Page
  let complaints: string[]
  let team: number
  let ids: number[]
  /** Monitors that are down, with their incidents. */
  const open = new Map<number, number>()

  before(async () => {
    // Nothing is checked: the test says what is down.
    service = await startServiceHere({ ROLES: 'api' })
    scope.after(() => service.close())
    const { id, owner } = await createTeamOf(service, 'Tempest', 'Storms')
    team = id
    const { db } = service.services
    // A new team has its first steps there, and nothing below what is wrong.
    await changeRows(db, 'teams', { id }, { created_at: new Date(Date.now() - 60 * 86_400_000) })
    const monitors = await addMonitors(db, MONITORS, (index) => ({
      ...{ team_id: id, name: `Monitor ${index}`, url: `https://host-${index % 7}.example/` },
      state: { status: 'up', last_checked_at: new Date() },
    }))
    ids = monitors.map((monitor) => monitor.id)
    const opened = await openPage(await openChromium(scope), service.url)
    page = opened.page
    complaints = opened.complaints
    await signInQuietly(opened.context, owner)
  })

  async function goDown(id: number, cause: string) {
    const { db } = service.services
    const at = new Date()
    const incident = await addIncident(db, { team_id: team, monitor_id: id, started_at: at, cause })
    open.set(id, incident)
    const state = {
      status: 'down' as const,
      status_since: at,
      last_checked_at: at,
      open_incident_id: incident,
    }
    await changeRows(db, 'monitor_state', { monitor_id: id }, state)
    const data = { id, status: 'down' as const, is_active: true }
    await announceNews(db.query, { team_id: team, event: 'monitor', data })
  }

  async function recover(id: number) {
    const { db } = service.services
    const at = new Date()
    await changeRows(db, 'team_incidents', { id: open.get(id) as number }, { resolved_at: at })
    open.delete(id)
    const state = { status: 'up' as const, status_since: at, last_checked_at: at, open_incident_id: null }
    await changeRows(db, 'monitor_state', { monitor_id: id }, state)
    await announceNews(db.query, {
      team_id: team,
      event: 'monitor',
      data: { id, status: 'up', is_active: true },
    })
  }

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const attention = () => page.getByRole('region', { name: 'Needs attention' })
  const names = () => attention().locator('[data-row]').allInnerTexts()

  /** Another selection of the monitors is down, of another size, and the page knows. */
  async function flap(round: number) {
    const due = new Set(
      Array.from(
        { length: FLAPPING + round },
        (_, index) => ids[(round * 13 + index * 7) % MONITORS] as number,
      ),
    )
    for (const id of [...open.keys()]) if (!due.has(id)) await recover(id)
    for (const [index, id] of [...due].entries())
      if (!open.has(id)) await goDown(id, CAUSES[(index + round) % CAUSES.length] as string)
    // Something that only this round has.
    const odd = ids.find((id) => !open.has(id)) as number
    await goDown(odd, `odd in round ${round}`)
    await heading(`${open.size} down`).waitFor()
  }

  /** All shifts from now on, and apart from them those that follow a press of the reader. */
  async function watchShifts() {
    await page.evaluate(`
      globalThis.shifts = { unasked: 0, asked: 0, what: [] }
      new PerformanceObserver((list) => {
        for (const { hadRecentInput, value, sources } of list.getEntries()) {
          shifts[hadRecentInput ? 'asked' : 'unasked'] += value
          if (!hadRecentInput) shifts.what.push(value + ' ' + sources.map(({ node }) => node?.outerHTML?.slice(0, 200) ?? node?.data))
        }
      }).observe({ type: 'layout-shift' })
    `)
    return () => page.evaluate('shifts') as Promise<{ unasked: number; asked: number; what: string[] }>
  }

  for (const [look, window] of Object.entries({ wide: WIDE, narrow: NARROW })) {
    it(`moves nothing of what is read, however many monitors change (${look})`, async (test) => {
      for (const id of [...open.keys()]) await recover(id)
      await page.setViewportSize(window)
      await openScreen(page, `/teams/${team}`)
      await heading('All is well').waitFor()
      // Anew: lines of what is over stay until then.
      await openScreen(page, `/teams/${team}/monitors`)
      await openScreen(page, `/teams/${team}`)
      await untilLoaded(page)
      const shifts = await watchShifts()
      for (let round = 0; round < ROUNDS; round++) await flap(round)
      const before = await names()
      const quiet = await shifts()
      test.diagnostic(`shift of ${ROUNDS} rounds: ${quiet.unasked.toFixed(4)}`)
      assert.ok(quiet.unasked < MAX_SHIFT, `${quiet.unasked}: ${quiet.what.join('\n')}`)
      const newest = attention().getByRole('button', { name: /^\d+ new/ })
      await newest.click()
      await until('the list is new', async () => (await names()).join() !== before.join())
      // The press moved what is below the list, which shows that moves are seen; on a phone that is out of sight.
      const sum = ({ asked, unasked }: typeof quiet) => asked + unasked
      if (window === WIDE) await until('the move was seen', async () => sum(await shifts()) > sum(quiet))
      // The heading may know of the newest before the list does, and then that waits behind the button again.
      await until('the newest is first', async () => {
        if ((await newest.count()) > 0) await newest.click()
        return (await names())[0]?.includes(`odd in round ${ROUNDS - 1}`) === true
      })
      assert.match((await names())[0] ?? '', /New/)
      await until('nothing waits', async () => (await newest.count()) === 0)
    })
  }

  it('names causes once, with how many monitors they concern, and opens to these', async () => {
    await page.setViewportSize(WIDE)
    for (const id of [...open.keys()]) await recover(id)
    await heading('All is well').waitFor()
    for (const id of ids.slice(0, 41)) await goDown(id, 'connection refused by 203.0.113.7:443')
    await heading('41 down').waitFor()
    await openScreen(page, `/teams/${team}/monitors`)
    await openScreen(page, `/teams/${team}`)
    const group = attention().getByText('41 monitors: connection refused by 203.0.113.7')
    await group.waitFor()
    assert.equal(await attention().getByRole('link').filter({ visible: true }).count(), 0)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await attention().getByRole('link', { name: 'Monitor 40' }).waitFor()
    assert.equal(await attention().getByRole('link').filter({ visible: true }).count(), 41)
    await expectAccessible(page, 'a group that is open')
    await attention().getByRole('link', { name: 'Monitor 40' }).click()
    await heading('Monitor 40').waitFor()
  })

  it('says on every screen, in the title and on the icon, what is down', async () => {
    const icon = () => page.locator('link[rel=icon]').getAttribute('href')
    assert.equal(await page.title(), '41 down · Monitor 40 · Upbeat')
    assert.match(decodeURIComponent((await icon()) ?? ''), /^data:image\/svg\+xml,.*>41<\/text>/)
    for (const id of [...open.keys()]) await recover(id)
    await until('the title', async () => (await page.title()) === 'Monitor 40 · Upbeat')
    assert.equal(await icon(), '/icon.svg')
  })

  it('is on a wall without a frame, follows what happens, and says when it cannot', async () => {
    await openScreen(page, `/teams/${team}`)
    await heading('All is well').waitFor()
    await page.keyboard.press('w')
    await page.waitForURL(`**/teams/${team}/wallboard`)
    // The overview has the same heading, and may still be there.
    await until('no frame', async () => (await page.getByRole('navigation').count()) === 0)
    await heading('All is well').waitFor()
    await until(
      'the dark',
      async () => (await page.evaluate('document.documentElement.dataset.theme')) === 'dark',
    )
    const [first] = ids as [number]
    await goDown(first, 'HTTP 500 (expected 200)')
    await heading('1 down').waitFor()
    await page.getByRole('list', { name: 'Needs attention' }).getByText('HTTP 500 (expected 200)').waitFor()
    await expectAccessible(page, 'the wallboard')
    await page.reload()
    await heading('1 down').waitFor()
    await service.stop()
    await page
      .getByRole('status')
      .getByText(/^No connection since \d\d:\d\d. Retrying…$/)
      .waitFor()
    assert.equal(await page.title(), 'No connection · 1 down · Wallboard · Upbeat')
    await service.start()
    await page.getByRole('status').getByText('No connection').waitFor({ state: 'detached' })
    await recover(first)
    await heading('All is well').waitFor()
    await page.getByRole('link', { name: 'Close the wallboard' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), undefined)
    // The console names requests that a service that is away did not answer.
    assert.deepEqual(
      complaints.filter((said) => !said.startsWith('Failed to load resource')),
      [],
    )
  })
})

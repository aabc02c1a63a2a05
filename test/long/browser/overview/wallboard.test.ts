// npm test leaves this out: it turns the pages of a wallboard in a browser of four sizes (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { createTeamOf, signInQuietly } from '../../../support/browser/people.ts'
import { expectAccessible, openScreen } from '../../../support/browser/screens.ts'
import { addIncident } from '../../../support/records/history.ts'
import { addMonitors } from '../../../support/records/monitors.ts'
import { changeRows } from '../../../support/records/rows.ts'
import { suiteScope } from '../../../support/scope.ts'
import { type ServiceHere, startServiceHere } from '../../../support/services/service-here.ts'
import { until } from '../../../support/until.ts'

/** At 1,280 × 720 the last page has fewer than the others. */
const DOWN = 25
const HOUR_MS = 3_600_000
const SIZES = [
  [720, 450],
  [1_280, 720],
  [1_920, 1_080],
  [3_840, 2_160],
] as const

describe('the wallboard', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let page: Page
  let team: number

  before(async () => {
    service = await startServiceHere({ ROLES: 'api' })
    scope.after(() => service.close())
    const { id, owner } = await createTeamOf(service, 'Waller', 'Walls')
    team = id
    const { db } = service.services
    const status = { status: 'down' as const, status_since: new Date(), last_checked_at: new Date() }
    const monitors = await addMonitors(db, DOWN, (index) => ({
      ...{ team_id: id, name: `Wall ${String(index).padStart(2, '0')}` },
      ...{ url: `https://wall-${index}.example/`, state: status },
    }))
    for (const [index, { id: monitor_id }] of monitors.entries()) {
      const incident = await addIncident(db, { team_id: id, monitor_id, cause: causeOf(index) })
      await changeRows(db, 'monitor_state', { monitor_id }, { open_incident_id: incident })
    }
    const opened = await openPage(await openChromium(scope), service.url)
    page = opened.page
    await signInQuietly(opened.context, owner)
    // It runs as the real one until a test turns it.
    await page.clock.install()
  })

  /** No three of them have it in common, so that each is a line of its own. */
  function causeOf(index: number): string {
    return `the ${'abcdefghijklmnopqrstuvwxyz'[index]} service says that it is away`
  }

  const lines = () => page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem')
  const more = () => page.getByText(/^\+ \d+ more: /)
  const names = async () => (await lines().allInnerTexts()).map((text) => /Wall \d\d/.exec(text)?.[0] ?? text)

  const topOf = async (part: Locator) => (await part.boundingBox())?.y

  async function open(width: number, height: number) {
    await page.setViewportSize({ width, height })
    await openScreen(page, `/teams/${team}`)
    await openScreen(page, `/teams/${team}/wallboard`)
    await page.getByRole('heading', { level: 1, name: `${DOWN} down` }).waitFor()
    await lines().first().waitFor()
  }

  for (const [width, height] of SIZES) {
    it(`shows all of ${DOWN} or counts the rest, whole, on ${width} × ${height}`, async () => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await open(width, height)
      await until('the lines fit', async () => {
        const [shown, said] = [await lines().count(), await more().allInnerTexts()]
        const hidden = Number(/\d+/.exec(said[0] ?? '0')?.[0])
        return shown + hidden === DOWN
      })
      const boxes = await page.evaluate(`(() => {
        const bottom = document.querySelector('footer').getBoundingClientRect().top
        const rows = [...document.querySelectorAll('main li, main p')].map((one) => one.getBoundingClientRect())
        const wide = document.documentElement.scrollWidth
        const out = rows.filter((box) => box.width > 0 && (box.left < 0 || box.right > innerWidth || box.bottom > innerHeight))
        const lists = [...document.querySelectorAll('main ul')].at(-1)
        const cut = [...lists.children].filter((one) => one.getBoundingClientRect().bottom > bottom)
        return { wide, high: document.documentElement.scrollHeight, out: out.length, cut: cut.length }
      })()`)
      assert.deepEqual(boxes, { wide: width, high: height, out: 0, cut: 0 })
      assert.ok((await lines().count()) >= 2, 'several are in sight')
      await expectAccessible(page, `a wallboard of ${width} × ${height}`)
    })
  }

  it('turns to every line by the keys, and stands still for readers who want that', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(1_280, 720)
    await more().waitFor()
    const first = await names()
    const seen = new Set(first)
    const tops = new Set([await topOf(more())])
    const lengths = new Set([first.length])
    await page.clock.fastForward(60_000)
    assert.deepEqual(await names(), first, 'nothing moved')
    for (let turn = 0; seen.size < DOWN && turn < DOWN; turn++) {
      const before = await names()
      await page.keyboard.press('ArrowRight')
      await until('another page', async () => (await names()).join() !== before.join())
      for (const name of await names()) seen.add(name)
      tops.add(await topOf(more()))
      lengths.add(await lines().count())
    }
    assert.equal(seen.size, DOWN, 'each had its turn')
    assert.equal(lengths.size, 2, 'the last page has fewer')
    assert.equal(tops.size, 1, 'the count stands still, also below a page with fewer lines')
  })

  it('turns by itself otherwise, and Escape leaves it', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await open(1_280, 720)
    await more().waitFor()
    // From here on time passes only where the test says so.
    await page.clock.pauseAt(Date.now() + HOUR_MS)
    const seen = new Set(await names())
    for (let turn = 0; seen.size < DOWN && turn < DOWN; turn++) {
      const before = await names()
      await page.clock.runFor(10_000)
      await until('another page', async () => (await names()).join() !== before.join())
      for (const name of await names()) seen.add(name)
    }
    assert.equal(seen.size, DOWN, 'each had its turn')
    await page.clock.resume()
    await page.keyboard.press('Escape')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await page.waitForURL(`**/teams/${team}`)
  })
})

// npm test leaves this out: it compares screens, documentation and pages in both themes (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../support/browser/browser-team.ts'
import { NARROW, openChromium, openPage, WIDE } from '../../support/browser/chromium.ts'
import { clipboardOf } from '../../support/browser/clipboard.ts'
import { expectAccessible, expectNoSidewaysScroll, watchLayout } from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { until } from '../../support/until.ts'

const SCHEMES = ['light', 'dark'] as const

describe('the look', () => {
  const scope = suiteScope()
  let service: BrowserService
  let browser: Browser
  let here: BrowserTeam

  before(async () => {
    service = await browserService()
    browser = await openChromium(scope)
    here = await openBrowserTeam(scope, service, browser)
  })

  /** A page of its own, with nothing in its cache. */
  async function newcomer(url = service.services.siteUrl): Promise<Page> {
    const context = await browser.newContext({ baseURL: url, viewport: WIDE, reducedMotion: 'reduce' })
    scope.after(() => context.close())
    return context.newPage()
  }

  it('has one face on screens, in the documentation and on pages for a person', async () => {
    const page = await newcomer()
    for (const path of ['/sign-in', '/docs', '/set-password/nothing', '/nowhere']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await until('the face is there', async () => (await faceOf(page, 'h1')).join() === 'Inter')
    }
  })

  it('has figures that are as wide as one another, so that columns of them stand still', async () => {
    const { page, open } = here
    await open('', 'Overview')
    const widths = await page.evaluate(`['1111111111', '0000000000', '8888888888'].map((text) => {
      const line = Object.assign(document.createElement('span'), { textContent: text })
      line.style.position = 'absolute'
      document.body.append(line)
      const { width } = line.getBoundingClientRect()
      line.remove()
      return width
    })`)
    assert.equal(new Set(widths as number[]).size, 1, String(widths))
  })

  it('writes words with hyphens, and names of machines, as they are', async () => {
    const { page, open } = here
    await open('', 'Overview')
    const widths = (text: string, style: string) =>
      page.evaluate(`['', ${JSON.stringify(style)}].map((style) => {
        const line = Object.assign(document.createElement('span'), { textContent: ${JSON.stringify(text)}, style })
        line.style.position = 'absolute'
        document.body.append(line)
        const { width } = line.getBoundingClientRect()
        line.remove()
        return width
      })`) as Promise<[number, number]>
    // Hyphens as wide as figures would stand apart, and the face has a sign of multiplication for an x before a figure.
    for (const [text, style] of [
      ['On-call', 'font-family: "Inter Variable"; font-variant-numeric: normal'],
      ['x86_64', 'font-variant-ligatures: none'],
      ['2x4', 'font-variant-ligatures: none'],
    ] as const) {
      const [drawn, written] = await widths(text, style)
      assert.equal(drawn, written, text)
    }
  })

  it('keeps the first page as it was drawn where the face comes late', async () => {
    const page = await newcomer()
    let letGo = () => {}
    const late = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route(/\.woff2$/, async (route) => {
      await late
      await route.continue()
    })
    await page.goto('/docs/heartbeats', { waitUntil: 'commit' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const moved = await watchLayout(page)
    const loaded = page.waitForResponse(/inter-latin-wght/)
    letGo()
    await loaded
    await page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))')
    assert.deepEqual(await moved(), [])
  })

  it('has selects that open, move and choose by keyboard, and say what they hold', async () => {
    const { page, open, team } = here
    // Where nothing is watched there is nothing to filter.
    await team.monitor({ url: 'http://127.0.0.1:9/', is_active: false })
    await open('/monitors', 'Monitors')
    const status = page.getByLabel('Status')
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      await status.focus()
      await page.keyboard.press('Space')
      await until('the list is open', () => isOpen(page))
      await expectAccessible(page, `the open list of a select, ${colorScheme}`)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await until('the list is closed', async () => !(await isOpen(page)))
      assert.equal(new URL(page.url()).searchParams.get('status'), await status.inputValue())
      assert.notEqual(await status.inputValue(), '')
      await page.keyboard.press('Space')
      await until('the list is open again', () => isOpen(page))
      await page.keyboard.press('Escape')
      await until('Escape closes it', async () => !(await isOpen(page)))
      await status.selectOption('')
    }
    await page.emulateMedia({ colorScheme: null })
  })

  it('fades a list that is cut, until its end is in sight', async () => {
    const { page, open, team } = here
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'])
      await team.data('POST', '/notification-contacts', {
        ...{ name, type: 'webhook', config: { url: 'https://hooks.example.com/' } },
      })
    await page.setViewportSize(NARROW)
    await open('/monitors/new', 'Add a monitor')
    const list = page.locator('.scrolls').filter({ has: page.getByLabel('Seven') })
    const box = "document.querySelector('fieldset .scrolls')"
    const fade = () => page.evaluate(`getComputedStyle(${box}).getPropertyValue('--more-below')`)
    await list.waitFor()
    await until('it fades', async () => (await fade()) !== '0px')
    await page.evaluate(`${box}.scrollTo(0, ${box}.scrollHeight)`)
    await until('its end is whole', async () => (await fade()) === '0px')
    await page.setViewportSize(WIDE)
  })

  it('has no light stripe beside a dialog, where the scrollbar was', async () => {
    const { page, open } = here
    await open('/monitors', 'Monitors')
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      // The backdrop does not reach the room of the scrollbar, which has the colour of the root.
      const [stripe, behind] = (await page.evaluate(`(() => {
        const pen = document.createElement('canvas').getContext('2d')
        const paint = (...colors) => {
          for (const color of colors) {
            pen.fillStyle = color
            pen.fillRect(0, 0, 1, 1)
          }
          return [...pen.getImageData(0, 0, 1, 1).data]
        }
        const colorOf = (element, pseudo) => getComputedStyle(element, pseudo).backgroundColor
        const dialog = document.querySelector('dialog[open]')
        return [
          paint(colorOf(document.documentElement)),
          paint(colorOf(document.body), colorOf(dialog, '::backdrop')),
        ]
      })()`)) as [number[], number[]]
      for (const [index, value] of stripe.entries())
        assert.ok(Math.abs(value - (behind[index] ?? -9)) <= 2, `${colorScheme}: ${stripe} beside ${behind}`)
      await page.keyboard.press('Escape')
      // The event by which the dashboard hears of it comes later: a key that is pressed before opens nothing.
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.emulateMedia({ colorScheme: null })
  })

  it('copies a block of the documentation by keyboard, and says so', async () => {
    const page = await newcomer()
    await page.context().grantPermissions(['clipboard-write'])
    await page.goto('/docs/heartbeats')
    const block = page.locator('figure.code').first()
    const button = block.getByRole('button', { name: 'Copy' })
    await button.focus()
    await page.keyboard.press('Enter')
    await block.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.getByRole('status').textContent(), 'Copied')
    assert.equal(await clipboardOf(page), await block.locator('pre').textContent())
    await expectAccessible(page, 'the documentation, once something is copied')
  })

  it('shows the documentation in the theme that was chosen in the dashboard', async () => {
    const page = await newcomer()
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/docs')
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await paper()
    await page.evaluate(`localStorage.setItem('upbeat-theme', 'dark')`)
    await page.reload()
    assert.notEqual(await paper(), light)
  })

  it('has pages for a person whose one box is in the middle of the window', async () => {
    const page = await newcomer()
    for (const window of [WIDE, NARROW]) {
      await page.setViewportSize(window)
      await page.goto('/set-password/nothing')
      const { x, y, width, height } = (await page.locator('.card').boundingBox()) ?? {
        x: 0,
        y: 0,
        width: 0,
        height: 0,
      }
      assert.ok(Math.abs(x + width / 2 - window.width / 2) < 2, `${x} + ${width}`)
      assert.ok(y > 0 && y + height < 0.7 * window.height, `${y} + ${height}`)
    }
  })

  it('has pages for a newcomer with a picture of the product where there is room, fit for everybody', async () => {
    const fresh = await startServiceHere({ ROLES: 'api' })
    scope.after(() => fresh.close())
    const { page, leave } = await openPage(browser, fresh.url)
    scope.after(leave)
    for (const path of ['/setup', '/sign-in']) {
      for (const colorScheme of SCHEMES) {
        for (const window of [WIDE, NARROW]) {
          await page.emulateMedia({ colorScheme })
          await page.setViewportSize(window)
          await page.goto(path)
          await page.getByRole('heading', { level: 1 }).waitFor()
          const at = `${path}, ${colorScheme}, ${window.width}`
          assert.equal(await page.locator('img[src="/picture.svg"]').isVisible(), window === WIDE, at)
          await expectNoSidewaysScroll(page, at)
          await expectAccessible(page, at)
        }
      }
    }
  })
})

/** The faces that an element is really drawn in. */
async function faceOf(page: Page, selector: string): Promise<string[]> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('DOM.enable')
  await debug.send('CSS.enable')
  const { root } = await debug.send('DOM.getDocument')
  const { nodeId } = await debug.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await debug.send('CSS.getPlatformFontsForNode', { nodeId })
  await debug.detach()
  return fonts
    .filter(({ isCustomFont }) => isCustomFont)
    .map(({ familyName }) => familyName.replace(/ .*/, ''))
}

function isOpen(page: Page): Promise<boolean> {
  return page.evaluate(`document.querySelector('select:open') !== null`)
}

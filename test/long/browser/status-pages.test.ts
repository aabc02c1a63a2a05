// npm test leaves this out: it opens every kind of public page, and axe reads each (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { renderEmbed } from '../../../src/pages/status-pages/embed.ts'
import { renderHistoryPage } from '../../../src/pages/status-pages/history-page.ts'
import { PLAIN_LOOK } from '../../../src/pages/status-pages/look.ts'
import { renderNotFound, renderPasswordForm } from '../../../src/pages/status-pages/plain-pages.ts'
import { renderPostPage } from '../../../src/pages/status-pages/post-page.ts'
import { renderStatusPage } from '../../../src/pages/status-pages/status-page.ts'
import { renderSubscribeForm, renderSubscription } from '../../../src/pages/status-pages/subscribe-pages.ts'
import { NARROW, openChromium, WIDE } from '../../support/browser/chromium.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../../support/browser/screens.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { suiteScope } from '../../support/scope.ts'
import { samplePage, samplePost, sampleSettings } from '../../support/status-pages/models.ts'
import { largePage, troubledPage } from '../../support/status-pages/pages.ts'
import { type ServedPage, servePages } from '../../support/status-pages/served-pages.ts'
import { until } from '../../support/until.ts'

const HERE = { language: 'en', base: '' } as const
const model = troubledPage({ settings: sampleSettings({ accent_color: '#ffd400' }) })
const look = model.settings
const fault = { field: 'email', value: 'ada', message: 'must be an e-mail address' } as const
const manage = { step: 'manage', address: 'ada@example.com', components: [1], isSaved: true } as const

const PAGES: Record<string, ServedPage> = {
  '/': { body: renderStatusPage(model, HERE), look },
  '/japanese': { body: renderStatusPage(model, { ...HERE, language: 'ja', isStale: true }), look },
  '/large': { body: renderStatusPage(largePage(300), HERE), look: samplePage().settings },
  '/embed': { body: renderEmbed(model, HERE), look, isEmbed: true },
  '/post': { body: renderPostPage(model, samplePost(), HERE), look },
  '/history': { body: renderHistoryPage(model, { month: model.asOf, posts: [samplePost()] }, HERE), look },
  '/subscribe': { body: renderSubscribeForm(model, HERE, fault), look },
  '/subscription': { body: renderSubscription(model, HERE, 'tok', manage), look },
  '/sign-in': { body: renderPasswordForm(HERE, 'wrong'), look: PLAIN_LOOK },
  '/nothing': { body: renderNotFound('en'), look: PLAIN_LOOK },
}

describe('a status page in a browser', () => {
  const scope = suiteScope()
  const pages = new Map(Object.entries(PAGES))
  let browser: Browser
  let url: string
  let asked: string[]

  before(async () => {
    browser = await openChromium(scope)
    const served = await servePages(scope, pages)
    url = served.url
    asked = served.asked
  })

  async function open(
    path: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({ baseURL: url, viewport: WIDE, timezoneId: 'UTC', ...options })
    scope.after(() => context.close())
    context.setDefaultTimeout(HANG_GUARD_MS)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(path)
    return { page, complaints }
  }

  const LOOKS: [name: string, options: BrowserContextOptions][] = [
    ['wide and light', { viewport: WIDE, colorScheme: 'light' }],
    ['narrow and dark', { viewport: NARROW, colorScheme: 'dark' }],
  ]
  // In turn, so that neither look breaks everywhere unseen.
  for (const [turn, [name, options]] of LOOKS.entries()) {
    it(`is accessible, fits and is built as it was written: every other page, ${name}`, async () => {
      const { page, complaints } = await open('/nothing', options)
      for (const [path, { body }] of Object.entries(PAGES).filter((_, index) => index % 2 === turn)) {
        await page.goto(path)
        await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
        await expectNoSidewaysScroll(page, path)
        // Each rule takes as long as there are elements; a large page has no others than a small one.
        if (path !== '/large') await expectAccessible(page, `${path}, ${name}`)
        await expectAsWritten(page, path, body)
      }
      assert.deepEqual(complaints, [])
    })
  }

  it('is whole without a script: what is told of days opens by keyboard', async () => {
    asked.length = 0
    const { page } = await open('/', { javaScriptEnabled: false })
    assert.deepEqual(asked.slice(0, 1), ['/'])
    const bars = page.locator('#d4')
    assert.equal(await bars.locator('li').first().isVisible(), false)
    await bars.locator('summary').focus()
    await page.keyboard.press('Enter')
    await bars.getByText('19 Nov 2026: Outage: 3 mins, 7 secs').waitFor()
    assert.match(await bars.locator('path').nth(1).innerHTML(), /<title>/)
    assert.equal(await page.locator('time').first().textContent(), '22 Nov 2026, 11:02 UTC')
  })

  it('tells the numbers of a day at the pointer and by the arrow keys, and the times of the reader', async () => {
    const { page, complaints } = await open('/', { timezoneId: 'Asia/Tokyo', locale: 'en-GB' })
    assert.equal(await page.locator('time').first().textContent(), '22 Nov 2026, 20:02')
    assert.equal(await page.locator('#zone span').textContent(), 'Asia/Tokyo')
    const bars = page.locator('#d4 .bars')
    await bars.scrollIntoViewIfNeeded()
    const { x, y, width } = (await bars.boundingBox()) as { x: number; y: number; width: number }
    // The fourth day from the right.
    await page.mouse.move(x + (width * 86.5) / 90, y + 10)
    assert.match(await page.locator('#tip').innerText(), /19.*\nOutage: 3 mins, 7 secs/)
    await page.mouse.move(0, 0)
    assert.equal(await page.locator('#tip').count(), 0)
    await page.locator('#d4 summary').focus()
    for (let times = 0; times < 4; times++) await page.keyboard.press('ArrowLeft')
    assert.match(await page.locator('#tip').innerText(), /19.*\nOutage/)
    assert.match((await page.locator('[role=status]').last().textContent()) ?? '', /Outage: 3 mins, 7 secs/)
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('#tip').count(), 0)
    assert.deepEqual(complaints, [])
  })

  it('takes a tap for a day, and one beside it for the list', async () => {
    const { page } = await open('/', { viewport: NARROW, hasTouch: true, isMobile: true })
    const bars = page.locator('#d4 .bars')
    const { width } = (await bars.boundingBox()) as { width: number }
    await bars.tap({ position: { x: (width * 86.5) / 90, y: 10 } })
    assert.match(await page.locator('#tip').innerText(), /19.*\nOutage/)
    assert.equal(await page.locator('#d4 li').first().isVisible(), false)
    await page.locator('#d4 .ends b').tap()
    await page.locator('#d4 li').first().waitFor()
    assert.equal(await page.locator('#tip').count(), 0)
  })

  it('shows what has changed, leaves open what is open, and the focus where it is', async () => {
    const settings = sampleSettings({ theme: 'dark' })
    const of = (own: Parameters<typeof samplePage>[0]) => ({
      body: renderStatusPage(samplePage({ settings, ...own }), HERE),
      look: settings,
    })
    pages.set('/changing', of({}))
    const { page, complaints } = await open('/changing')
    await page.locator('#d1 > summary').press('Enter')
    await page.locator('#d1[open]').waitFor()
    const again = () => page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
    const shown = async (locator: Locator) => {
      await again()
      return (await locator.count()) > 0
    }
    pages.set('/changing', of({ state: 'major_outage', active: [samplePost()] }))
    const head = page.getByRole('heading', { name: 'Major outage' })
    await until('the change is shown', () => shown(head))
    assert.equal(await page.locator('#d1[open]').count(), 1)
    assert.equal(await page.evaluate('document.activeElement.parentNode.id'), 'd1')
    assert.match(await page.title(), /^Major outage/)
    assert.match((await page.locator('link[rel=icon]').getAttribute('href')) ?? '', /major_outage/)
    assert.deepEqual(complaints, [])
    await page.context().setOffline(true)
    const warning = page.getByText('No connection: this page may be out of date.')
    await until('the page says that it is alone', () => shown(warning))
    await page.context().setOffline(false)
    await until('the page takes it back', async () => !(await shown(warning)))
  })
})

/** Every element is where the source has it: the parser had nothing to put right. No two have one id. */
async function expectAsWritten(page: Page, path: string, source: string): Promise<void> {
  const written = source.replaceAll(/<style>.*?<\/style>/gs, '<style>').matchAll(/<([a-z]\w*)/gi)
  const parsed = await page.evaluate(
    `fetch(${JSON.stringify(path)}).then((answer) => answer.text()).then((text) =>
      [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('*')].map((e) => e.localName))`,
  )
  assert.deepEqual(
    parsed,
    [...written].map(([, name]) => name),
    path,
  )
  const ids = (await page.evaluate('[...document.querySelectorAll("[id]")].map((e) => e.id)')) as string[]
  assert.deepEqual([...new Set(ids)], ids, path)
}

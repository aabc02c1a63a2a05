// npm test leaves this out: it follows one outage in a browser, by mail and over real checks, from form to last mail (a minute).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { POST_AFTER_MS } from '../../src/core/status-pages/posts/automatic-post.ts'
import { templateTime } from '../../src/core/status-pages/posts/post-template.ts'
import { type BrowserService, browserService } from '../support/browser/browser-service.ts'
import { type BrowserTeam, idInAddress, openBrowserTeam } from '../support/browser/browser-team.ts'
import { NARROW, openChromium } from '../support/browser/chromium.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../support/browser/screens.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { ago, changeRows } from '../support/records/rows.ts'
import { addSubscriber } from '../support/records/status-pages.ts'
import { suiteScope } from '../support/scope.ts'
import { arrived, type Mail } from '../support/servers/smtp-receiver.ts'
import { type SwitchTarget, startSwitchTarget } from '../support/servers/switch-target.ts'
import { checkNow } from '../support/services/check-now.ts'
import { until } from '../support/until.ts'

const SLUG = 'nordlicht'
const VERA = 'vera@nordlicht.example'
const WALT = 'walt@nordlicht.example'

/** The page looks by itself that often. */
const LOOK = '00:30'

describe('a status page, from its first form to the last mail of a subscriber', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  /** The page of the person, at the dashboard. */
  let page: Page
  /** The page of Vera, who has a phone and no account. */
  let visitor: Page
  let target: SwitchTarget
  let shop: number
  let pageId: number
  let url: string
  let link: string
  let began: Date
  const complaints: string[] = []

  before(async () => {
    service = await browserService()
    const browser = await openChromium(scope)
    here = await openBrowserTeam(scope, service, browser)
    page = here.page
    target = await startSwitchTarget(scope)
    const monitor = { name: 'Nordlicht shop', url: target.url, check_interval_seconds: 3_600 }
    shop = (await here.team.monitor(monitor)).id
    await here.team.untilStatus(shop, 'up')
    url = `${service.services.siteUrl}/status/${SLUG}`
    // Not one of those that are handed on: its clock is turned.
    const context = await browser.newContext({ viewport: NARROW, locale: 'en-GB', timezoneId: 'UTC' })
    scope.after(() => context.close())
    context.setDefaultTimeout(HANG_GUARD_MS)
    await context.clock.install()
    visitor = await context.newPage()
    visitor.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    visitor.on('pageerror', (error) => complaints.push(error.message))
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'Status page' }).getByRole('link', { name }).click()
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor()
  const subscriber = (address: string) => page.getByRole('listitem').filter({ hasText: address })
  const title = (name: string) => visitor.getByRole('heading', { name, exact: true, level: 1 })
  const mailsTo = (address: string) => arrived(service.smtp).filter(({ to }) => to.includes(address))
  const mail = (number: number) =>
    until(`mail ${number} to Vera`, (): Mail | undefined => mailsTo(VERA)[number - 1])

  /** Time passes for the visitor, who does nothing. */
  const untilSeen = (text: string) =>
    until(`the page shows "${text}" by itself`, async () => {
      await visitor.clock.fastForward(LOOK)
      return (await visitor.getByText(text).count()) > 0
    })

  async function answerFromNowOn(status: number, state: 'up' | 'down') {
    target.status = status
    await checkNow(service, { teamId: here.team.teamId, id: shop, target })
    await here.team.untilStatus(shop, state)
  }

  async function lookAtIt(where: string) {
    await expectNoSidewaysScroll(visitor, where)
    await expectAccessible(visitor, where)
  }

  it('is made with a component, and found by visitors once it is published', async () => {
    await here.open('/status-pages/new', 'New status page')
    await page.getByLabel('Name', { exact: true }).fill('Nordlicht')
    await page.getByLabel('Find monitors').fill('nordlicht')
    await page.getByRole('checkbox', { name: 'Nordlicht shop' }).check()
    await page.getByLabel('Publish it at once').uncheck()
    await button('Create page').click()
    await said('Nordlicht created.')
    pageId = await idInAddress(page, 'status-pages')
    assert.equal((await fetch(url)).status, 404)
    await button('Publish').click()
    await said('Nordlicht published.')
    await until('visitors find it', async () => (await fetch(url)).ok)
    await visitor.goto(url)
    await visitor.getByText('All systems operational').waitFor()
    await visitor.getByRole('heading', { name: 'Nordlicht shop' }).waitFor()
  })

  it('is subscribed to by mail, by the button behind the link and not by the link', async () => {
    await visitor.getByRole('link', { name: 'Get updates' }).click()
    await visitor.getByLabel('E-mail address').fill(VERA)
    await lookAtIt('the form of subscribers')
    await visitor.getByRole('button', { name: 'Subscribe by e-mail' }).click()
    await title('Check your inbox').waitFor()
    const letter = await mail(1)
    assert.equal(letter.headers.get('subject'), 'Confirm your subscription to “Nordlicht”')
    link = /\S+\/subscriptions\/\S+/.exec(letter.text)?.[0] ?? ''
    assert.ok(link.startsWith(`${url}/subscriptions/`), letter.text)
    for (let times = 0; times < 2; times++) {
      await visitor.goto(link)
      await title('Confirm your subscription').waitFor()
    }
    await lookAtIt('the page that confirms')
    await tab('Subscribers')
    await subscriber(VERA).getByText('unconfirmed', { exact: true }).waitFor()
    await visitor.getByRole('button', { name: 'Yes, subscribe' }).click()
    await title('You are subscribed').waitFor()
    await tab('Posts')
    await tab('Subscribers')
    await subscriber(VERA)
      .getByText(/^Confirmed /)
      .waitFor()
  })

  it('shows an outage by itself, while a draft about it waits for a person', async () => {
    await visitor.getByRole('link', { name: 'Current status' }).click()
    await visitor.getByText('All systems operational').waitFor()
    await tab('Posts')
    await page.getByText('Nothing is going on').waitFor()
    await answerFromNowOn(503, 'down')
    await untilSeen('Major outage')
    // The service waits some minutes before it writes; nobody has to wait for them here.
    const [incident] = await here.team.incidents(shop)
    began = ago(POST_AFTER_MS)
    await changeRows(
      service.services.db,
      'team_incidents',
      { id: incident?.id as number },
      { started_at: began },
    )
    await page
      .getByRole('region', { name: 'Drafts' })
      .getByRole('link', { name: 'Outage: Nordlicht shop' })
      .click()
    await page.getByText('Not available: Nordlicht shop. We are looking into it.').waitFor()
    assert.ok(!(await (await fetch(url)).text()).includes('Outage: Nordlicht shop'))
    assert.equal(mailsTo(VERA).length, 1)
  })

  it('tells visitors and subscribers once the person publishes the draft', async () => {
    await button('Publish…').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await said('The post is published.')
    await untilSeen('Outage: Nordlicht shop')
    await lookAtIt('the page with a post')
    const told = await mail(2)
    assert.equal(told.headers.get('subject'), '[Nordlicht] Outage: Nordlicht shop – Investigating')
    assert.deepEqual(told.text.trimEnd().replaceAll('\r', '').split('\n\n'), [
      'Outage: Nordlicht shop',
      `Investigating · ${templateTime(began)}`,
      'Not available: Nordlicht shop. We are looking into it.',
      'Affected: Nordlicht shop (Major outage)',
      `${url}/posts/${await idInAddress(page, 'posts')}`,
      `-- \nYou get this because you subscribed to updates of Nordlicht.\nChange or end your subscription: ${link}`,
    ])
    await page.getByText('Subscribers: 1 notified.').waitFor()
  })

  it('tells them that it is over when the person resolves it', async () => {
    await answerFromNowOn(200, 'up')
    await button('Add update').click()
    await page.getByLabel('Phase').selectOption('Resolved')
    await page.getByLabel('Text', { exact: true }).fill('The shop is *open* again.')
    await page.getByRole('combobox', { name: 'Nordlicht shop' }).selectOption('Not affected')
    await button('Publish update').click()
    await said('The update is published.')
    await untilSeen('All systems operational')
    await untilSeen('The shop is open again.')
    const told = await mail(3)
    assert.equal(told.headers.get('subject'), '[Nordlicht] Outage: Nordlicht shop – Resolved')
    assert.match(told.text, /The shop is \*open\* again\./)
    assert.match(told.html, /The shop is <em>open<\/em> again\./)
    link = /\S+\/subscriptions\/\S+/.exec(told.text)?.[0] ?? ''
  })

  it('is left by the button behind the link of a mail, and says nothing more to who left', async () => {
    await visitor.goto(link)
    await title('Your subscription').waitFor()
    await lookAtIt('the page of a subscription')
    await visitor.getByRole('button', { name: 'Unsubscribe' }).click()
    await title('You are unsubscribed').waitFor()
    const { db, vault } = service.services
    await addSubscriber(db, vault, { teamId: here.team.teamId, pageId, address: WALT })
    await button('Add update').click()
    await page.getByLabel('Phase').selectOption('Postmortem')
    await page.getByLabel('Text', { exact: true }).fill('A cable was loose.')
    await button('Publish update').click()
    await until('who stayed is told', () => mailsTo(WALT).length === 1)
    const update = page.getByRole('listitem').filter({ hasText: 'A cable was loose.' })
    await update.getByText(/^Subscribers: (1 notified|0 notified, 1 waiting)\.$/).waitFor()
    assert.equal(mailsTo(VERA).length, 3)
    assert.deepEqual([...complaints, ...here.complaints()], [])
  })
})

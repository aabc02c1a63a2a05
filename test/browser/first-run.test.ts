import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openChromium, openPage } from '../support/browser/chromium.ts'
import { expectAccessible } from '../support/browser/screens.ts'
import { suiteScope } from '../support/scope.ts'
import { type Receiver, startReceiver } from '../support/servers/receivers.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import { type ServiceHere, startServiceHere } from '../support/services/service-here.ts'
import { until } from '../support/until.ts'

const MAX_TABS = 60

describe('the first run', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let receiver: Receiver
  let origin: string
  let target: string
  let page: Page
  let complaints: string[]
  /** The receiver's next answer. */
  let answer = { status: 500, body: 'nope' }
  let beganAt = 0

  before(async () => {
    service = await startServiceHere()
    scope.after(() => service.close())
    receiver = await startReceiver(scope, (response) => response.writeHead(answer.status).end(answer.body))
    target = (await startSwitchTarget(scope)).url
    // The name is neither SITE_URL nor this machine's own, as from another machine. Chromium knows where it leads.
    origin = service.url.replace('127.0.0.1', 'box.localhost')
    const opened = await openPage(await openChromium(scope), origin)
    page = opened.page
    complaints = opened.complaints
  })

  // One walk, told in steps. There is no mouse.

  it('begins at the link that the service prints, which makes an account', async () => {
    const link = await until('the set-up link', () => /http\S+\/setup#[\w-]+/.exec(service.output())?.[0])
    beganAt = Date.now()
    await page.goto('/')
    await page.getByRole('heading', { name: 'Upbeat is not set up yet' }).waitFor()
    await page.getByText(`${origin}/setup#…`).waitFor()
    await lookAtIt('Upbeat is not set up yet')
    // Chromium logs the 401 of a visitor who is not signed in.
    complaints.splice(0)
    await tabTo(page.getByRole('link', { name: 'Set up Upbeat' }))
    await page.keyboard.press('Enter')
    const code = page.getByLabel('Setup code')
    await code.waitFor()
    await lookAtIt('Set up Upbeat')
    // Pasted into the tab that shows the page already.
    await page.evaluate(`location.hash = ${JSON.stringify(new URL(link).hash)}`)
    await code.waitFor({ state: 'hidden' })
    await page.getByText(`SITE_URL=${origin}`).waitFor()
    await type(page.getByLabel('Your name'), 'Ada Lovelace')
    await type(page.getByLabel('Your e-mail address'), 'ada@example.com')
    await type(page.getByLabel('Password'), 'a long password')
    await type(page.getByLabel('Team name'), 'Analytical Engines')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Welcome to Analytical Engines' }).waitFor()
  })

  it('shows the first real check of a URL that was pasted', async () => {
    await untilFocused(page.getByLabel('URL'))
    await page.keyboard.insertText(target)
    await page.keyboard.press('Enter')
    const check = page.getByRole('status').filter({ hasText: target })
    await check.getByText('Up', { exact: true }).waitFor()
    await check.getByText('HTTP 200').waitFor()
    assert.match((await check.textContent()) ?? '', /HTTP 200\d+ ms/)
  })

  it('takes a webhook as the contact, chosen by the arrow keys', async () => {
    const step = page.getByRole('listitem').filter({ hasText: 'Who should we alert when it goes down?' })
    // The first contact is an address, which this service cannot mail to.
    await untilFocused(step.getByRole('radio', { name: 'Someone else, or a service' }))
    await page.keyboard.press('ArrowUp')
    await untilFocused(step.getByRole('radio', { name: 'ada@example.com' }))
    await step.getByText('E-mail is not set up yet').waitFor()
    await page.keyboard.press('ArrowDown')
    await untilFocused(step.getByRole('radio', { name: 'Someone else, or a service' }))
    await page.keyboard.press('Tab')
    for (const name of ['Slack', 'Discord', 'Telegram']) {
      await untilFocused(step.getByRole('radio', { name, exact: true }))
      await page.keyboard.press('ArrowDown')
    }
    await untilFocused(step.getByRole('radio', { name: 'Webhook', exact: true }))
    await type(step.getByLabel('URL'), `${receiver.url}/alerts`)
    await type(step.getByLabel('Name'), 'On-call')
    await page.keyboard.press('Enter')
    await page.getByText(/^Alerts about 127\.0\.0\.1:\d+ go to On-call\.$/).waitFor()
    const { rows } = await service.services.db.pool.query(
      'SELECT c.name FROM subject_contacts s JOIN contacts c ON c.id = s.contact_id',
    )
    assert.deepEqual(rows, [{ name: 'On-call' }])
  })

  it('shows what the receiver really answered to a test', async () => {
    const step = page.getByRole('listitem').filter({ hasText: 'Send a test' })
    await untilFocused(step.getByRole('button', { name: 'Send a test to On-call' }))
    await page.keyboard.press('Enter')
    await step.getByText('Failed').first().waitFor()
    await step.getByText('HTTP 500: nope').waitFor()
    await step.getByText('The test did not arrive.').waitFor()
    answer = { status: 204, body: '' }
    await untilFocused(step.getByRole('button', { name: 'Send another test' }))
    await page.keyboard.press('Enter')
    await step.getByText('Delivered').waitFor()
    await step.getByText('HTTP 204').waitFor()
    await step.getByText('The test arrived.').waitFor()
    assert.deepEqual(
      receiver.requests.map(({ path, body }) => `${path} ${JSON.parse(body).event}`),
      ['/alerts test', '/alerts test'],
    )
  })

  it('ends at an overview that shows one monitor up', async (test) => {
    await tabTo(page.getByRole('link', { name: 'Finish' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'All is well' }).waitFor()
    await page.getByRole('region', { name: 'First steps' }).getByText('3 of 6').waitFor()
    await page.getByRole('link', { name: '1 Up' }).waitFor()
    await page.getByText('One contact gets alerts about outages.').waitFor()
    assert.deepEqual(complaints, [])
    test.diagnostic(`${((Date.now() - beganAt) / 1_000).toFixed(1)} s from the link to the overview`)
  })

  it('tells its owner that everybody else is given another address, until that is hidden', async () => {
    const banner = page.getByRole('region', { name: 'Address of this service' })
    await banner
      .getByText(`ping URLs point to ${service.services.siteUrl}, not to the address you opened`)
      .waitFor()
    await banner.getByRole('link', { name: 'Change the public address' }).waitFor()
    await expectAccessible(page, 'another address')
    await banner.getByRole('button', { name: 'Hide' }).click()
    await banner.waitFor({ state: 'detached' })
  })

  it('says calmly of the address that nothing is mailed to it', async () => {
    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    await page.getByRole('row').filter({ hasText: 'ada@example.com' }).getByText('Not set up').waitFor()
    await page.getByRole('row').filter({ hasText: 'On-call' }).getByText('Delivered').waitFor()
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByRole('heading', { name: 'All is well' }).waitFor()
  })

  it('says when it has lost the service, and is as it was once that is back', async () => {
    const line = page.getByRole('status').filter({ hasText: /^No connection since \d\d:\d\d. Retrying…$/ })
    const title = await page.title()
    await service.stop()
    // Ten seconds later.
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 10_000 }')
    await line.waitFor()
    assert.equal(await page.title(), `No connection · ${title}`)
    await expectAccessible(page, 'no connection')
    await service.start()
    await line.waitFor({ state: 'detached' })
    assert.equal(await page.title(), title)
    await page.getByRole('heading', { name: 'All is well' }).waitFor()
  })

  /** In a tab of its own: axe takes the focus. */
  async function lookAtIt(heading: string): Promise<void> {
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await tab.getByRole('heading', { name: heading }).waitFor()
    await expectAccessible(tab, heading)
    await tab.close()
  }

  async function type(field: Locator, text: string): Promise<void> {
    await tabTo(field)
    await page.keyboard.type(text)
  }

  async function tabTo(element: Locator, key = 'Tab'): Promise<void> {
    await element.waitFor()
    for (let tabs = 0; tabs < MAX_TABS; tabs++) {
      if (await isFocused(element)) return
      await page.keyboard.press(key)
    }
    assert.fail(`${element} is not reached by ${key}; the focus is at ${await focusedIn(page)}`)
  }

  async function untilFocused(element: Locator): Promise<void> {
    await element.waitFor()
    await until(`the focus at ${element}; it is at ${await focusedIn(page)}`, () => isFocused(element))
  }
})

async function isFocused(element: Locator): Promise<boolean> {
  return (await element.and(element.page().locator(':focus')).count()) > 0
}

function focusedIn(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement.outerHTML.slice(0, 200)')
}

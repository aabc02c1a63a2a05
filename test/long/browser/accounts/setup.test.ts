// npm test leaves this out: it goes through the setup of a team with its wrong turns (test/browser/first-run.test.ts goes straight on).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { ContactType } from '../../../../src/core/alerting/contact-types.ts'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { NARROW, openChromium, WIDE } from '../../../support/browser/chromium.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { startReceiver } from '../../../support/servers/receivers.ts'
import { startSwitchTarget } from '../../../support/servers/switch-target.ts'
import { until } from '../../../support/until.ts'

describe('the setup of a team', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page
  let target: string
  let receiver: string
  let answer = 500

  before(async () => {
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope))
    page = here.page
    target = (await startSwitchTarget(scope)).url
    receiver = (await startReceiver(scope, (response) => response.writeHead(answer).end())).url
    await here.open('/welcome', `Welcome to ${await nameOfTeam()}`)
  })

  const nameOfTeam = async () => (await here.team.data('GET', '/team')).name
  const step = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  const now = () => page.locator('[aria-current=step]')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  /** The one action of the screen that stands out. */
  const mainActions = () => page.locator('main').locator('a.bg-accent, button.bg-accent').allTextContents()

  it('offers http in place of https that fails, and tries it at once', async () => {
    const guessed = target.replace('http:', 'https:')
    await page.getByLabel('URL').fill(guessed)
    await button('Add monitor').click()
    await step('Add a monitor').locator('[data-status=down]').waitFor()
    await button(`Try ${target}`).waitFor()
    await expectAccessible(page, 'a first check that failed')
  })

  it('goes on where it was after a reload', async () => {
    await page.reload()
    await step('Add a monitor').locator('[data-status=down]').waitFor()
    await now().getByRole('heading', { name: 'Choose who gets alerted' }).waitFor()
    await button(`Try ${target}`).click()
    await step('Add a monitor').locator('[data-status=up]').waitFor()
    const monitors = await here.team.data('GET', '/monitors')
    assert.deepEqual(
      monitors.map(({ url }: { url: string }) => url),
      [target],
    )
    await now().getByRole('heading', { name: 'Choose who gets alerted' }).waitFor()
  })

  it('shows five channels, and the others when asked', async () => {
    await now().getByRole('radio', { name: 'Someone else, or a service' }).check()
    const channels = now().getByRole('group', { name: 'How should we send alerts?' }).getByRole('radio')
    assert.equal(await channels.count(), 5)
    await page.setViewportSize(NARROW)
    await expectNoSidewaysScroll(page, 'five channels')
    await button(`Show ${ContactType.options.length - 5} more`).click()
    assert.equal(await channels.count(), ContactType.options.length)
    await channels.nth(5).and(page.locator(':focus')).waitFor()
    await expectAccessible(page, 'all channels')
    await expectNoSidewaysScroll(page, 'all channels')
  })

  it('says of a test that it did not arrive, and leads back to the choice', async () => {
    await now().getByRole('radio', { name: 'Webhook', exact: true }).check()
    assert.equal(
      await now()
        .getByLabel(/^Attach to existing/)
        .count(),
      0,
      'there is nothing to attach it to',
    )
    await now().getByLabel('URL').fill(receiver)
    await now().getByLabel('Name').fill('On-call')
    await button('Add contact').click()
    await button('Send a test to On-call').click()
    await page.getByText('The test did not arrive.').waitFor()
    await page.reload()
    await page.getByText('The test did not arrive.').waitFor()
    await expectAccessible(page, 'a test that did not arrive')
    assert.deepEqual(await mainActions(), ['Send another test'])
    await button('Choose another contact').click()
    await now()
      .getByRole('radio', { name: /^On-call/ })
      .check()
    await button('Continue').click()
  })

  it('says that a test arrived, and ends with Finish', async () => {
    answer = 204
    await button('Send a test to On-call').click()
    await page.getByText('The test arrived.').waitFor()
    await until('Finish stands out', async () => (await mainActions()).join() === 'Finish')
    await expectNoSidewaysScroll(page, 'the end of the setup')
    await page.reload()
    await page.getByText('The test arrived.').waitFor()
    await until('Finish stands out still', async () => (await mainActions()).join() === 'Finish')
    await expectAccessible(page, 'the end of the setup')
    await page.setViewportSize(WIDE)
    await page.getByRole('link', { name: 'Finish' }).click()
    await page.getByRole('link', { name: /^Test a contact ?, done/ }).waitFor()
  })

  it('can be skipped at each step, and ends with Finish all the same', async () => {
    await here.open('/welcome', `Welcome to ${await nameOfTeam()}`)
    await page.getByRole('link', { name: 'Skip setup' }).waitFor()
    await button('Skip').click()
    await now().getByRole('heading', { name: 'Choose who gets alerted' }).waitFor()
    await page.getByRole('link', { name: 'Skip setup' }).waitFor()
    await button('Continue').click()
    await now().getByRole('heading', { name: 'Send a test' }).waitFor()
    await button('Skip').click()
    assert.deepEqual(await mainActions(), ['Finish'])
    assert.deepEqual(here.complaints(), [])
  })
})

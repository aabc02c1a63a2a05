// npm test leaves this out: it writes windows of every kind by clicks (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { browserService } from '../../support/browser/browser-service.ts'
import { type BrowserTeam, idInAddress, openBrowserTeam, saidOf } from '../../support/browser/browser-team.ts'
import { openChromium, openPage } from '../../support/browser/chromium.ts'
import { clipboardOf } from '../../support/browser/clipboard.ts'
import { createPerson, signInQuietly } from '../../support/browser/people.ts'
import { expectAccessible, openScreen } from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'
import { startSwitchTarget } from '../../support/servers/switch-target.ts'

const MONITORS = ['Billing', 'Ledger', 'Payroll']

/* What befalls one monitor is in test/browser. */
describe('maintenance', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page
  let viewer: Page
  const ids: number[] = []

  before(async () => {
    const service = await browserService()
    const browser = await openChromium(scope)
    here = await openBrowserTeam(scope, service, browser)
    page = here.page
    const settings = { url: (await startSwitchTarget(scope)).url, check_interval_seconds: 3_600 }
    for (const name of MONITORS) ids.push((await here.team.monitor({ ...settings, name })).id)
    const opened = await openPage(browser, service.services.siteUrl)
    scope.after(opened.leave)
    await signInQuietly(opened.context, await createPerson(service, here.team.teamId, 'viewer', 'Vikram'))
    viewer = opened.page
  })

  const part = (name: string, of = page) => of.getByRole('region', { name, exact: true })
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor()
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name })
  const confirm = (verb: string) => button(verb, page.getByRole('dialog')).click()

  it('has a screen that says how to begin', async () => {
    await here.open('', 'All is well')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Maintenance' }).click()
    await page.getByText('No maintenance windows yet').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'New window' }).first().click()
    await page.getByRole('heading', { name: 'New maintenance window', level: 1 }).waitFor()
  })

  it('of every last Sunday is written by choices, and shown while it is written', async () => {
    await page.getByRole('radio', { name: 'Recurring' }).check()
    await page.getByLabel('First start').fill('2027-03-28T02:30')
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await page.getByLabel('Repeats').selectOption('Monthly')
    await page.getByLabel('On', { exact: true }).selectOption('a weekday of the month')
    await page.getByLabel('Which').selectOption('last')
    await page.getByLabel('Duration').fill('20')
    await page.getByLabel('Unit').selectOption('hours')
    assert.equal(await page.getByLabel('Rule (RRULE)').inputValue(), 'FREQ=MONTHLY;BYDAY=-1SU')
    const preview = part('Preview')
    await preview.getByText('Every last Sunday of the month at 02:30 for 20 hours, Europe/Berlin.').waitFor()
    await preview.getByText('Covers up to 11.90 % of a week.').waitFor()
    await preview.getByText('Clocks change on this day: +01:00 becomes +02:00').waitFor()
    const first = preview.getByRole('listitem').first()
    await first.getByText('Sun, 28 Mar 2027, 03:30 – 23:30 +02:00 (Europe/Berlin)').waitFor()
    assert.equal(await preview.getByRole('listitem').count(), 5)
    await page.getByLabel('Days without it').fill('2027-04-25')
    await button('Add day').click()
    await preview.getByText('except on 2027-04-25').waitFor()
    await preview.getByText('25 Apr 2027').waitFor({ state: 'detached' })
    await expectAccessible(page, 'the form of a recurring window')
  })

  it('says at its fields what is wrong, also what only the service knows', async () => {
    await page.getByLabel('Rule (RRULE)').fill('FREQ=DAILY')
    assert.equal(await page.getByLabel('Repeats').inputValue(), 'DAILY')
    await page.getByLabel('Duration').fill('30')
    await page.getByText('must let each occurrence end before the next begins').waitFor()
    await page.getByLabel('Rule (RRULE)').fill('FREQ=MONTHLY;BYDAY=-1SU')
    await page.getByLabel('Duration').fill('4')
    await part('Preview').getByText('for 4 hours').waitFor()
    await button('Create window').click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    const name = page.getByLabel('Name', { exact: true })
    assert.equal(await saidOf(page, name), 'Enter a name')
    await page.locator('[name=name]:focus').waitFor()
    await name.fill('Ledger close')
    await button('Create window').click()
    await page.getByText('Must name a monitor, a server or a site, unless everything is chosen').waitFor()
  })

  it('finds its monitors by name, and is created', async () => {
    await page.getByLabel('Find monitors').fill('ledg')
    await page.getByText('1 found').waitFor()
    await page.getByRole('checkbox', { name: 'Ledger' }).check()
    await page.getByLabel('Find monitors').fill('')
    await page.getByText('3 found').waitFor()
    await button('Add all 3').click()
    await page.getByText('3 chosen').waitFor()
    await button('Remove Billing').click()
    await page.getByText('2 chosen').waitFor()
    await button('Create window').click()
    await said('Ledger close created.')
    await idInAddress(page, 'maintenance')
    await page.getByRole('heading', { name: 'Ledger close', level: 1 }).waitFor()
    await part('Monitors (2)').getByRole('link', { name: 'Payroll' }).waitFor()
  })

  it('is in the list and in the calendar', async () => {
    await here.open('/maintenance', 'Maintenance')
    const row = part('Planned').getByRole('listitem')
    await row.getByText('Every last Sunday of the month at 02:30 for 4 hours').waitFor()
    await row.getByText('Ledger, Payroll.').waitFor()
    await here.open('/maintenance?view=calendar&month=2027-02', 'Maintenance')
    await page.getByRole('heading', { name: 'February 2027' }).waitFor()
    await button('Next month').click()
    await page.getByRole('heading', { name: 'March 2027' }).waitFor()
    await page
      .getByRole('link', { name: /Ledger close/ })
      .filter({ visible: true })
      .waitFor()
    await expectAccessible(page, 'the calendar')
    // The arrow keys go from day to day.
    await button('Monday, 1 March 2027').focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'Enter'])
      await page.keyboard.press(key)
    await page.getByText('Nothing on this day.').filter({ visible: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sun, 28 Mar 2027' }).filter({ visible: true }).waitFor()
    await page
      .getByRole('link', { name: /Ledger close/ })
      .filter({ visible: true })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Ledger close', level: 1 }).waitFor()
  })

  it('is edited, called off once, and kept otherwise', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Edit Ledger close', level: 1 }).waitFor()
    await page.getByLabel('Note').fill('The books are closed.')
    await button('Save changes').click()
    await said('Ledger close saved.')
    const plan = part('Plan')
    await plan.getByText('The books are closed.').waitFor()
    await plan.getByText('Sun, 28 Mar 2027, 03:30').waitFor()
    await button('Call off the next…').click()
    await confirm('Call off')
    await plan.getByText('Sun, 28 Mar 2027, 03:30').waitFor({ state: 'detached' })
    await plan.getByText('Sun, 30 May 2027, 02:30').waitFor()
  })

  it('of a selection is on the overview, and asks before it ends for all of it', async () => {
    await here.open('/monitors?sort=name', 'Monitors')
    for (const name of ['Billing', 'Ledger'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await button('Maintenance', page.getByRole('toolbar')).click()
    await page.getByRole('menuitem', { name: 'Now, for 1 h' }).click()
    await said('Maintenance of 2 monitors started for 1 h.')
    await here.open('', 'All is well')
    await part('Under maintenance: Short-notice maintenance').getByText('(2 monitors)').waitFor()
    await here.open(`/monitors/${ids[1]}`, 'Ledger')
    await button(/^End now/).click()
    await page.getByText('It ends for everything that it covers').waitFor()
    await confirm('End now')
    await part('Under maintenance: Short-notice maintenance').waitFor({ state: 'detached' })
  })

  it('is switched by hand, as everyone who looks on sees at once, and has secret addresses', async () => {
    await here.open('/maintenance/new', 'New maintenance window')
    await page.getByRole('radio', { name: 'Switch' }).check()
    await page.getByLabel('Name', { exact: true }).fill('Deployments')
    await page.getByLabel('Longest time').fill('45')
    await page.getByLabel('Unit').selectOption('minutes')
    await page.getByRole('checkbox', { name: 'Everything in this team' }).check()
    await button('Create window').click()
    await page.getByRole('heading', { name: 'Deployments', level: 1 }).waitFor()
    await openScreen(viewer, `/teams/${here.team.teamId}/maintenance`)
    await part('Switches', viewer).getByText('Off', { exact: true }).waitFor()
    await button('Turn on (Deployments)').click()
    await page.getByRole('menuitem', { name: 'For 30 min' }).click()
    await said('Deployments is on.')
    await part('Switches', viewer).getByText('On until').waitFor()
    await part('Now', viewer).getByText('Deployments').waitFor()
    assert.equal(
      await viewer
        .getByRole('main')
        .getByRole('button', { name: /now|more$|Turn/ })
        .count(),
      0,
    )
    await button(/^Copy Turn on/).click()
    const before = await clipboardOf(page)
    assert.match(before, /\/maintenance\/[^/]{20,}\/start$/)
    await button('New addresses…').click()
    await confirm('Create new addresses')
    await said('New addresses created.')
    await page.getByText(before, { exact: true }).waitFor({ state: 'detached' })
    await button('End now (Deployments)').click()
    await part('Switches', viewer).getByText('Off', { exact: true }).waitFor()
  })

  it('is deleted after a question', async () => {
    await button('Delete…').click()
    await confirm('Delete window')
    await said('Deployments deleted.')
    await part('Planned').getByText('Ledger close').waitFor()
    await part('Past').getByText('Deployments').waitFor()
    await part('Switches').waitFor({ state: 'detached' })
  })

  it('is in a calendar feed with a secret address, which can be replaced and removed', async () => {
    const feed = part('Calendar feed')
    await button('Create address', feed).click()
    const address = feed.locator('code')
    const before = await address.textContent()
    assert.match(String(before), /\/calendars\/.+\.ics$/)
    await button('Replace address…', feed).click()
    await confirm('Replace address')
    await feed.getByText(String(before)).waitFor({ state: 'detached' })
    await address.waitFor()
    await button('Remove address…', feed).click()
    await confirm('Remove address')
    await button('Create address', feed).waitFor()
  })

  it('makes no page complain', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

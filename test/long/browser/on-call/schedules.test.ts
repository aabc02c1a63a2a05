// npm test leaves this out: it writes schedules with layers and overrides, and looks at their months (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import ICAL from 'ical.js'
import type { Locator, Page } from 'playwright-core'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam, saidOf } from '../../../support/browser/browser-team.ts'
import { NARROW, openChromium, openPage, WIDE } from '../../../support/browser/chromium.ts'
import { createPerson, signInQuietly } from '../../../support/browser/people.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  openScreen,
  untilLoaded,
} from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { startSwitchTarget } from '../../../support/servers/switch-target.ts'

const HOOK = { type: 'webhook', config: { url: 'https://hooks.example.com/' } }

describe('on-call schedules', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page
  let viewer: Page

  before(async () => {
    const service = await browserService()
    const browser = await openChromium(scope)
    here = await openBrowserTeam(scope, service, browser)
    page = here.page
    const { url } = await startSwitchTarget(scope)
    await here.team.monitor({ url, check_interval_seconds: 3_600, name: 'Crystals' })
    for (const name of ['Phone of Rosalind', 'Phone of Maurice'])
      await here.team.data('POST', '/notification-contacts', { ...HOOK, name })
    const opened = await openPage(browser, service.services.siteUrl)
    scope.after(opened.leave)
    await signInQuietly(opened.context, await createPerson(service, here.team.teamId, 'viewer', 'Rosalind'))
    viewer = opened.page
  })

  const part = (name: string, of = page) => of.getByRole('region', { name, exact: true })
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor()
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name })
  const group = (name: string) => page.getByRole('group', { name, exact: true })
  const shiftsOf = (name: string) => group('Shifts').getByRole('button', { name: new RegExp(`^${name},`) })

  it('begin with a screen that says what they are for', async () => {
    await here.open('', 'All is well')
    await page.getByRole('link', { name: /^Say who is on call ?, to do/ }).waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'On-call' }).click()
    await page.getByText('No on-call schedules yet').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'New schedule' }).first().click()
    await page.getByRole('heading', { name: 'New on-call schedule', level: 1 }).waitFor()
  })

  it('say at their fields what is missing', async () => {
    await button('Create schedule').click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    const first = group('Participant 1')
    assert.equal(await saidOf(page, page.getByLabel('Name').first()), 'Enter a name')
    assert.match(String(await saidOf(page, first.getByLabel('Contacts to alert'))), /^Contacts to alert must/)
  })

  it('show the month while they are written: turns, a layer of hours, and gaps', async () => {
    await page.getByLabel('Name').first().fill('Lab, first line')
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await group('Participant 1').getByLabel('Account').selectOption('Rosalind')
    const rosalind = group('Rosalind')
    assert.equal(await rosalind.getByLabel('Name').inputValue(), 'Rosalind')
    await rosalind.getByLabel('Contacts to alert').selectOption('Phone of Rosalind')
    await button('Add participant').click()
    await group('Participant 2').getByLabel('Name').fill('Maurice')
    await group('Maurice').getByLabel('Contacts to alert').selectOption('Phone of Maurice')
    const layer = group('Layer 1')
    await layer.getByLabel('First day').fill('2026-01-05')
    // Everyone takes turns in a schedule of one rotation.
    assert.deepEqual(
      await layer.getByRole('list', { name: 'Order of turns' }).getByRole('listitem').allInnerTexts(),
      ['Rosalind', 'Maurice'],
    )
    await shiftsOf('Rosalind').first().waitFor()
    await shiftsOf('Maurice').first().waitFor()
    assert.equal(await shiftsOf('No one').count(), 0)
    await layer.getByLabel('Only during certain hours').check()
    await shiftsOf('No one').first().waitFor()
    await button('Add layer').click()
    const night = group('Layer 2')
    await night.getByLabel('First day').fill('2026-01-05')
    await button('Remove turn 1', night).click()
    await shiftsOf('No one').first().waitFor()
    await button('Move layer 2 up').click()
    assert.equal(await group('Layer 2').getByLabel('Only during certain hours').isChecked(), true)
    await shiftsOf('No one').first().waitFor({ state: 'detached' })
    // A preview that is asked for anew is paler.
    await untilLoaded(page)
    await expectAccessible(page, 'the form of a schedule')
    await button('Create schedule').click()
    await said('Lab, first line created.')
    await page.getByRole('heading', { name: 'Lab, first line', level: 1 }).waitFor()
  })

  it('are read by viewers, on a phone, too', async () => {
    await openScreen(viewer, `/teams/${here.team.teamId}/on-call`)
    await viewer.getByRole('link', { name: 'Lab, first line' }).click()
    await viewer.getByRole('heading', { name: 'Lab, first line', level: 1 }).waitFor()
    await part('Layers', viewer).getByText('Mon – Fri, 09:00 – 17:00').waitFor()
    assert.equal(await button('Override…', viewer).count(), 0)
    const herself = part('Participants', viewer).getByRole('listitem').filter({ hasText: 'Rosalind' })
    await herself.getByText('you', { exact: true }).waitFor()
    await viewer.setViewportSize(NARROW)
    await viewer.getByRole('list', { name: 'Shifts' }).getByRole('listitem').first().waitFor()
    await expectNoSidewaysScroll(viewer, 'a schedule on a phone')
    await expectAccessible(viewer, 'a schedule on a phone')
    await viewer.setViewportSize(WIDE)
  })

  it('are overridden in two clicks, and the picture shows it', async () => {
    const now = page.locator('dd').first()
    const before = (await now.innerText()).split('\n')[0]
    await button('Override…').click()
    await button('Add override', page.getByRole('dialog')).click()
    await said('Override added.')
    const other = before === 'Maurice' ? 'Rosalind' : 'Maurice'
    await now.getByText(other).first().waitFor()
    await part('Overrides').getByRole('listitem').getByText(other).waitFor()
    await expectAccessible(page, 'a schedule with an override')
    await here.open('', 'All is well')
    await part('On call now').getByRole('listitem').getByText(other).first().waitFor()
    await here.open('/on-call', 'On-call')
    await page.getByRole('link', { name: 'Lab, first line' }).click()
    await button(`Remove the override of ${other}`).click()
    await said('Override removed.')
    await part('Overrides').getByText('None. The layers say who is on call.').waitFor()
  })

  it('refuse an override that ends before it begins', async () => {
    await button('Override…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('End').fill('2020-01-01T00:00')
    await button('Add override', dialog).click()
    assert.match(String(await saidOf(page, dialog.getByLabel('End'))), /^Must be after Start/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('are walked through by keyboard: a shift is chosen, and can be overridden', async () => {
    await group('Shifts').getByRole('button').first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const chosen = group('Shifts').locator('[aria-pressed=true]').first()
    await chosen.waitFor()
    await group('Shifts').locator('[aria-pressed=true]:focus').waitFor()
    await button('Next month').click()
    await shiftsOf('Rosalind').last().press('Enter')
    await button('Override this shift…').click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByLabel('Participant').locator('option:checked').innerText(), 'Maurice')
    await button('Cancel', dialog).click()
  })

  it('have a calendar by a secret address', async () => {
    const feed = part('Calendar feed')
    await button('Create address', feed).click()
    await said('New calendar address created.')
    const address = await feed.locator('code').innerText()
    const { status, events } = await readCalendar(address)
    assert.equal(status, 200)
    assert.ok(events.some((summary) => summary === 'Maurice: Lab, first line'))
    await button('Remove address…', feed).click()
    await button('Remove address', page.getByRole('dialog')).click()
    await said('Calendar address removed.')
    assert.equal((await readCalendar(address)).status, 404)
  })

  it('say when no contact is left, are changed, and deleted', async () => {
    const contacts = await here.team.data('GET', '/notification-contacts')
    const { id } = contacts.find(({ name }: { name: string }) => name === 'Phone of Maurice')
    await here.team.data('DELETE', `/notification-contacts/${id}`)
    await part('Participants').getByText('No contacts left: no one is alerted during these shifts.').waitFor()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByRole('heading', { name: 'Edit Lab, first line', level: 1 }).waitFor()
    await button('Remove Maurice').click()
    await button('Save changes').click()
    // His own layer has no one left.
    const turns = group('Layer 1').getByLabel('Add a turn')
    assert.match(String(await saidOf(page, turns)), /^Order of turns must have at least 1/)
    await button('Remove layer 1').click()
    await page.getByLabel('Name').first().fill('Lab')
    await button('Save changes').click()
    await said('Lab saved.')
    await part('Participants').getByRole('listitem').nth(1).waitFor({ state: 'detached' })
    await button('Delete…').click()
    await button('Delete schedule', page.getByRole('dialog')).click()
    await said('Lab deleted.')
    await page.getByText('No on-call schedules yet').waitFor()
    assert.deepEqual(here.complaints(), [])
  })

  async function readCalendar(address: string) {
    const answer = await fetch(address)
    const text = await answer.text()
    const events = answer.ok
      ? new ICAL.Component(ICAL.parse(text))
          .getAllSubcomponents('vevent')
          .map((event) => new ICAL.Event(event).summary)
      : []
    return { status: answer.status, events }
  }
})

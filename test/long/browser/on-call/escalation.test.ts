// npm test leaves this out: it sets up, foretells and tries an escalation (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { NARROW, openChromium, WIDE } from '../../../support/browser/chromium.ts'
import { colleagueOf } from '../../../support/browser/people.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { replyWith, startReceiver } from '../../../support/servers/receivers.ts'
import { startSwitchTarget } from '../../../support/servers/switch-target.ts'

describe('escalation, as people set it up and answer it', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page

  before(async () => {
    service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
    const { url } = await startReceiver(scope, replyWith(204))
    for (const name of ['Phone of Ada', 'Phone of Bo']) {
      const config = { url: `${url}/hook` }
      await here.team.data('POST', '/notification-contacts', { name, type: 'webhook', config })
    }
    const target = await startSwitchTarget(scope, 503)
    const { id } = await here.team.monitor({
      name: 'Crystals',
      url: target.url,
      check_interval_seconds: 3_600,
    })
    await here.team.untilStatus(id, 'down')
  })

  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: typeof name === 'string' })
  const said = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor()
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  const group = (name: string) => page.getByRole('group', { name, exact: true })

  it('reminds as often as the team wants', async () => {
    await here.open('/on-call', 'On-call')
    const often = region('Reminders').getByLabel('Remind while an incident is open and not acknowledged')
    assert.equal(await often.inputValue(), '')
    await often.selectOption('Every 30 min')
    await said('Reminders are on from the next incident.')
    await expectAccessible(page, 'the screen of on-call with reminders')
  })

  it('alerts once of what flaps, if the team wants that', async () => {
    const [changes, minutes] = ['Changes at most', 'Within minutes'].map((label) =>
      region('Flapping').getByLabel(label),
    ) as [Locator, Locator]
    assert.deepEqual([await changes.inputValue(), await minutes.inputValue()], ['', ''])
    await changes.fill('1')
    await minutes.fill('30')
    await button('Save', region('Flapping')).click()
    await region('Flapping').locator('[aria-invalid=true]').waitFor()
    await changes.fill('5')
    await button('Save', region('Flapping')).click()
    await said('More than 5 changes within 30 minutes make one alert that something is flapping.')
    await expectAccessible(page, 'the screen of on-call with flapping')
    await changes.fill('')
    await minutes.fill('')
    await button('Save', region('Flapping')).click()
    await said('Each outage and each recovery has its alert.')
  })

  it('says while a policy is written what would happen', async () => {
    await page.getByRole('link', { name: 'New policy' }).click()
    await page.getByRole('heading', { name: 'New escalation policy', level: 1 }).waitFor()
    await button('Create policy').click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    await page.getByLabel('Name').fill('Day and night')
    await group('Step 1').getByLabel('Contacts to alert').selectOption('Phone of Ada')
    await button('Add step').click()
    await group('Step 2').getByLabel('Contacts to alert').selectOption('Phone of Bo')
    const run = region('Dry run')
    await button('Subject Any', run).click()
    const dialog = page.getByRole('dialog', { name: 'Choose a monitor, server or site' })
    await button(/^Crystals/, dialog).click()
    const events = run.getByRole('list', { name: 'Alerts that would be sent' }).getByRole('listitem')
    await events.filter({ hasText: /First alert: .*Phone of Bo/ }).waitFor()
    await events.filter({ hasText: 'Step 1: Phone of Ada' }).waitFor()
    await events.filter({ hasText: 'Step 2: Phone of Bo' }).waitFor()
    await events
      .filter({ hasText: /Reminder: / })
      .first()
      .waitFor()
    await expectAccessible(page, 'the form of a policy')
    await button('Create policy').click()
    await said('Day and night created.')
    await page.getByRole('heading', { name: 'Day and night', level: 1 }).waitFor()
    await page.setViewportSize(NARROW)
    await expectNoSidewaysScroll(page, 'a policy on a phone')
    await page.setViewportSize(WIDE)
  })

  it('is chosen in the form of a monitor', async () => {
    await here.open('/monitors', 'Monitors')
    await page.getByRole('link', { name: 'Crystals' }).first().click()
    await page.getByRole('heading', { name: 'Crystals', level: 1 }).waitFor()
    await here.open(`${new URL(page.url()).pathname.replace(/^\/teams\/\d+/, '')}/edit`, 'Edit Crystals')
    await page.getByLabel('Escalation policy').selectOption('Day and night')
    await button('Save changes').click()
    await said('Crystals saved.')
    await here.open('/on-call', 'On-call')
    await region('Escalation policies').getByText('Chosen by 1 monitor').waitFor()
  })

  it('is shown where another member chose another one meanwhile', async () => {
    const edith = await colleagueOf(service, here.team.teamId, 'Edith')
    const [one] = await edith.ask('GET', '/escalation-policies')
    const other = await edith.ask('POST', '/escalation-policies', {
      ...{ name: 'Weekends', steps: one.steps },
    })
    const { id } = (await here.team.data('GET', '/monitors'))[0]
    const field = page.getByLabel('Escalation policy')
    await here.open(`/monitors/${id}/edit`, 'Edit Crystals')
    await field.selectOption('No policy of its own')
    await edith.ask('PUT', `/monitors/${id}/escalation-policy`, { policy_id: other.id })
    await button('Save changes').click()
    const collision = page.getByRole('alert', { name: 'Changed by someone else' })
    await collision.getByText('Edith changed this while you were editing it').waitFor()
    await collision.getByText('Escalation policy').waitFor()
    await collision.getByText('Theirs: Weekends').waitFor()
    await collision.getByText('Yours: No policy of its own').waitFor()
    await expectAccessible(page, 'a collision of policies')
    await button('Take theirs', collision).click()
    assert.equal(await field.locator('option:checked').innerText(), 'Weekends')
    await field.selectOption('Day and night')
    await button('Save changes').click()
    await page.waitForURL(`**/monitors/${id}`)
    const chosen = await edith.ask('GET', `/monitors/${id}/escalation-policy`)
    assert.equal(chosen.policy_id, one.id)
    await here.open('/on-call', 'On-call')
  })

  it('is tried by a drill, which shows each step arrive', async () => {
    await page.getByRole('link', { name: 'Day and night' }).click()
    await button('Start drill…').click()
    await button('Start drill', page.getByRole('dialog')).click()
    await page.getByRole('heading', { name: 'Drill of Day and night', level: 1 }).waitFor()
    const steps = page.getByRole('list', { name: 'Steps' }).locator('> li')
    await steps.filter({ hasText: 'Phone of Ada' }).getByText('Delivered').waitFor()
    await steps.filter({ hasText: 'Step 2' }).getByText('Upcoming').waitFor()
    await expectAccessible(page, 'a drill')
    await button('Acknowledge').click()
    await page.getByText(/^Acknowledged by .*: no more steps follow\.$/).waitFor()
  })

  it('is answered on a phone in two taps, and taken back', async () => {
    await here.open('/incidents', 'Incidents')
    await page.setViewportSize(NARROW)
    await page.getByRole('list', { name: 'Incidents' }).getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Crystals is down', level: 1 }).waitFor()
    const bar = page.getByRole('toolbar', { name: 'Actions on this incident' })
    await button('Acknowledge', bar).click()
    const dialog = page.getByRole('dialog', { name: 'Acknowledge this incident' })
    await expectAccessible(page, 'the dialog that acknowledges')
    await button('I’m on it', dialog).click()
    await said('Acknowledged. Reminders and escalation have stopped.')
    await region('Acknowledgement')
      .getByText(/^Acknowledged by /)
      .waitFor()
    await expectNoSidewaysScroll(page, 'an acknowledged incident on a phone')
    await region('Timeline')
      .getByText(/^Acknowledged by /)
      .waitFor()
    await here.open('/incidents', 'Incidents')
    await page
      .getByRole('list', { name: 'Incidents' })
      .getByText(/^Acknowledged by /)
      .waitFor()
    await button('Not acknowledged').click()
    await page.getByText('Nothing to acknowledge').waitFor()
    await expectNoSidewaysScroll(page, 'the incidents that nobody has acknowledged on a phone')
    await button('Ongoing').click()
    await page.getByText(/^Acknowledged by /).waitFor()
    await expectAccessible(page, 'an acknowledged incident in the list')
    await here.open('', '1 down')
    await region('Needs attention')
      .getByText(/^Acknowledged by /)
      .waitFor()
    await expectNoSidewaysScroll(page, 'an acknowledged outage in the overview')
    await expectAccessible(page, 'an acknowledged outage in the overview')
    await region('Needs attention').getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Crystals', level: 1 }).waitFor()
    await here.open('/incidents', 'Incidents')
    await page.getByRole('list', { name: 'Incidents' }).getByRole('link').first().click()
    await button('Undo acknowledgement', bar).click()
    await said('Acknowledgement undone. Reminders and escalation continue.')
    await button('Acknowledge', bar).waitFor()
    await page.setViewportSize(WIDE)
  })

  it('keeps notes in the timeline', async () => {
    await page.getByLabel('Add a note').fill('The disk was full.')
    await button('Add note').click()
    await said('Note added.')
    await region('Timeline')
      .getByText(/^Note by .*: The disk was full\.$/)
      .waitFor()
    assert.equal(await page.getByLabel('Add a note').inputValue(), '')
    await expectAccessible(page, 'an incident with a note')
  })
})

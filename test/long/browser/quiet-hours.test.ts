// npm test leaves this out: it waits for an alert that is held and let go (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../support/browser/browser-team.ts'
import { openChromium } from '../../support/browser/chromium.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'
import { type Receiver, startReceiver } from '../../support/servers/receivers.ts'
import { startSwitchTarget } from '../../support/servers/switch-target.ts'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The full hour that is this many hours from the present one. */
function hoursFrom(now: Date, hours: number): string {
  return `${String((now.getUTCHours() + hours + 24) % 24).padStart(2, '0')}:00`
}

describe('the quiet hours of a contact, on its page', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page
  let receiver: Receiver
  let contact: number

  before(async () => {
    receiver = await startReceiver(scope, (response) => {
      response.writeHead(204).end()
    })
    service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
    contact = (await here.team.webhook(receiver, { name: 'Sleeper' })).id
  })

  const panel = () => page.getByRole('region', { name: 'Quiet hours' })
  const log = () => page.getByRole('region', { name: 'Delivery log' })

  it('are off at first, and say at their fields what is wrong', async () => {
    await here.open(`/contacts/${contact}`, 'Sleeper')
    await panel().getByText('None: alerts are sent at any time.').waitFor()
    await panel().getByLabel('During quiet hours').selectOption('hold')
    await panel().getByLabel('Time zone').fill('Mars/Olympus')
    for (const day of DAYS) await panel().getByLabel(day, { exact: true }).press('Space')
    await panel().getByRole('button', { name: 'Save quiet hours' }).click()
    await panel().getByText('Time zone must be a time zone of the IANA database').waitFor()
    await panel().getByText('Days must have at least 1 entry').waitFor()
    await expectAccessible(page, 'a contact whose quiet hours are wrong')
  })

  it('hold an alert, which the log and the incident say, until they are turned off', async () => {
    const now = new Date()
    for (const day of DAYS) await panel().getByLabel(day, { exact: true }).press('Space')
    await panel().getByLabel('Time zone').fill('UTC')
    await panel().getByLabel('From').fill(hoursFrom(now, -1))
    await panel().getByLabel('Until').fill(hoursFrom(now, 3))
    await panel().getByLabel('Let alerts about outages through').uncheck()
    await panel().getByRole('button', { name: 'Save quiet hours' }).click()
    await page.getByText('Quiet hours saved.').waitFor()
    await panel().getByText('(UTC): alerts wait until the hours end.').waitFor()
    await panel().getByText('Quiet hours apply now, until').waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page, 'a contact with quiet hours')
    await page.setViewportSize({ width: 1_280, height: 800 })

    const target = await startSwitchTarget(scope, 503)
    await here.team.monitor({
      ...{ name: 'Night shop', url: target.url, check_interval_seconds: 3_600 },
      notification_contact_ids: [contact],
    })
    const alert = log().getByRole('listitem').filter({ hasText: 'Down: Night shop' })
    await alert.getByText('Held', { exact: true }).waitFor()
    await alert.locator('summary').click()
    await alert.getByText('quiet hours of the contact.').waitFor()
    assert.equal(receiver.requests.length, 0)
    await alert.getByRole('link', { name: 'Incident' }).click()
    await page.getByText('is held').waitFor()

    await here.open(`/contacts/${contact}`, 'Sleeper')
    await panel().getByLabel('During quiet hours').selectOption('')
    await panel().getByRole('button', { name: 'Save quiet hours' }).click()
    await page.getByText('Quiet hours are off.').waitFor()
    await log().getByText('Delivered').first().waitFor()
    assert.equal(receiver.requests.length, 1)
    assert.deepEqual(here.complaints(), [])
  })
})

// npm test leaves this out: it fills in two forms and sends a test alert (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { type Receiver, replyWith, startReceiver } from '../../../support/servers/receivers.ts'
import { until } from '../../../support/until.ts'

describe('the time zone of alerts', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page
  let receiver: Receiver
  let contact: number

  before(async () => {
    receiver = await startReceiver(scope, replyWith(200, 'ok'))
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope))
    page = here.page
    const config = { webhook_url: `${receiver.url}/services/x` }
    contact = (await here.team.webhook(receiver, { name: 'Chat', type: 'slack', config })).id
  })

  const ofTeam = () => page.getByRole('region', { name: 'Language and time zone of alerts' })
  const ofContact = () => page.getByRole('region', { name: 'Time zone', exact: true })

  async function choose(panel: ReturnType<typeof ofTeam>, zone: string) {
    await panel.getByLabel('Times in alerts').selectOption('In this time zone')
    const field = panel.getByLabel('Time zone', { exact: true })
    const proposed = await page.evaluate('new Intl.DateTimeFormat().resolvedOptions().timeZone')
    assert.equal(await field.inputValue(), proposed, "the reader's own zone is proposed")
    await field.fill(zone)
    await panel.getByRole('button', { name: 'Save time zone' }).click()
  }

  it('is UTC at first, and chosen for the team', async () => {
    await here.open('/settings', 'Team')
    assert.equal(await ofTeam().getByLabel('Times in alerts').inputValue(), 'false')
    await choose(ofTeam(), 'Mars/Olympus')
    await ofTeam().getByText('must be a time zone of the IANA database').waitFor()
    await expectAccessible(page, 'settings with a zone that is none')
    await ofTeam().getByLabel('Time zone', { exact: true }).fill('Asia/Kolkata')
    await ofTeam().getByRole('button', { name: 'Save time zone' }).click()
    await page.getByText('Time zone saved.').waitFor()
    await ofTeam().getByText('UTC+05:30 now').waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page, 'settings with a time zone')
    await page.setViewportSize({ width: 1_280, height: 800 })
  })

  it('is that of a contact where it has one, and the next alert has it', async () => {
    await here.open(`/contacts/${contact}`, 'Chat')
    await ofContact().getByText("in Asia/Kolkata, the team's time zone.").waitFor()
    await choose(ofContact(), 'America/Phoenix')
    await ofContact().getByText('Alerts to this contact give times in America/Phoenix.').waitFor()
    await page.getByRole('button', { name: 'Send test' }).click()
    const { body } = await until('the test', () => receiver.requests[0])
    assert.match(body, /Sent at: [\d-]+ [\d:]+ UTC-07:00/)
    await ofContact().getByLabel('Times in alerts').selectOption("In the team's time zone (Asia/Kolkata)")
    await ofContact().getByRole('button', { name: 'Save time zone' }).click()
    await ofContact().getByText("in Asia/Kolkata, the team's time zone.").waitFor()
  })

  it('is no question for what programs read', async () => {
    const { id } = await here.team.webhook(receiver, { name: 'Hook' })
    await here.open(`/contacts/${id}`, 'Hook')
    await page.getByRole('region', { name: 'Quiet hours' }).waitFor()
    assert.equal(await ofContact().count(), 0)
    assert.deepEqual(here.complaints(), [])
  })
})

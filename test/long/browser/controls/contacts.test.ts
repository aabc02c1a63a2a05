// npm test leaves this out: it types a contact of every type, and tests each against a receiver (a minute of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { CONTACT_TYPES, type ContactType } from '../../../../src/core/alerting/contact-types.ts'
import { TOO_BUSY } from '../../../../src/core/monitors/cause.ts'
import { DELIVERIES_CHANNEL } from '../../../../src/store/news.ts'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, idInAddress, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { changeRows } from '../../../support/records/rows.ts'
import { suiteScope } from '../../../support/scope.ts'
import { type Answer, type Receiver, replyWith, startReceiver } from '../../../support/servers/receivers.ts'
import { STRICT, STRICT_VENDORS } from '../../../support/servers/strict-receivers.ts'
import { startSwitchTarget } from '../../../support/servers/switch-target.ts'
import { until } from '../../../support/until.ts'

describe('the screens of contacts', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page
  let webhook: Receiver
  /** The answers of the webhook's receiver; the last one repeats. */
  let answers: { status: number; body: string }[] = []

  before(async () => {
    webhook = await startReceiver(scope, (response) => {
      const { status, body } = (answers.length > 1 ? answers.shift() : answers[0]) ?? {
        status: 204,
        body: '',
      }
      response.writeHead(status).end(body)
    })
    service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
  })

  /** A team may send ten tests a minute. */
  const TESTS_OF_TEAM = 6
  type Channel = { config: (url: string) => Record<string, string>; answer?: Answer }

  /** That a browser is one, test/long/browser/alerts-in-browser.test.ts says. */
  const CHANNELS: Record<Exclude<ContactType, 'webpush'>, Channel> = {
    email: { config: () => ({ email: 'on-call@example.com' }) },
    webhook: {
      answer: replyWith(204),
      config: (url) => ({ url: `${url}/alerts?key=ä%20b` }),
    },
    ...STRICT_VENDORS,
    ...STRICT,
  }

  const channels = Object.entries(CHANNELS) as [ContactType, Channel][]
  for (const [index, [type, channel]] of channels.entries()) {
    it(`make a contact of type ${type}, and show its real answer to a test`, async (t) => {
      const { url } = await startReceiver(t, channel.answer ?? replyWith(404))
      const config = channel.config(url)
      const { word: label, texts } = CONTACT_TYPES[type]
      if (index > 0 && index % TESTS_OF_TEAM === 0) {
        here = await openBrowserTeam(scope, service, await openChromium(scope))
        page = here.page
      }
      await here.open('/contacts/new', 'Add a contact')
      await page.getByRole('radio', { name: label, exact: true }).check()
      for (const [key, { label }] of Object.entries<{ label: string }>(texts)) {
        const field = page.getByLabel(label, { exact: true })
        const isChoice = (await field.locator('option').count()) > 0
        // A choice stands at its default.
        if (isChoice) await field.selectOption(config[key] ?? (await field.inputValue()))
        else await field.fill(config[key] ?? '')
      }
      await page.getByLabel('Name', { exact: true }).fill(`On-call ${label}`)
      await page.getByLabel('Alert when it recovers').uncheck()
      await page.getByRole('button', { name: 'Add contact' }).click()
      const id = await idInAddress(page, 'contacts')
      assert.deepEqual(await here.team.data('GET', `/notification-contacts/${id}`), {
        id,
        name: `On-call ${label}`,
        type,
        config,
        notify_on_down: true,
        notify_on_recovery: false,
      })
      await page.getByRole('button', { name: 'Send test' }).click()
      const outcome = page.getByRole('region', { name: 'Test' }).getByRole('status')
      await outcome.getByText('Delivered').waitFor()
      assert.match((await outcome.textContent()) ?? '', /HTTP 20\d|250/)
    })
  }

  it('keep what was typed for one channel while another is looked at', async () => {
    await here.open('/contacts/new', 'Add a contact')
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('Name', { exact: true }).fill('Ada')
    await page.getByRole('radio', { name: 'Telegram', exact: true }).check()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Ada')
    await page.getByRole('radio', { name: 'E-mail', exact: true }).check()
    assert.equal(await page.getByLabel('E-mail address').inputValue(), 'ada@example.com')
  })

  it('show the words in which a receiver refused a test', async () => {
    answers = [{ status: 500, body: 'nope' }]
    const { id } = await here.team.webhook(webhook, { name: 'Broken' })
    await here.open(`/contacts/${id}`, 'Broken')
    await page.getByRole('button', { name: 'Send test' }).click()
    const outcome = page.getByRole('region', { name: 'Test' }).getByRole('status')
    await outcome.getByText('HTTP 500: nope').waitFor()
    await outcome.getByText('Failed').first().waitFor()
    const log = page.getByRole('region', { name: 'Delivery log' })
    await log.getByText('Failed').first().waitFor()
  })

  it('log every attempt of an alert that arrived in the end', async () => {
    answers = [
      { status: 503, body: 'busy' },
      { status: 429, body: 'slowly' },
      { status: 204, body: '' },
    ]
    const contact = await here.team.webhook(webhook, { name: 'Moody' })
    const target = await startSwitchTarget(scope, 503)
    const hourly = { url: target.url, check_interval_seconds: 3_600 }
    await here.team.monitor({ ...hourly, notification_contact_ids: [contact.id] })
    await here.open(`/contacts/${contact.id}`, 'Moody')
    const alert = page.getByRole('listitem').filter({ hasText: 'Down: Shop' })
    await alert.locator('summary').click()
    const attempts = alert.getByRole('listitem')
    for (const index of [0, 1]) {
      await attempts.nth(index).waitFor()
      // The wait for the next attempt is not what is tested here.
      const { pool } = service.services.db
      const due = { next_attempt_at: new Date() }
      await changeRows(service.services.db, 'deliveries', { contact_id: contact.id }, due)
      await pool.query(`NOTIFY ${DELIVERIES_CHANNEL}`)
    }
    await alert.locator('summary').getByText('Delivered').waitFor()
    // Where the machine stood still during an attempt, that one says so, and says nothing of the receiver.
    const said = (await attempts.allInnerTexts()).filter((text) => !text.includes(TOO_BUSY))
    for (const [index, words] of [/HTTP 503: busy/, /HTTP 429: slowly/, /Delivered\s+HTTP 204/].entries()) {
      assert.match(said[index] ?? '', words)
    }
  })

  it('filter the delivery log by contact and state, in the address too', async () => {
    await here.open('/deliveries', 'Delivery log')
    const lines = page.locator('main summary')
    await page.getByLabel('Contact').selectOption('Broken')
    await page.waitForURL(/[?&]contact=\d+$/)
    await until('one line', async () => (await lines.count()) === 1)
    assert.match((await lines.textContent()) ?? '', /Failed.*to Broken/)
    await page.getByLabel('Status').selectOption('Delivered')
    await page.getByText('No matching alerts').waitFor()
    assert.match(page.url(), /contact=\d+&state=sent/)

    await here.open('/deliveries?state=failed', 'Delivery log')
    await until('one line', async () => (await lines.count()) === 1)
    assert.match((await lines.textContent()) ?? '', /Failed.*to Broken/)
    assert.equal(await page.getByLabel('Status').inputValue(), 'failed')
  })

  it('attach a new contact to the monitors that have contacts of their own', async () => {
    const target = await startSwitchTarget(scope)
    const slow = { url: target.url, check_interval_seconds: 3_600 }
    const own = await here.team.webhook(webhook, { name: 'Own' })
    const [withOwn, without] = [
      await here.team.monitor({ ...slow, notification_contact_ids: [own.id] }),
      await here.team.monitor(slow),
    ]
    await here.open('/contacts/new', 'Add a contact')
    await page.getByLabel('E-mail address').fill('everybody@example.com')
    await page.getByLabel('Name', { exact: true }).fill('Everybody')
    await page.getByLabel('Attach to existing monitors').check()
    await page.getByRole('button', { name: 'Add contact' }).click()
    await idInAddress(page, 'contacts')
    const namesOf = async (id: number) =>
      (await here.team.show(id)).notification_contacts.map(({ name }) => name)
    assert.deepEqual(await namesOf(withOwn.id), ['Everybody', 'Own'])
    assert.deepEqual(await namesOf(without.id), [])
  })

  it('ask once before a contact is deleted, also when its form has unsaved changes', async () => {
    const { id } = await here.team.webhook(webhook, { name: 'Gone' })
    await here.open(`/contacts/${id}`, 'Gone')
    await page.getByLabel('Name', { exact: true }).fill('Stays?')
    await page.getByRole('button', { name: 'Delete…', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click()
    await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Moody' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Gone' }).count(), 0)
    assert.equal((await here.team.ask('GET', `/notification-contacts/${id}`)).status, 404)
  })

  it('make the page complain about nothing', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

// npm test leaves this out: it starts a service without mail, which an operator sets up in a browser (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import * as accounts from '../../../../src/operations/accounts/operator-accounts.ts'
import { browserService } from '../../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { createPerson, createTeamOf, type Person, signInQuietly } from '../../../support/browser/people.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  openScreen,
  untilLoaded,
} from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import {
  arrived,
  type SmtpReceiver,
  smtpReply,
  startSmtpReceiver,
} from '../../../support/servers/smtp-receiver.ts'
import { closedPort } from '../../../support/servers/targets.ts'
import { type ServiceHere, startServiceHere } from '../../../support/services/service-here.ts'
import { until } from '../../../support/until.ts'

const SECRET = 'an app password'

describe('the settings of the service, in the dashboard', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let smtp: SmtpReceiver
  let page: Page
  let complaints: string[]
  let operator: Person
  let team: number

  before(async () => {
    service = await startServiceHere({ ROLES: 'api,alerts', TRUST_PROXY: '1' })
    scope.after(() => service.close())
    smtp = await startSmtpReceiver(scope, {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        if (password === SECRET) done(null, { user: username ?? '' })
        else done(smtpReply(535, `not with ${password}`))
      },
    })
    ;({ id: team, owner: operator } = await createTeamOf(service, 'Opal', 'Those without mail'))
    await accounts.setOperator(service.services, { email: operator.email, isOperator: true })
    const opened = await openPage(await openChromium(scope), service.url)
    ;({ page, complaints } = opened)
    await signInQuietly(opened.context, operator)
  })

  const status = () => page.getByRole('status').filter({ hasText: /mail/i })
  const testIt = () => page.getByRole('button', { name: 'Send a test mail to me' }).click()
  const saveIt = () => page.getByRole('button', { name: 'Save mail settings' }).click()

  it('are where a screen without mail leads an operator, and nobody else', async () => {
    await openScreen(page, `/teams/${team}/contacts/new?type=email`)
    const link = page.getByRole('link', { name: 'Set up mail' })
    const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()])
    await opened.getByRole('heading', { name: 'Service settings' }).waitFor()
    await opened.close()
    const viewer = await createPerson(service, team, 'admin', 'Vera')
    const other = await openPage(await openChromium(scope), service.url)
    await signInQuietly(other.context, viewer)
    await openScreen(other.page, `/teams/${team}/contacts/new?type=email`)
    await other.page.getByText('An operator of this service can set it up.').waitFor()
    assert.equal(await other.page.getByRole('link', { name: 'Set up mail' }).count(), 0)
    await openScreen(other.page, '/service-settings')
    await other.page.getByText('Operators only').waitFor()
  })

  it('name the field that is wrong, and what a test failed with', async () => {
    await openScreen(page, `/teams/${team}`)
    await page.getByRole('button', { name: operator.email }).click()
    await page.getByRole('menuitem', { name: 'Service settings' }).click()
    await page.getByRole('heading', { name: 'Service settings' }).waitFor()
    await testIt()
    await page.getByText('must be the name or address of a mail server').waitFor()
    await page.getByLabel('Host').fill('127.0.0.1')
    await page.getByLabel('Encryption').selectOption('None')
    assert.equal(await page.getByLabel('Port').inputValue(), '25')
    await page.getByLabel('Port').fill(String(await closedPort(scope)))
    await testIt()
    await status().getByText('Nothing answers at this port').waitFor()
    await status().getByText('connection refused by 127.0.0.1').waitFor()
    await page.getByLabel('Port').fill(String(smtp.port))
    await status().getByText('You have changed the form since this test.').waitFor()
    await page.getByLabel('User name').fill('relay')
    await page.getByLabel('Password').fill('a wrong word')
    await testIt()
    await status().getByText('The server refuses the sign-in').waitFor()
    await status().getByText('not with ********').waitFor()
    await expectAccessible(page, 'a test mail that failed')
    // Chromium logs refused forms.
    complaints.splice(0)
  })

  it('mail to the operator before they are saved, and everybody once they are', async () => {
    await page.getByLabel('Password').fill(SECRET)
    await page.getByLabel('Sender').fill('Opal <opal@example.com>')
    await testIt()
    await status().getByText(`The mail server took the mail to ${operator.email}`).waitFor()
    assert.deepEqual(
      arrived(smtp).map(({ to, from, user }) => [to, from, user]),
      [[[operator.email], 'opal@example.com', 'relay']],
    )
    await saveIt()
    await page.getByText('Mail settings saved.').waitFor()
    await page.getByText('Empty keeps the saved one').waitFor()
    assert.equal(await page.getByLabel('Password').inputValue(), '')
    await openScreen(page, '/account')
    await page.getByRole('button', { name: 'Send confirmation e-mail' }).click()
    const letter = await until('the letter', () =>
      arrived(smtp).find(({ text }) => /verify-email/.test(text)),
    )
    assert.equal(letter.from, 'opal@example.com')
  })

  it('say before another address is saved what it does, and are used at once', async () => {
    await openScreen(page, '/service-settings')
    await page.getByRole('button', { name: `Use ${service.url}` }).click()
    const before = page.getByRole('region', { name: 'Before you save' })
    await before.getByText('signs in again').waitFor()
    assert.equal(await before.getByText('You opened this page at').count(), 0)
    await page.getByRole('textbox', { name: 'Address' }).fill('https://up.example.com')
    await before.getByText(`You opened this page at ${service.url}`).waitFor()
    await expectAccessible(page, 'what another address does')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page, 'what another address does')
    await page.getByRole('textbox', { name: 'Address' }).fill(service.url)
    await page.getByRole('button', { name: 'Save address' }).click()
    await page.getByText('Public address saved.').waitFor()
    await before.waitFor({ state: 'detached' })
    const { link } = await invited()
    assert.ok(link.startsWith(service.url), link)
    assert.deepEqual(complaints, [])
  })

  it('of the environment are shown as such, cannot be changed, and can be tested', async () => {
    const shared = await browserService()
    const { owner, id } = await createTeamOf(shared, 'Orla', 'Those whose mail is given')
    await accounts.setOperator(shared.services, { email: owner.email, isOperator: true })
    const given = await openPage(await openChromium(scope), shared.services.siteUrl)
    await signInQuietly(given.context, owner)
    await openScreen(given.page, `/teams/${id}`)
    await untilLoaded(given.page)
    await given.page.keyboard.press('Control+k')
    await given.page.getByRole('dialog').getByRole('combobox').waitFor()
    await given.page.keyboard.type('service set')
    const found = given.page.getByRole('option', { selected: true }).filter({ hasText: 'Service settings' })
    await found.waitFor()
    await given.page.keyboard.press('Enter')
    const mail = given.page.getByRole('region', { name: 'Mail', exact: true })
    await mail.getByText('Set by SMTP_URL in the environment of the service, which wins.').waitFor()
    await mail.getByText(`127.0.0.1:${shared.smtp.port}`).waitFor()
    assert.equal(await mail.getByLabel('Host').count(), 0)
    await mail.getByRole('button', { name: 'Send a test mail to me' }).click()
    await mail.getByText(`The mail server took the mail to ${owner.email}`).waitFor()
    await expectAccessible(given.page, 'mail settings of the environment')
  })

  async function invited(): Promise<{ link: string }> {
    const answer = await page.context().request.post(`/app/teams/${team}/invitations`, {
      data: { email: 'new@example.com', role: 'viewer' },
      headers: { origin: service.url },
    })
    return (await answer.json()).data
  }
})

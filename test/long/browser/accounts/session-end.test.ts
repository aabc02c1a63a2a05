// npm test leaves this out: it signs in again and again, and hashes a password each time (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import {
  createPerson,
  createTeamOf,
  PASSWORD,
  type Person,
  signInQuietly,
} from '../../../support/browser/people.ts'
import { expectAccessible, openScreen } from '../../../support/browser/screens.ts'
import { changeRows } from '../../../support/records/rows.ts'
import { suiteScope } from '../../../support/scope.ts'
import { CLIENT, type OidcTestProvider, startOidcProvider } from '../../../support/servers/oidc-provider.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { startServiceHere } from '../../../support/services/service-here.ts'

const ENDED_AT = new Date('2026-03-04T08:14:00Z')

describe('the end of a session', () => {
  const scope = suiteScope()
  let service: AskedService
  let provider: OidcTestProvider
  let browser: Browser
  let page: Page
  let team: number
  let person: Person

  const dialog = () => page.getByRole('dialog', { name: 'Your session has ended' })

  /** Ends every session of the person as idleness does, with the row that says when. */
  async function endSessions() {
    const { id } = await service.services.db.query
      .selectFrom('users')
      .select('id')
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow()
    await changeRows(service.services.db, 'sessions', { user_id: id }, { expires_at: ENDED_AT })
  }

  /** Ends the sessions once the page has sent what it sends next to such an address, and before that is answered. */
  async function endDuring(method: string, path: RegExp, act: () => Promise<void>) {
    let hasEnded = false
    // Taken away within its own handler, a route counts as handled.
    await page.route(path, async (route) => {
      if (hasEnded || route.request().method() !== method) return route.fallback()
      hasEnded = true
      await endSessions()
      await route.continue()
    })
    await act()
  }

  /** Fills in the form of a contact, and saves it while the session ends. */
  async function saveWhileItEnds(name: string) {
    await openScreen(page, `/teams/${team}/contacts/new?type=email`)
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('E-mail address').fill('desk@example.com')
    const save = () => page.getByRole('button', { name: 'Add contact' }).click()
    await endDuring('POST', /notification-contacts/, save)
    await dialog().waitFor()
  }

  async function enterPassword() {
    await dialog().getByLabel('Password').fill(PASSWORD)
    await dialog().getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  before(async () => {
    provider = await startOidcProvider(scope)
    service = await startServiceHere({
      ROLES: 'api',
      TRUST_PROXY: '1',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: 'Our office',
    })
    scope.after(() => service.close())
    browser = await openChromium(scope)
    team = (await createTeamOf(service, 'Samira', 'Sessions')).id
    person = await createPerson(service, team, 'admin', 'Selma')
    const opened = await openPage(browser, service.services.siteUrl)
    scope.after(opened.leave)
    page = opened.page
    await signInQuietly(opened.context, person)
  })

  it('in a form asks for the password over it, and then saves what was entered', async () => {
    await saveWhileItEnds('Night desk')
    await dialog()
      .getByText(/It ended at .*4 Mar 2026/)
      .waitFor()
    assert.equal(await dialog().getByLabel('E-mail').inputValue(), person.email)
    await dialog().getByLabel('Password').and(page.locator(':focus')).waitFor()
    await expectAccessible(page, 'the dialog')
    await enterPassword()
    await page.getByText('Night desk').first().waitFor()
    await dialog().waitFor({ state: 'detached' })
  })

  it('put away leaves the form as it is, and asks again at the next save', async () => {
    await saveWhileItEnds('Day desk')
    await dialog().getByRole('button', { name: 'Not now' }).click()
    await page.getByRole('alert').filter({ hasText: 'This was not saved' }).waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Day desk')
    await page.getByRole('button', { name: 'Add contact' }).click()
    await enterPassword()
    await page.getByText('Day desk').first().waitFor()
  })

  it('is over in every tab once one of them has signed in', async () => {
    await saveWhileItEnds('Other desk')
    // As the provider of identities leads back.
    const tab = await page.context().newPage()
    await signInQuietly(page.context(), person)
    await tab.goto('/signed-in')
    await tab.getByRole('heading', { name: 'You are signed in' }).waitFor()
    await page.getByText('Other desk').first().waitFor()
    await tab.close()
  })

  it('is over once a passkey has signed in', async () => {
    const devices = await page.context().newCDPSession(page)
    await devices.send('WebAuthn.enable')
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await openScreen(page, '/account')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const adding = page.getByRole('dialog')
    await adding.getByLabel('Name').fill('Laptop')
    await adding.getByLabel('Your password').fill(PASSWORD)
    await adding.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('list', { name: 'Passkeys' }).getByText('never used').waitFor()
    // This device would take the offer among what the browser fills in, and leave the button nothing to do.
    await page.evaluate("localStorage.removeItem('upbeat-passkey')")
    await saveWhileItEnds('Key desk')
    await dialog().getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('Key desk').first().waitFor()
    await dialog().waitFor({ state: 'detached' })
    await devices.detach()
  })

  it('keeps what was entered from somebody else who signs in', async () => {
    const other = await createPerson(service, team, 'admin', 'Sven')
    await saveWhileItEnds('Not of Sven')
    await signInQuietly(page.context(), other)
    const tab = await page.context().newPage()
    await tab.goto('/signed-in')
    await dialog().getByText(`signed in as ${other.email} now`).waitFor()
    await tab.close()
    await enterPassword()
    await page.getByText('Not of Sven').first().waitFor()
  })

  it('elsewhere leads to the sign-in page, which says when it was, and back', async () => {
    await openScreen(page, `/teams/${team}/incidents?state=all`)
    const go = () => page.getByRole('link', { name: 'Monitors', exact: true }).first().click()
    await endDuring('GET', /monitor-rows/, go)
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await page.getByText(/Your session ended at .*4 Mar 2026/).waitFor()
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor()
  })

  it('is over once the provider of identities has signed in, in a tab of its own', async () => {
    // The address is proved so for the first time, which ends the password.
    provider.person = { sub: 'selma', email: person.email, email_verified: true }
    await saveWhileItEnds('Office desk')
    const opened = page.context().waitForEvent('page')
    await dialog().getByRole('link', { name: 'Continue with Our office' }).click()
    const tab = await opened
    await tab.getByRole('heading', { name: 'You are signed in' }).waitFor()
    await page.getByText('Office desk').first().waitFor()
    await dialog().waitFor({ state: 'detached' })
    await tab.close()
  })
})

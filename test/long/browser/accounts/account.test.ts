// npm test leaves this out: it goes through all pages of an account, and hashes a password at each step (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { PASSWORD, type Person, signInQuietly } from '../../../support/browser/people.ts'
import { expectAccessible, openScreen, untilLoaded } from '../../../support/browser/screens.ts'
import { type Scope, suiteScope } from '../../../support/scope.ts'
import { createQuickAccount } from '../../../support/services/quick-account.ts'
import { codeOf } from '../../../support/sign-in/totp.ts'
import { until } from '../../../support/until.ts'

describe('the account pages', () => {
  const scope = suiteScope()
  let service: BrowserService
  let chromium: Browser
  let people = 0

  before(async () => {
    service = await browserService()
    chromium = await openChromium(scope)
  })

  /** A person at /account. */
  async function newPerson(test: Scope): Promise<{ person: Person; page: Page }> {
    const person = await newAccount()
    return { person, page: await openAs(test, person, '/account') }
  }

  async function newAccount(): Promise<Person> {
    const person = { email: `account${++people}@example.com`, name: 'Ada' }
    await createQuickAccount(service.services, { ...person, password: PASSWORD })
    return person
  }

  async function openAs(test: Scope, person: Person | null, path: string): Promise<Page> {
    // The service is asked by its name: passkeys belong to a name, never to an address.
    const { context, page, leave } = await openPage(chromium, service.services.siteUrl)
    test.after(leave)
    if (person) await signInQuietly(context, person)
    await openScreen(page, path)
    return page
  }

  async function enter(page: Page, { email }: Person, password: string) {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  /** Gives another code where one came too late, because the machine stood still. */
  async function giveCode(page: Page, button: Locator, codeNow: () => string) {
    await until('a code is taken', async () => {
      await page.getByLabel('Code', { exact: true }).fill(codeNow())
      const answered = page.waitForResponse((answer) => answer.request().method() === 'POST')
      await button.click()
      return (await answered).ok()
    })
  }

  async function signOut(page: Page) {
    await page.context().clearCookies()
    await openScreen(page, '/sign-in?to=%2Faccount')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }

  it('keep what was typed when the password is wrong, and say so', async (test) => {
    const person = await newAccount()
    const page = await openAs(test, null, '/sign-in')
    await enter(page, person, 'another password')
    await page.getByRole('alert').filter({ hasText: 'password is wrong' }).waitFor()
    assert.equal(await page.getByLabel('E-mail').inputValue(), person.email)
  })

  it('set up an authenticator app, whose code or a recovery code is wanted from then on', async (test) => {
    const { person, page } = await newPerson(test)
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const panel = page.getByRole('region', { name: 'Two-factor sign-in' })
    await panel.getByLabel('Your password').fill(PASSWORD)
    await panel.getByRole('button', { name: 'Continue' }).click()
    await panel.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = (await panel.locator('code').textContent()) ?? ''
    await panel.getByLabel('Code', { exact: true }).fill('000000')
    await panel.getByRole('button', { name: 'Turn on' }).click()
    await panel.getByText('Is wrong, or was used already').waitFor()
    await giveCode(page, panel.getByRole('button', { name: 'Turn on' }), () => codeOf(secret))
    await panel.getByRole('button', { name: 'I have saved them' }).waitFor()
    const codes = await panel
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allInnerTexts()
    assert.equal(codes.length, 10)
    await panel.getByRole('button', { name: 'I have saved them' }).click()
    await panel.getByText('On. Signing in').waitFor()

    for (const codeNow of [() => codeOf(secret, 1), () => codes[0] as string]) {
      await signOut(page)
      await enter(page, person, PASSWORD)
      await giveCode(page, page.getByRole('button', { name: 'Sign in', exact: true }), codeNow)
      await page.getByRole('heading', { name: 'Your account' }).waitFor()
    }
    await panel.getByRole('button', { name: 'Turn off' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await dialog.getByLabel('Code').fill(codes[1] as string)
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await panel.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
  })

  it('add a passkey, which signs in by itself', async (test) => {
    const { page } = await newPerson(test)
    const devices = await page.context().newCDPSession(page)
    test.after(() => devices.detach())
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
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Chrome on Linux')
    await dialog.getByLabel('Name').fill('Laptop')
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const passkeys = page.getByRole('list', { name: 'Passkeys' })
    await passkeys.getByText('never used').waitFor()

    // This device takes every offer at once, also the one among what the browser would fill in.
    await page.evaluate("localStorage.removeItem('upbeat-passkey')")
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await passkeys.getByText('last used').waitFor()
    await passkeys.getByRole('button', { name: 'Remove Laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No passkeys yet').waitFor()
  })

  it('change the name that others see', async (test) => {
    const { page } = await newPerson(test)
    await page.getByRole('button', { name: 'Change your name' }).click()
    await page.getByLabel('Your name').fill(' ')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a name').waitFor()
    await page.getByLabel('Your name').fill('Countess of Lovelace')
    await page.getByLabel('Your name').press('Enter')
    await page.getByRole('button', { name: 'Change your name' }).waitFor()
    await page.reload()
    await page.getByText('Countess of Lovelace').first().waitFor()
  })

  it('change the address by a letter to the new one, which stands in the log of the account', async (test) => {
    const { page } = await newPerson(test)
    const anew = `moved-${Date.now()}@example.com`
    await page.getByRole('button', { name: 'Change your e-mail address' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New e-mail address').fill(anew)
    await dialog.getByLabel('Your password').fill('not it')
    await dialog.getByRole('button', { name: 'Send confirmation e-mail' }).click()
    await dialog.getByText('is not the password of this account').waitFor()
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Send confirmation e-mail' }).click()
    await dialog.getByText(`We sent an e-mail to ${anew}`).waitFor()
    const letter = await until('the letter', () => service.smtp.mails.find(({ to }) => to.includes(anew)))
    await page.goto(/http\S+/.exec(letter.text)?.[0] ?? '')
    await page.getByRole('button', { name: 'Change my address' }).click()
    await page.getByRole('link', { name: 'Go to your account' }).click()
    await page.getByRole('region', { name: 'Profile' }).getByText(anew).waitFor()
    const log = page.getByRole('list', { name: 'Account log' })
    await log.getByText(`The address of your account was changed: ${anew}`).waitFor()
  })

  it('change the password, which signs out every other browser', async (test) => {
    const { person, page } = await newPerson(test)
    const other = await openAs(test, person, '/account')
    await page.reload()
    const sessions = page.getByRole('list', { name: 'Sessions' })
    await sessions.getByRole('listitem').nth(1).waitFor()
    assert.match(
      (await sessions.getByRole('listitem').first().textContent()) ?? '',
      /Chrome on Linux\s*this browser/,
    )

    const panel = page.getByRole('region', { name: 'Password' })
    await panel.getByLabel('Current password').fill(PASSWORD)
    await panel.getByLabel('New password').fill('another long password')
    await panel.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed').waitFor()
    await sessions.getByRole('listitem').nth(1).waitFor({ state: 'detached' })

    await other.getByRole('button', { name: 'Send confirmation e-mail' }).click()
    const over = other.getByRole('dialog', { name: 'Your session has ended' })
    await over.getByRole('link', { name: 'Sign in as someone else' }).click()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('promise a letter to everybody alike who forgot a password', async (test) => {
    const page = await openAs(test, null, '/forgotten-password')
    await page.getByLabel('E-mail').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByText('If there is an account').waitFor()
  })

  it('can be used by everybody', async (test) => {
    const { page } = await newPerson(test)
    for (const path of ['/account', '/new-team', '/sign-in', '/forgotten-password']) {
      await openScreen(page, path)
      await untilLoaded(page)
      await expectAccessible(page, path)
    }
  })
})

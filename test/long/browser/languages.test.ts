// npm test leaves this out: it signs in to two browsers to see the one follow the other (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { openChromium, WIDE } from '../../support/browser/chromium.ts'
import { createTeamOf, PASSWORD, signInQuietly } from '../../support/browser/people.ts'
import { suiteScope } from '../../support/scope.ts'

describe('the language of the dashboard', () => {
  const scope = suiteScope()
  let service: BrowserService
  let browser: Browser
  let team: Awaited<ReturnType<typeof createTeamOf>>

  before(async () => {
    service = await browserService()
    browser = await openChromium(scope)
    team = await createTeamOf(service, 'Linguist', 'Wörterbuch')
  })

  /** In a browser of its own: a language stays with its pages. */
  async function visitor(locale: string): Promise<{ context: BrowserContext; page: Page }> {
    const baseURL = service.services.siteUrl
    const context = await browser.newContext({ baseURL, locale, viewport: WIDE, reducedMotion: 'reduce' })
    scope.after(() => context.close())
    return { context, page: await context.newPage() }
  }

  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  const languageOf = (page: Page) => page.evaluate('document.documentElement.lang')

  it('is that of the browser until somebody who is not signed in chooses one, which stays', async () => {
    const { page } = await visitor('en-GB')
    await page.goto('/sign-in')
    await heading(page, 'Sign in')
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
    await heading(page, 'Anmelden')
    assert.equal(await languageOf(page), 'de')
    await page.goto('/forgotten-password')
    await heading(page, 'Passwort zurücksetzen')
    await page.getByLabel('Sprache').selectOption({ label: 'Wie im Browser' })
    await heading(page, 'Reset your password')
    assert.equal(await languageOf(page), 'en')
  })

  it('is chosen in the menu of the person, too, whose other browsers follow', async () => {
    const { id, owner } = team
    const { page } = await visitor('de-AT')
    await page.goto(`/sign-in?to=/teams/${id}`)
    await page.getByLabel('E-Mail').fill(owner.email)
    await page.getByLabel('Passwort').fill(PASSWORD)
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
    await heading(page, 'Übersicht')
    await page.getByRole('button', { name: owner.email }).click()
    await page.getByRole('menuitemradio', { name: 'Wie im Browser', checked: true }).waitFor()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await heading(page, 'Overview')
    assert.equal(await languageOf(page), 'en')
    const { context, page: other } = await visitor('de-AT')
    await signInQuietly(context, owner)
    await other.goto(`/teams/${id}`)
    await heading(other, 'Overview')
  })
})

import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { signInQuietly } from '../support/browser-people.ts'
import { openChromium, openPage } from '../support/chromium.ts'
import { createDemoTeam, type DemoTeam } from '../support/demo-team.ts'
import { suiteScope } from '../support/scope.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectWholeFacts,
  openScreen,
  untilLoaded,
} from '../support/screens.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const NARROW = { width: 390, height: 844 }
const WIDE = { width: 1440, height: 900 }

describe('every screen', () => {
  const scope = suiteScope()
  let service: TestService
  let demo: DemoTeam
  /** Of the team's owner, and of somebody who is not signed in. */
  let inside: Page
  let outside: Page

  before(async () => {
    // Nothing is checked, so that a screen stays as it is while it is looked at.
    service = await startTestService({ ROLES: 'api', SIGNUP: 'open' })
    scope.after(() => service.close())
    const browser = await openChromium(scope)
    demo = await createDemoTeam(service, 2)
    outside = (await openPage(browser, service.url)).page
    // Its dates are among the longest.
    inside = (await openPage(browser, service.url, 'en-US')).page
    await signInQuietly(inside.context(), demo.owner)
  })

  /** Address, and what the browser's tab says there. */
  function screensOf({ id, monitors, incidents, contacts }: DemoTeam): [path: string, title: string][] {
    const team = `/teams/${id}`
    const monitor = (name: string) => `${team}/monitors/${monitors.get(name)}`
    return [
      [team, '3 down · Overview · Upbeat'],
      [`${team}/welcome`, 'Welcome to Analytical Engines · Upbeat'],
      [`${team}/monitors`, 'Monitors · Upbeat'],
      [`${team}/monitors?search=nothing`, 'Monitors · Upbeat'],
      [`${team}/monitors/new`, 'Add a monitor · Upbeat'],
      [`${team}/monitors/deleted`, 'Deleted monitors · Upbeat'],
      [monitor('Checkout'), 'Checkout · Upbeat'],
      [monitor('Nightly backup'), 'Nightly backup · Upbeat'],
      [`${monitor('Checkout')}/edit`, 'Edit Checkout · Upbeat'],
      [`${team}/monitors/0`, 'There is nothing here · Upbeat'],
      [`${team}/incidents`, 'Incidents · Upbeat'],
      [`${team}/incidents/${incidents.open}`, 'Incident of Checkout · Upbeat'],
      [`${team}/contacts`, 'Contacts · Upbeat'],
      [`${team}/contacts/new`, 'Add a contact · Upbeat'],
      [`${team}/contacts/${contacts[1]}`, '#incidents · Upbeat'],
      [`${team}/deliveries`, 'Delivery log · Upbeat'],
      [`${team}/settings`, 'General · Team · Upbeat'],
      [`${team}/settings/members`, 'Members · Team · Upbeat'],
      [`${team}/settings/api-tokens`, 'API tokens · Team · Upbeat'],
      [`${team}/settings/audit-log`, 'Audit log · Team · Upbeat'],
      [`${team}/nowhere`, 'There is nothing here · Upbeat'],
      ['/teams/0', 'There is nothing here · Upbeat'],
      ['/new-team', 'New team · Upbeat'],
      ['/account', 'Your account · Upbeat'],
    ]
  }

  const DOORS: [path: string, title: string][] = [
    ['/sign-in', 'Sign in · Upbeat'],
    ['/sign-up', 'Make an account · Upbeat'],
    ['/forgotten-password', 'Forgotten password · Upbeat'],
    ['/invitations', 'This invitation does not work · Upbeat'],
  ]

  const DOCS: [path: string, title: string][] = [
    ['/docs', 'Upbeat documentation · Upbeat'],
    ['/docs/heartbeats', 'Heartbeats · Upbeat'],
    ['/docs/people', 'Teams and people · Upbeat'],
    ['/docs/problems', 'Errors · Upbeat'],
    ['/docs/problems/validation-failed', 'Validation failed · Upbeat'],
    ['/docs/search?q=cron', 'cron · Search · Upbeat'],
  ]

  for (const [where, viewport, colorScheme, rule] of [
    ['wide and light', WIDE, 'light', undefined],
    // The same elements stand there: what may differ is their room and their colours.
    ['narrow and dark', NARROW, 'dark', 'color-contrast'],
  ] as const) {
    it(`says where one is, fits and can be used by everybody, ${where}`, async () => {
      for (const [page, screens] of [
        [inside, screensOf(demo)],
        [outside, DOORS],
        [outside, DOCS],
      ] as const) {
        await look(page, viewport, colorScheme)
        for (const [path, title] of screens) {
          await openScreen(page, path)
          await until(`${path} is shown`, async () => (await page.title()) === title)
          await untilLoaded(page)
          const at = `${path}, ${where}`
          assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, at)
          await expectNoSidewaysScroll(page, at)
          await expectWholeFacts(page, at)
          await expectAccessible(page, at, rule)
        }
      }
    })
  }

  it('reads the documentation without a pointer, and its feed as a feed', async () => {
    const page = outside
    await look(page, WIDE, 'light')
    await page.goto('/docs/heartbeats')
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Skip to content')
    await page.keyboard.press('Enter')
    assert.equal(await focused(page, 'tagName'), 'MAIN')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.getAttribute("href")'), '#make-one')
    await page.goto('/docs/reference')
    await expectNoSidewaysScroll(page, 'the reference')
    const feed = await (await fetch(`${service.url}/docs/changelog.atom`)).text()
    const root = `new DOMParser().parseFromString(${JSON.stringify(feed)}, 'application/xml').documentElement`
    assert.equal(await page.evaluate(`${root}.namespaceURI`), 'http://www.w3.org/2005/Atom')
  })

  it('is left by keyboard for its content, and the next one begins where its content does', async () => {
    const page = inside
    await look(page, WIDE, 'light')
    await page.goto(`/teams/${demo.id}`)
    await untilLoaded(page)
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Skip to content')
    await page.keyboard.press('Enter')
    assert.equal(await focused(page, 'tagName'), 'MAIN')
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'All monitors')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor()
    await until('the focus is in the new screen', async () => (await focused(page, 'tagName')) === 'MAIN')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    await until('the focus is in the new screen', async () => (await focused(page, 'tagName')) === 'MAIN')
  })

  it('keeps the focus in an open dialog, and gives it back', async () => {
    const page = inside
    await look(page, WIDE, 'light')
    await page.goto(`/teams/${demo.id}/contacts/${demo.contacts[0]}`)
    const opener = page.getByRole('button', { name: 'Delete' })
    await opener.click()
    await expectAccessible(page, 'a dialog')
    const dialog = page.getByRole('dialog')
    for (let times = 0; times < 6; times++) {
      // Between its last and its first control the browser's own bar has its turn.
      const inside = await page.evaluate(
        `document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)`,
      )
      assert.ok(inside, `after ${times} steps`)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await focused(page), 'Delete')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await expectAccessible(page, 'the palette')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await focused(page), 'Delete')
  })
})

async function look(page: Page, window: typeof WIDE, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize(window)
  await page.emulateMedia({ colorScheme })
}

async function focused(page: Page, what: 'textContent' | 'tagName' = 'textContent'): Promise<unknown> {
  return page.evaluate(`document.activeElement.${what}`)
}

import assert from 'node:assert/strict'
import type { Browser, Locator, Page } from 'playwright-core'
import type { PlanName } from '../../../src/core/teams/plan.ts'
import type { Scope } from '../scope.ts'
import type { AskedService } from '../services/asked-service.ts'
import { type TeamClient, teamClient } from '../services/team-client.ts'
import { openPage } from './chromium.ts'
import { createPerson, type Person, signInQuietly } from './people.ts'
import { openScreen } from './screens.ts'

/** A team, whose API is asked directly, and somebody of it who sits at the dashboard. */
export type BrowserTeam = {
  team: TeamClient
  person: Person
  page: Page
  /** Goes to a screen of the team as a link leads there, and waits for its heading. It begins anew there. */
  open(path: string, heading: string): Promise<void>
  /** The errors on the page's console, without refusals, which Chromium logs as resources that failed to load. */
  complaints(): string[]
}

export async function openBrowserTeam(
  scope: Scope,
  service: AskedService,
  browser: Browser,
  plan?: PlanName,
): Promise<BrowserTeam> {
  const team = await teamClient(service, plan)
  const person = await createPerson(service, team.teamId, 'admin', `Ada of ${team.teamId}`)
  const { context, page, complaints, leave } = await openPage(browser, service.services.siteUrl)
  scope.after(leave)
  await signInQuietly(context, person)
  return {
    team,
    person,
    page,
    async open(path, heading) {
      const there = `/teams/${team.teamId}${path}`
      const isThere = new URL(page.url()).pathname === there.replace(/\?.*/, '')
      if (isThere) await openScreen(page, `/teams/${team.teamId}/nowhere`)
      await openScreen(page, there)
      await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor()
    },
    complaints: () => complaints.filter((said) => !said.startsWith('Failed to load resource')),
  }
}

/** The text below a field: its error or its hint. */
export async function saidOf(page: Page, field: Locator): Promise<string | null> {
  const id = await field.getAttribute('aria-describedby')
  return page.locator(`[id="${id}"]`).textContent()
}

/** The number at the end of the page's address, once it is one of such a path. */
export async function idInAddress(page: Page, path: string): Promise<number> {
  await page.waitForURL(new RegExp(`/${path}/\\d+$`))
  const id = Number(page.url().split('/').at(-1))
  assert.ok(id > 0)
  return id
}

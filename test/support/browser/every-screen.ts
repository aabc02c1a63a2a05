import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Scope } from '../scope.ts'
import type { AskedService } from '../services/asked-service.ts'
import { startServiceHere } from '../services/service-here.ts'
import { until } from '../until.ts'
import { NARROW, openChromium, openPage, WIDE } from './chromium.ts'
import { DATABASE_SERVER } from './demo-servers.ts'
import { FRESH_SITE } from './demo-sites.ts'
import { createDemoTeam, type DemoTeam } from './demo-team.ts'
import { signInQuietly } from './people.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectWholeFacts,
  openScreen,
  untilLoaded,
} from './screens.ts'

/** How a screen is looked at. */
export type Look = { window: typeof WIDE; colorScheme: 'light' | 'dark' }

export const LOOKS = {
  'wide and light': { window: WIDE, colorScheme: 'light' },
  'narrow and dark': { window: NARROW, colorScheme: 'dark' },
  'wide and dark': { window: WIDE, colorScheme: 'dark' },
  'narrow and light': { window: NARROW, colorScheme: 'light' },
} as const satisfies Record<string, Look>

export type Screen = { page: Page; path: string; title: string }

/** A service with a team to look at. */
export type Gallery = {
  url: string
  services: AskedService['services']
  demo: DemoTeam
  /** The page of the team's owner, and that of somebody who is not signed in. */
  inside: Page
  outside: Page
  /** Every address, and what the browser's tab says there. */
  screens: Screen[]
}

/** Dates of en-US are among the longest. */
export async function openGallery(scope: Scope, locale = 'en-US'): Promise<Gallery> {
  // Nothing is checked, so that a screen stays as it is while it is looked at.
  const service = await startServiceHere({ ROLES: 'api', SIGNUP: 'open' })
  scope.after(() => service.close())
  const browser = await openChromium(scope)
  const demo = await createDemoTeam(service, 2)
  const { page: outside } = await openPage(browser, service.url)
  const { context, page: inside } = await openPage(browser, service.url, locale)
  await signInQuietly(context, demo.owner)
  const screens = [
    ...screensOf(demo).map(([path, title]) => ({ page: inside, path, title: marked(demo, path, title) })),
    ...[...DOORS, ...DOCS].map(([path, title]) => ({ page: outside, path, title })),
  ]
  return { url: service.url, services: service.services, demo, inside, outside, screens }
}

/** Every screen of a team says what is down. */
function marked({ id }: DemoTeam, path: string, title: string): string {
  return path.startsWith(`/teams/${id}`) ? `5 down · ${title}` : title
}

function screensOf({
  id,
  monitors,
  incidents,
  contacts,
  windows,
  pages,
  servers,
  sites,
  schedules,
  report,
}: DemoTeam): [path: string, title: string][] {
  const team = `/teams/${id}`
  const today = new Date().toISOString().slice(0, 10)
  const monitor = (name: string) => `${team}/monitors/${monitors.get(name)}`
  return [
    [team, 'Overview · Upbeat'],
    [`${team}/wallboard`, 'Wallboard · Upbeat'],
    [`${team}/welcome`, 'Welcome to Analytical Engines · Upbeat'],
    [`${team}/monitors`, 'Monitors · Upbeat'],
    [`${team}/monitors?search=nothing`, 'Monitors · Upbeat'],
    [`${team}/monitors?group=env`, 'Monitors · Upbeat'],
    [`${team}/monitors/new`, 'Add a monitor · Upbeat'],
    [`${team}/monitors/many`, 'Add many monitors · Upbeat'],
    [`${team}/monitors/import`, 'Import from another tool · Upbeat'],
    [`${team}/monitors/deleted`, 'Deleted monitors · Upbeat'],
    [monitor('Checkout'), 'Checkout · Upbeat'],
    [monitor('Warehouse'), 'Warehouse · Upbeat'],
    [`${team}/on-call`, 'On-call · Upbeat'],
    [`${team}/on-call/policies/new`, 'New escalation policy · Upbeat'],
    [`${team}/on-call/policies/${schedules.policy}`, 'Shop, day and night · Upbeat'],
    [`${team}/on-call/policies/${schedules.policy}/edit`, 'Edit Shop, day and night · Upbeat'],
    [`${team}/on-call/drills/${schedules.drill}`, 'Drill of Shop, day and night · Upbeat'],
    [`${team}/on-call/schedules/new`, 'New on-call schedule · Upbeat'],
    [`${team}/on-call/schedules/${schedules.shop}`, 'Shop, first line · Upbeat'],
    [`${team}/on-call/schedules/${schedules.office}`, 'Office network · Upbeat'],
    [`${team}/on-call/schedules/${schedules.shop}/edit`, 'Edit Shop, first line · Upbeat'],
    [monitor('Nightly backup'), 'Nightly backup · Upbeat'],
    [`${monitor('Checkout')}/edit`, 'Edit Checkout · Upbeat'],
    [`${team}/monitors/0`, 'Page not found · Upbeat'],
    [`${team}/servers`, 'Servers · Upbeat'],
    [`${team}/servers?search=nothing`, 'Servers · Upbeat'],
    [`${team}/servers/new`, 'Add a server · Upbeat'],
    [`${team}/servers/${servers.web}`, 'Web 1 · Upbeat'],
    [`${team}/servers/${servers.database}`, `${DATABASE_SERVER} · Upbeat`],
    [`${team}/servers/${servers.waiting}?install=true`, 'Waiting room · Upbeat'],
    [`${team}/servers/${servers.database}/edit`, `Edit ${DATABASE_SERVER} · Upbeat`],
    [`${team}/sites`, 'Sites · Upbeat'],
    [`${team}/sites/new`, 'Add a site · Upbeat'],
    [`${team}/sites/${sites.shop}`, 'Shop · Upbeat'],
    [`${team}/sites/${sites.fresh}`, `${FRESH_SITE} · Upbeat`],
    [`${team}/sites/${sites.fresh}/edit`, `Edit ${FRESH_SITE} · Upbeat`],
    [`${team}/expiries`, 'Expiry dates · Upbeat'],
    [`${team}/incidents`, 'Incidents · Upbeat'],
    [`${team}/incidents?search=nothing`, 'Incidents · Upbeat'],
    [`${team}/incidents/${incidents.open}`, 'Checkout is down · Upbeat'],
    [`${team}/incidents/servers/${servers.incident}`, `${DATABASE_SERVER}: Disk space of / · Upbeat`],
    [`${team}/incidents/sites/${sites.incident}`, 'Shop: DNS · Upbeat'],
    [`${team}/maintenance`, 'Maintenance · Upbeat'],
    [`${team}/maintenance?view=calendar`, 'Maintenance · Upbeat'],
    [`${team}/maintenance/new`, 'New maintenance window · Upbeat'],
    [`${team}/maintenance/${windows.deploys}`, 'Deploys of the shop · Upbeat'],
    [`${team}/maintenance/${windows.weekly}`, 'Weekly database backup · Upbeat'],
    [`${team}/maintenance/${windows.weekly}/edit`, 'Edit Weekly database backup · Upbeat'],
    [monitor('Warehouse'), 'Warehouse · Upbeat'],
    [`${team}/reports`, 'Reports · Upbeat'],
    [`${team}/reports/view?from=${today}&to=${today}&zone=UTC`, `Report ${sayMedium(today)} · Upbeat`],
    [
      `${team}/reports/view?report=${report}&from=${today}&to=${today}`,
      `Shop, for customers, ${sayMedium(today)} · Upbeat`,
    ],
    [`${team}/status-pages`, 'Status pages · Upbeat'],
    [`${team}/status-pages/new`, 'New status page · Upbeat'],
    [`${team}/status-pages/${pages.shop}`, 'Components · Analytical Engines Status · Upbeat'],
    [`${team}/status-pages/${pages.shop}/posts`, 'Posts · Analytical Engines Status · Upbeat'],
    [`${team}/status-pages/${pages.shop}/posts/new`, 'New post · Analytical Engines Status · Upbeat'],
    [`${team}/status-pages/${pages.shop}/posts/${pages.post}`, 'Post · Analytical Engines Status · Upbeat'],
    [`${team}/status-pages/${pages.shop}/subscribers`, 'Subscribers · Analytical Engines Status · Upbeat'],
    [`${team}/status-pages/templates`, 'Post templates · Upbeat'],
    [`${team}/status-pages/${pages.shop}/settings`, 'Settings · Analytical Engines Status · Upbeat'],
    [`${team}/contacts`, 'Contacts · Upbeat'],
    [`${team}/contacts/new`, 'Add a contact · Upbeat'],
    [`${team}/contacts/${contacts[0]}`, 'On call · Upbeat'],
    [`${team}/contacts/${contacts[1]}`, '#incidents · Upbeat'],
    [`${team}/deliveries`, 'Delivery log · Upbeat'],
    [`${team}/settings`, 'General · Team · Upbeat'],
    [`${team}/settings/members`, 'Members · Team · Upbeat'],
    [`${team}/settings/api-tokens`, 'API tokens · Team · Upbeat'],
    [`${team}/settings/audit-log`, 'Audit log · Team · Upbeat'],
    [`${team}/nowhere`, 'Page not found · Upbeat'],
    ['/teams/0', 'Page not found · Upbeat'],
    ['/new-team', 'New team · Upbeat'],
    ['/signed-in', 'You are signed in · Upbeat'],
    ['/account', 'Your account · Upbeat'],
    ['/accounts', 'Accounts · Upbeat'],
    ['/service-settings', 'Service settings · Upbeat'],
  ]
}

const DOORS: [path: string, title: string][] = [
  ['/sign-in', 'Sign in · Upbeat'],
  ['/sign-up', 'Create an account · Upbeat'],
  ['/forgotten-password', 'Reset your password · Upbeat'],
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

/** A day as the browser of these tests writes it. */
function sayMedium(date: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
}

export async function lookAt(page: Page, { window, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(window)
  await page.emulateMedia({ colorScheme })
}

/** Opens screens with one look; each says where one is, fits into its window and can be used by everybody. */
export async function expectGoodScreens(screens: Screen[], name: keyof typeof LOOKS): Promise<void> {
  for (const page of new Set(screens.map((screen) => screen.page))) await lookAt(page, LOOKS[name])
  for (const { page, path, title } of screens) {
    await openScreen(page, path)
    await until(`${path} is shown`, async () => (await page.title()) === title)
    await untilLoaded(page)
    const at = `${path}, ${name}`
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, at)
    await expectNoSidewaysScroll(page, at)
    await expectWholeFacts(page, at)
    await expectAccessible(page, at)
  }
}

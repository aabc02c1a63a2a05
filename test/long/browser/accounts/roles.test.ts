// npm test leaves this out: it opens every screen of a team as each role (a minute of a browser).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Access, mayUse, Role } from '../../../../src/core/teams/access.ts'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { signInQuietly } from '../../../support/browser/people.ts'
import { routeOf, SCREENS, type Screen } from '../../../support/browser/role-screens.ts'
import { openScreen } from '../../../support/browser/screens.ts'
import { type Scope, suiteScope } from '../../../support/scope.ts'
import { createWatchedTeam, SECRETS, type WatchedTeam } from '../../../support/services/watched-team.ts'
import { until } from '../../../support/until.ts'

const ROUTER = readFileSync(new URL('../../../../dashboard/router.tsx', import.meta.url), 'utf8')
const OF_ANY_NAME = /^(Select|Role of|Remove|Revoke|Rotate|Restore|Sign out the session) .+$/
const OF_A_SHIFT = /^(Night watch, ).+$/
const OF_A_TIME = /^\d+ \w+, \d\d:\d\d:\d\d$/

type Visit = { page: Page; bodies: string[]; refused: string[]; open: Set<unknown>; complaints: string[] }
type Control = { kind: string; name: string }

describe('the screens of a team', () => {
  const scope = suiteScope()
  let service: BrowserService
  let chromium: Browser
  let team: WatchedTeam

  before(async () => {
    service = await browserService()
    chromium = await openChromium(scope)
    team = await createWatchedTeam(service, scope)
  })

  it('are all in the table of these tests', () => {
    const routes = routesOf(ROUTER)
    const loaded = ROUTER.match(/import\('\.\/screens\//g)?.length ?? 0
    // Those that load no file of their own: the start, and the team's overview.
    assert.equal(routes.length, loaded + 2, 'an address of the router is not found by these tests')
    assert.deepEqual(Object.keys(SCREENS).sort(), routes.sort())
  })

  it('are all answered with the page that draws them', async () => {
    for (const path of Object.keys(SCREENS).flatMap(pathsOf)) {
      const answer = await fetch(service.url + path)
      assert.equal(answer.status, 200, path)
      assert.match(await answer.text(), /<div id="root">/, path)
    }
  })

  for (const role of Role.options) {
    it(`let ${role}s do what they may, and show them nothing else`, async (test) => {
      const visit = await enter(test, role)
      const { page, bodies, refused, complaints } = visit
      const seen: string[] = []
      const faults: string[] = []
      for (const [route, screen] of Object.entries(SCREENS)) {
        for (const path of pathsOf(route)) {
          await openScreen(page, path)
          await settled(visit, screen)
          const found = await faultsOf(page, role, shownAt(path, screen))
          faults.push(...found.map((fault) => `${path}: ${fault}`))
          seen.push(await page.content())
        }
      }
      assert.deepEqual([...faults, ...refused, ...complaints], [])
      const everything = [...seen, ...bodies].join('\n')
      const { token, signingSecret, switchAddress, calendarAddress, feedsAddress, scheduleAddress } = team
      const addresses = { switchAddress, calendarAddress, feedsAddress, scheduleAddress }
      const secrets = { ...SECRETS, token, signingSecret, ...addresses }
      const found = Object.entries(secrets)
        .filter(([, secret]) => everything.includes(secret))
        .map(([name]) => name)
      // Members who change things see the secrets in them, which shows that these would be found.
      const shown = ['webhook', 'slack', 'telegram', 'header', ...Object.keys(addresses)]
      assert.deepEqual(found, role === 'viewer' ? [] : shown)
      await expectPalette(page, role)
    })
  }

  /** A browser of a member, and all that the service answers it. */
  async function enter(test: Scope, role: Role): Promise<Visit> {
    const { context, page, complaints, leave } = await openPage(chromium, service.services.siteUrl)
    test.after(leave)
    // Once more from elsewhere: a session that can be ended.
    for (let times = 0; times < 2; times++) await signInQuietly(context, team.people[role])
    const visit: Visit = { page, bodies: [], refused: [], open: new Set(), complaints }
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch') visit.open.add(request)
    })
    page.on('requestfailed', (request) => visit.open.delete(request))
    page.on('response', async (response) => {
      const request = response.request()
      if (response.status() === 403) visit.refused.push(`${request.method()} ${response.url()}`)
      // A page that is left takes its answers along.
      if (request.resourceType() === 'fetch') visit.bodies.push(await response.text().catch(() => ''))
      visit.open.delete(request)
    })
    return visit
  }

  async function settled({ page, open }: Visit, { says }: Screen) {
    await page.locator('main').getByText(says).filter({ visible: true }).first().waitFor()
    await until('the page has all that it asks for', async () => {
      const waiting = await page.locator('[aria-busy=true]').count()
      return waiting === 0 && open.size === 0
    })
  }

  async function expectPalette(page: Page, role: Role) {
    await openScreen(page, `/teams/${team.id}/contacts`)
    await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    const actions = page.getByRole('dialog').getByRole('option')
    await actions.filter({ hasText: 'Your account' }).waitFor()
    const names = await actions.allInnerTexts()
    for (const name of [
      'Add monitor',
      'Add server',
      'Add site',
      'Add contact',
      'New maintenance window',
      'New status page',
      'API tokens',
      'Audit log',
    ]) {
      assert.equal(names.includes(name), mayUse(role, 'write'), name)
    }
  }

  /** A contact that programs read has no time zone. */
  function shownAt(path: string, screen: Screen): Screen {
    if (!path.endsWith(`/contacts/${team.webhook}`)) return screen
    return { ...screen, write: screen.write?.filter((name) => name !== 'Save time zone') ?? [] }
  }

  /** The addresses of a route, for each thing that this team has. */
  function pathsOf(route: string): string[] {
    const kind = /\/incidents\/(servers|sites)\//.exec(route)?.[1]
    const incident = kind === 'servers' ? team.serverIncident : kind ? team.siteIncident : team.incident
    const path = route.replace('$team', String(team.id)).replace('$incident', String(incident))
    const { shop, server, site, window, page, post, schedule, policy, drill, telegram, slack, webhook } = team
    if (path.includes('$server')) return [path.replace('$server', String(server))]
    if (path.includes('$site')) return [path.replace('$site', String(site))]
    if (path.includes('$monitor')) return [path.replace('$monitor', String(shop))]
    if (path.includes('$page')) return [path.replace('$page', String(page)).replace('$post', String(post))]
    if (path.includes('$window')) return [path.replace('$window', String(window))]
    if (path.includes('$policy')) return [path.replace('$policy', String(policy))]
    if (path.includes('$drill')) return [path.replace('$drill', String(drill))]
    if (path.includes('$schedule')) return [path.replace('$schedule', String(schedule))]
    if (path.includes('$contact')) {
      return [webhook, slack, telegram].map((id) => path.replace('$contact', String(id)))
    }
    return [path]
  }
})

/** The addresses in the source of the router. */
function routesOf(source: string): string[] {
  const helped = source.matchAll(/\b(open|inside|at)\('([^']+)'/g)
  const written = source.matchAll(/getParentRoute: \(\) => (root|signedIn|team),\s+path: '([^']+)'/g)
  const paths = [...helped, ...written].map(([, parent = '', path = '']) =>
    parent === 'at' || parent === 'team' ? `/teams/$team${path}` : path,
  )
  return [...new Set(paths.map((path) => (path === '/' ? path : path.replace(/\/$/, ''))))]
}

/** Controls that the table promises and that are missing, those beyond it, and links to screens of other roles. */
async function faultsOf(page: Page, role: Role, screen: Screen): Promise<string[]> {
  const wanted = (['read', 'write', 'manage'] as const).flatMap((access) =>
    mayUse(role, access) ? (screen[access] ?? []) : [],
  )
  const controls = await controlsOf(page)
  const missing = wanted.filter((wantedName) => !controls.some(({ name }) => name === wantedName))
  // A field is harmless for members who may submit the form.
  const isJudged = ({ kind }: Control) => kind === 'button' || !mayUse(role, 'write')
  const unexpected = controls.filter((control) => isJudged(control) && !wanted.includes(control.name))
  return [
    ...missing.map((name) => `no ${name}`),
    ...unexpected.map(({ kind, name }) => `${kind} ${name}`),
    ...(await linksForOthers(page, role)).map((href) => `link to ${href}`),
  ]
}

/** The controls in the main part, by their accessible names. */
async function controlsOf(page: Page): Promise<Control[]> {
  const tree = await page.locator('main').ariaSnapshot()
  const found = tree.matchAll(
    /- (button|textbox|searchbox|combobox|checkbox|radio|switch|spinbutton)(?: "([^"]*)")?/g,
  )
  return Array.from(found, ([, kind = '', name = '']) => ({
    kind,
    name: name.replace(OF_ANY_NAME, '$1 …').replace(OF_A_TIME, 'A check').replace(OF_A_SHIFT, '$1…'),
  }))
}

/** Links of the whole page to screens that are not for this role. */
async function linksForOthers(page: Page, role: Role): Promise<string[]> {
  const paths = (await page.evaluate(
    `Array.from(document.querySelectorAll('a[href^="/"]'), ({ pathname }) => pathname)`,
  )) as string[]
  return paths.filter((path) => !mayUse(role, accessOf(path)))
}

function accessOf(path: string): Access {
  return SCREENS[routeOf(path) ?? '/']?.access ?? 'read'
}

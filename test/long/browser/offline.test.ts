// npm test leaves this out: it installs the dashboard's worker, takes the connection away and loads anew each time (seconds of a browser).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { BrowserContext, Page } from 'playwright-core'
import { addDashboard } from '../../../src/pages/dashboard.ts'
import { openChromium, openInstalled } from '../../support/browser/chromium.ts'
import { createPerson, type Person, signInQuietly } from '../../support/browser/people.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'
import { startSwitchTarget } from '../../support/servers/switch-target.ts'
import { type ServiceHere, startServiceHere } from '../../support/services/service-here.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const DIST = join(import.meta.dirname, '../../../dashboard/dist')
const LINE = /^(Offline|No connection) since \d\d:\d\d\. Shown as of \d\d:\d\d\. Retrying…$/
const ANYTHING = /Kiosk|Shown as of/

describe('the dashboard without a connection', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let team: TeamClient
  let person: Person
  let context: BrowserContext
  let page: Page

  before(async () => {
    // Turning a page's connection off leaves that of its service worker on: the service itself goes away.
    service = await startServiceHere()
    scope.after(() => service.close())
    team = await teamClient(service)
    const { url } = await startSwitchTarget(scope, 503)
    const { id } = await team.monitor({ name: 'Kiosk', url, check_interval_seconds: 3_600 })
    await team.untilStatus(id, 'down')
    person = await createPerson(service, team.teamId, 'admin', 'Ofelia')
    ;({ context, page } = await openInstalled(scope, await openChromium(scope), service.services.siteUrl))
    await signInQuietly(context, person)
    await open('/')
    await page.getByRole('heading', { name: '1 down' }).waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  })

  const open = (path: string) => page.goto(path).catch(() => null)
  async function appOf(folder: string): Promise<Hono> {
    const app = new Hono()
    addDashboard(app, folder)
    return app
  }

  const keptNames = () =>
    page.evaluate(`(async () => {
      const cache = await caches.open((await caches.keys())[0])
      return (await cache.keys()).map(({ url }) => new URL(url).pathname)
    })()`) as Promise<string[]>

  it('opens with what was last seen of the overview, and says of when that is', async () => {
    await service.stop()
    await open('/')
    await page.getByRole('status').filter({ hasText: LINE }).waitFor()
    await page.getByRole('heading', { name: '1 down' }).waitFor()
    await page.getByRole('link', { name: 'Kiosk' }).first().waitFor()
    await expectAccessible(page, 'offline')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page, 'offline')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('is as it was once the connection is back', async () => {
    await service.start()
    await page.getByRole('status').filter({ hasText: LINE }).waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: '1 down' }).waitFor()
  })

  it('keeps our own files alone, and no answer of the service', async () => {
    const names = await keptNames()
    assert.ok(names.includes('/'))
    const files = /^\/(?:|theme\.js|icon\.svg|manifest\.webmanifest|icons\/[\w-]+\.png|assets\/[\w.-]+)$/
    assert.deepEqual(
      names.filter((name) => !files.test(name)),
      [],
    )
  })

  it('leaves all that is no screen to the browser: the documentation, status pages, the API', async () => {
    await service.stop()
    for (const path of ['/docs', '/status/nowhere', '/setup', '/sign-in', '/api/v1/team', '/health']) {
      await open(path)
      assert.doesNotMatch((await page.locator('body').textContent()) ?? '', ANYTHING, path)
      assert.match(page.url(), /^chrome-error:/, path)
    }
    await service.start()
  })

  it('replaces what it keeps, when the service has another version', async () => {
    const folder = temporaryFolder(scope)
    cpSync(DIST, folder, { recursive: true })
    let app = await appOf(folder)
    const server = serve({ fetch: (request) => app.fetch(request), port: 0 })
    scope.after(async () => void server.close())
    await once(server, 'listening')
    await open(`http://localhost:${(server.address() as AddressInfo).port}/`)
    const kept = () => page.evaluate('navigator.serviceWorker.ready.then(() => caches.keys())')
    const [first] = (await kept()) as string[]
    writeFileSync(join(folder, 'theme.js'), '// another')
    app = await appOf(folder)
    await page.evaluate('navigator.serviceWorker.getRegistration().then((one) => one.update())')
    await until('only the new version is kept', async () => {
      const names = (await kept()) as string[]
      return names.length === 1 && names[0] !== first
    })
  })

  it('shows nothing of somebody who has signed out', async () => {
    await open('/')
    await page.getByRole('heading', { name: '1 down' }).waitFor()
    assert.match(await stored(), /Kiosk/)
    await page.getByRole('button', { name: person.name }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in/)
    assert.doesNotMatch(await stored(), /Kiosk|Ofelia/)
    await service.stop()
    await open('/')
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
    assert.equal(await page.getByText(ANYTHING).count(), 0)
    await service.start()
  })

  const stored = () => page.evaluate('JSON.stringify(localStorage)') as Promise<string>

  it('shows nothing of a session that has ended elsewhere, once the service has said so', async () => {
    await signInQuietly(context, person)
    await open('/')
    await page.getByRole('heading', { name: '1 down' }).waitFor()
    await until('it is kept', async () => /Kiosk/.test(await stored()))
    await context.clearCookies()
    await open('/')
    await page.waitForURL(/\/sign-in/)
    assert.doesNotMatch(await stored(), /Kiosk|Ofelia/)
  })
})

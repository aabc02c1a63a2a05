// Takes the pictures in docs/images of a team as months of work leave it. Started by bin/pictures.mjs.
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { startChromium } from '../../bench/support/chromium.ts'
import { Scope } from '../../bench/support/scope.ts'
import { createDemoTeam, type DemoTeam } from '../support/browser/demo-team.ts'
import { signInQuietly } from '../support/browser/people.ts'
import { untilLoaded } from '../support/browser/screens.ts'
import { startServiceHere } from '../support/services/service-here.ts'

const FOLDER = join(import.meta.dirname, '../../docs/images')
const DAYS = 90
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/** A picture, of a page that the team's owner opens. */
type Picture = {
  file: string
  path: (demo: DemoTeam) => string
  look: Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'isMobile'>
}

const PICTURES: readonly Picture[] = [
  {
    file: 'overview.png',
    path: ({ id }) => `/teams/${id}`,
    look: { viewport: DESKTOP, colorScheme: 'light' },
  },
  {
    file: 'status-page.png',
    path: () => '/status/analytical-engines',
    look: { viewport: DESKTOP, colorScheme: 'light' },
  },
  {
    file: 'on-call.png',
    path: ({ id, incidents }) => `/teams/${id}/incidents/${incidents.open}`,
    look: { viewport: PHONE, colorScheme: 'dark', isMobile: true },
  },
  {
    file: 'monitor.png',
    path: ({ id, monitors }) => `/teams/${id}/monitors/${monitors.get('Checkout')}`,
    look: { viewport: DESKTOP, colorScheme: 'dark' },
  },
]

const scope = new Scope()
try {
  // Nothing is checked: the team stays as it is written.
  const service = await startServiceHere({ ROLES: 'api', SIGNUP: 'open' })
  scope.after(() => service.close())
  const demo = await createDemoTeam(service, DAYS)
  const browser = await startChromium(scope)
  for (const picture of PICTURES) await take(browser, service.url, demo, picture)
} finally {
  await scope.close()
}
// The database that the tests of a process share would keep this one open.
process.exit()

async function take(browser: Browser, baseURL: string, demo: DemoTeam, { file, path, look }: Picture) {
  const context = await browser.newContext({ ...look, baseURL, locale: 'en-GB', reducedMotion: 'reduce' })
  await signInQuietly(context, demo.owner)
  const page = await context.newPage()
  await page.goto(path(demo))
  await untilLoaded(page)
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: join(FOLDER, file) })
  console.log(`docs/images/${file}`)
  await context.close()
}

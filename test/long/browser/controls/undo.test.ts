// npm test leaves this out: it deletes one of each kind by clicks (seconds of a browser).
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { suiteScope } from '../../../support/scope.ts'

const PAUSED = { is_active: false }

const KINDS = [
  {
    path: '/monitors',
    body: { ...PAUSED, type: 'http', url: 'http://127.0.0.1/', check_interval_minutes: 60 },
  },
  { path: '/servers', body: PAUSED },
  { path: '/sites', body: { ...PAUSED, url: 'https://example.com/' } },
]

describe('a deletion', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page

  before(async () => {
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope))
    page = here.page
  })

  /** Asks as the dashboard does: servers and sites are not in the API. */
  async function create(path: string, body: object): Promise<number> {
    const asked = `fetch('/app/teams/${here.team.teamId}${path}', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))}
    }).then((answer) => answer.json())`
    const { data } = (await page.evaluate(asked)) as { data: { id: number } }
    return data.id
  }

  for (const { path, body } of KINDS)
    it(`in ${path} is taken back from the notice about it`, async () => {
      await here.open('/monitors', 'Monitors')
      const id = await create(path, { ...body, name: 'Compass' })
      await here.open(`${path}/${id}`, 'Compass')
      const more = page.getByRole('button', { name: 'More actions' })
      const remove = page.getByRole('main').getByRole('button', { name: 'Delete…' })
      await more.or(remove).first().waitFor()
      if (await more.isVisible()) {
        await more.click()
        await page.getByRole('menuitem', { name: 'Delete…' }).click()
      } else await remove.click()
      await page
        .getByRole('dialog', { name: 'Delete “Compass”?' })
        .getByRole('button', { name: /^Delete/ })
        .click()
      await page.waitForURL(`**${path}`)
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('link', { name: 'Compass', exact: true }).click()
      await page.waitForURL(`**${path}/${id}`)
      await page.getByRole('heading', { name: 'Compass', level: 1 }).waitFor()
    })

  it('of several monitors is taken back at once', async () => {
    const [{ path, body }] = KINDS as [(typeof KINDS)[number]]
    const names = ['Dial', 'Quadrant']
    for (const name of names) await here.team.data('POST', path, { ...body, name })
    await here.open(path, 'Monitors')
    for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 monitors?' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    for (const name of names)
      await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    for (const name of names) await page.getByRole('link', { name, exact: true }).waitFor()
  })
})

// npm test leaves this out: it deletes one of each kind by clicks (seconds of a browser).
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { layer } from '../../../support/on-call/schedules.ts'
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

type Create = (path: string, body: object) => Promise<number>
const HOOK = { name: 'Sextant', type: 'webhook', config: { url: 'https://hooks.example.com/sextant' } }

/** Other records, by the screen from which each is deleted. */
const RECORDS: {
  of: string
  heading: string
  name: string
  verb?: string
  screen: (create: Create) => Promise<string>
}[] = [
  {
    ...{ of: 'a contact', heading: 'Sextant', name: 'Sextant' },
    screen: async (create) => `/contacts/${await create('/notification-contacts', HOOK)}`,
  },
  {
    ...{ of: 'a policy', heading: 'Sextant policy', name: 'Sextant policy' },
    async screen(create) {
      const contact = await create('/notification-contacts', { ...HOOK, name: 'Alidade' })
      const steps = [{ after_minutes: 5, contact_ids: [contact], schedule_id: null }]
      return `/on-call/policies/${await create('/escalation-policies', { name: 'Sextant policy', steps })}`
    },
  },
  {
    ...{ of: 'a schedule', heading: 'Sextant nights', name: 'Sextant nights' },
    async screen(create) {
      const contact = await create('/notification-contacts', { ...HOOK, name: 'Pelorus' })
      const participants = [{ key: 1, name: 'Night watch', contact_ids: [contact] }]
      const layers = [layer({ rotation: [1] })]
      const body = { name: 'Sextant nights', time_zone: 'UTC', participants, layers }
      return `/on-call/schedules/${await create('/schedules', body)}`
    },
  },
  {
    ...{ of: 'a maintenance window', heading: 'Sextant move', name: 'Sextant move' },
    async screen(create) {
      const body = { kind: 'switch', name: 'Sextant move', all_subjects: true }
      return `/maintenance/${await create('/maintenance-windows', body)}`
    },
  },
  {
    ...{ of: 'a report', heading: 'Sextant month', name: 'Sextant month' },
    async screen(create) {
      const id = await create('/reports', { name: 'Sextant month', time_zone: 'UTC', all_subjects: true })
      return `/reports/view?report=${id}`
    },
  },
  {
    ...{
      of: 'a post template',
      heading: 'Post templates',
      name: 'Sextant words',
      verb: 'Remove Sextant words',
    },
    async screen(create) {
      const words = { title: '{component}', phase: 'investigating', body: 'We are looking.' }
      await create('/status-templates', { name: 'Sextant words', ...words })
      return '/status-pages/templates'
    },
  },
  {
    ...{ of: 'a status page', heading: 'Sextant page', name: 'Sextant page', verb: 'Delete page…' },
    async screen(create) {
      const id = await create('/status-pages', { name: 'Sextant page', slug: 'sextant' })
      return `/status-pages/${id}/settings`
    },
  },
  {
    ...{ of: 'an update of a post', heading: 'Sextant search', name: 'A disk is full.' },
    verb: 'Delete Identified',
    async screen(create) {
      const page = await create('/status-pages', { name: 'Sextant search', slug: 'sextant-search' })
      const update = { phase: 'investigating', body: 'We are looking.' }
      const body = { kind: 'incident', title: 'Slow search', update }
      const post = await create(`/status-pages/${page}/posts`, body)
      await create(`/status-posts/${post}/updates`, { phase: 'identified', body: 'A disk is full.' })
      return `/status-pages/${page}/posts/${post}`
    },
  },
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

  for (const { of, heading, screen, name, verb } of RECORDS)
    it(`of ${of} is taken back from the notice about it`, async () => {
      await here.open('/contacts', 'Contacts')
      const path = await screen(create)
      await here.open(path, heading)
      const main = page.getByRole('main')
      const more = main.getByRole('button', { name: 'More actions' })
      const remove = main.getByRole('button', { name: verb ?? 'Delete…' })
      await (verb === undefined ? more.or(remove) : remove).first().waitFor()
      if (verb === undefined && (await more.isVisible())) {
        await more.click()
        await page.getByRole('menuitem', { name: /^Delete/ }).click()
      } else await remove.click()
      const dialog = page.getByRole('dialog')
      const typed = dialog.getByLabel(/^Type the name/)
      await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
      if (await typed.isVisible()) await typed.fill(name)
      await dialog.getByRole('button', { name: /^(Delete|Remove)/ }).click()
      const undo = page.getByRole('status').getByRole('button', { name: 'Undo' })
      await undo.click()
      await undo.waitFor({ state: 'detached' })
      await page.getByRole('main').getByText(name, { exact: true }).first().waitFor()
      await here.open(path, heading)
      await page.getByRole('main').getByText(name, { exact: true }).first().waitFor()
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

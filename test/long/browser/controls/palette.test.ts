// npm test leaves this out: it types into the palette again and again, over several screens (seconds of a browser).
import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { untilLoaded } from '../../../support/browser/screens.ts'
import { layer } from '../../../support/on-call/schedules.ts'
import { addIncident } from '../../../support/records/history.ts'
import { ago } from '../../../support/records/rows.ts'
import { suiteScope } from '../../../support/scope.ts'
import { until } from '../../../support/until.ts'

describe('the palette', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page
  let palette: Locator
  let checkout: number

  before(async () => {
    service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
    palette = page.getByRole('dialog', { name: 'Find a monitor, server, site or action' })
    const paused = { url: 'http://127.0.0.1/', is_active: false }
    for (const name of ['Blog', 'Contents']) await here.team.monitor({ ...paused, name })
    checkout = (await here.team.monitor({ ...paused, name: 'Checkout' })).id
  })

  beforeEach(async () => {
    await here.open('/monitors', 'Monitors')
    await page.getByRole('link', { name: 'Blog' }).waitFor()
  })

  it('finds a monitor by a few letters, and Enter opens it', async () => {
    await page.keyboard.press('Control+k')
    await palette.getByRole('option').filter({ hasText: 'Blog' }).waitFor()
    await page.keyboard.type('chec')
    await palette.getByRole('option').filter({ hasText: 'Blog' }).waitFor({ state: 'detached' })
    await palette.getByRole('option', { selected: true }).filter({ hasText: 'Checkout' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/monitors/${checkout}`)
    await page.getByRole('heading', { name: 'Checkout', exact: true }).waitFor()
    await palette.waitFor({ state: 'detached' })
  })

  it('opens what was meant when Enter comes before the answer', async () => {
    await page.keyboard.press('Control+k')
    await palette.getByRole('option').filter({ hasText: 'Blog' }).waitFor()
    // In the page itself: requests may pass by a route for a moment after it was made.
    await page.evaluate(`(() => {
      const { fetch } = globalThis
      const { promise, resolve } = Promise.withResolvers()
      globalThis.search = { isAsked: false, goOn: resolve }
      globalThis.fetch = async (path, init) => {
        if (String(path).includes('search=checkout')) {
          globalThis.fetch = fetch
          search.isAsked = true
          await promise
        }
        return fetch(path, init)
      }
    })()`)
    await page.keyboard.insertText('checkout')
    await until('the search is asked', () => page.evaluate('search.isAsked'))
    await page.keyboard.press('Enter')
    await page.evaluate('search.goOn()')
    await page.waitForURL(`**/monitors/${checkout}`)
  })

  it('goes where an action leads', async () => {
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.type('delivery')
    await palette.getByRole('option', { selected: true }).filter({ hasText: 'Delivery log' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Delivery log' }).waitFor()
  })

  it('lets the arrow keys choose among what is found, also before the last answer has come', async (t) => {
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.type('con')
    await palette.getByRole('option', { selected: true }).filter({ hasText: 'Contents' }).waitFor()
    const answer = Promise.withResolvers<void>()
    t.after(() => answer.resolve())
    await page.route(/search=cont$/, async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.keyboard.type('t')
    await page.keyboard.press('ArrowDown')
    await palette.getByRole('option', { selected: true }).filter({ hasText: 'Contacts' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Contacts', exact: true, level: 1 }).waitFor()
  })

  const selected = (text: string) =>
    palette.getByRole('option', { selected: true }).filter({ hasText: text }).waitFor()

  it('finds contacts, and monitors with letters left out', async () => {
    const contact = { name: 'Night desk', type: 'webhook', config: { url: 'https://desk.example.com/' } }
    const { id } = await here.team.data('POST', '/notification-contacts', contact)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('night')
    await selected('Night desk')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/contacts/${id}`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('chkout')
    await selected('Checkout')
    await page.keyboard.press('Escape')
  })

  it('begins with what was opened last', async () => {
    await page.keyboard.press('Control+k')
    await selected('Night desk')
    await palette.getByText('Opened last').waitFor()
    await page.keyboard.press('Escape')
  })

  /** Asks as the dashboard does: not all of it is in the API. */
  async function create(path: string, body: object): Promise<number> {
    const asked = `fetch('/app/teams/${here.team.teamId}${path}', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))}
    }).then((answer) => answer.json())`
    const { data } = (await page.evaluate(asked)) as { data: { id: number } }
    return data.id
  }

  it('finds incidents, status pages, schedules, policies and settings, and opens them', async () => {
    const { db } = service.services
    const incident = await addIncident(db, {
      ...{ team_id: here.team.teamId, monitor_id: checkout, cause: 'the gearbox is jammed' },
      ...{ started_at: ago(7_200_000), resolved_at: ago(3_600_000) },
    })
    const harbour = await create('/status-pages', { name: 'Harbour news', slug: 'palette-harbour' })
    const contact = { name: 'Lamp', type: 'webhook', config: { url: 'https://lamp.example.com/' } }
    const { id: contactId } = await here.team.data('POST', '/notification-contacts', contact)
    const person = { key: 1, name: 'Mary Somerville', contact_ids: [contactId] }
    const schedule = await create('/schedules', {
      ...{ name: 'Office hours', time_zone: 'Europe/London' },
      ...{ participants: [person], layers: [layer({ rotation: [1], starts_on: '2026-01-05' })] },
    })
    const policy = await create('/escalation-policies', {
      ...{ name: 'Ladder', repeats: 0, repeat_every_minutes: 30, tags: [] },
      steps: [{ after_minutes: 5, contact_ids: [contactId], schedule_id: null }],
    })
    for (const [typed, found, path] of [
      ['gearbox', 'the gearbox is jammed', `/incidents/${incident}`],
      ['harb', 'Harbour news', `/status-pages/${harbour}`],
      ['offi', 'Office hours', `/on-call/schedules/${schedule}`],
      ['ladd', 'Ladder', `/on-call/policies/${policy}`],
      ['audit', 'Audit log', '/settings/audit-log'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await palette.getByRole('combobox').waitFor()
      await page.keyboard.type(typed)
      await selected(found)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${path}`)
    }
  })

  it('does what is typed', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('resume chec')
    await selected('Resume Checkout')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Checkout resumed.').waitFor()
    await here.team.untilMonitor(checkout, 'is active', ({ is_active }) => is_active)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('pause chec')
    await selected('Pause Checkout')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Checkout paused.').waitFor()
    await here.team.untilMonitor(checkout, 'is paused', ({ is_active }) => !is_active)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('mute check')
    await selected('Mute Checkout for 30 min')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Maintenance started for 30 min').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('theme dark')
    await selected('Theme: Dark')
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=dark]').waitFor()
    await page.evaluate('delete document.documentElement.dataset.theme')
  })

  it('checks a monitor, and acknowledges its incident', async () => {
    const { id } = await here.team.monitor({ name: 'Ledger', url: 'http://127.0.0.1:1/' })
    await here.team.untilStatus(id, 'down')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('check now ledg')
    await selected('Check Ledger now')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Ledger is being checked.').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('acknowledge ledg')
    await selected('Acknowledge Ledger')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Ledger acknowledged.').waitFor()
    const path = `/app/teams/${here.team.teamId}/incident-rows?state=unacknowledged`
    const asked = `fetch('${path}').then(async (answer) => (await answer.json()).data)`
    const left = (await page.evaluate(asked)) as { subject_name: string }[]
    assert.ok(!left.some(({ subject_name }) => subject_name === 'Ledger'))
  })

  it('changes the language, and back', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('language deut')
    await selected('Language: Deutsch')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Monitore' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('sprache engl')
    await page.getByRole('option', { selected: true }).filter({ hasText: 'Sprache: English' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Monitors', exact: true }).waitFor()
  })

  it('gives the focus back on Escape', async () => {
    const search = page.getByRole('searchbox', { name: 'Search' })
    await search.focus()
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await search.and(page.locator(':focus')).waitFor()
  })

  it('leads on to the search of the documentation, by what is typed', async () => {
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.type('quiet zzz hours')
    await selected('Search the documentation for “quiet zzz hours”')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/search?q=quiet%20zzz%20hours')
    await page.getByRole('heading', { name: 'Search', exact: true }).waitFor()
    // Loaded anew, the dashboard opens the palette once it has it.
    await here.open('/monitors', 'Monitors')
    await untilLoaded(page)
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
  })

  it('signs out, and has made the page complain about nothing', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sign ou')
    await selected('Sign out')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(here.complaints(), [])
  })
})

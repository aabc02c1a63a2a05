// npm test leaves this out: it goes through the logs of a team in a browser (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { colleagueOf, createTeamOf, signInQuietly } from '../../../support/browser/people.ts'
import { expectAccessible, openScreen } from '../../../support/browser/screens.ts'
import { addDeliveries } from '../../../support/records/alerting.ts'
import { ago } from '../../../support/records/rows.ts'
import { suiteScope } from '../../../support/scope.ts'

describe('the logs of a team', () => {
  const scope = suiteScope()
  let service: BrowserService
  let team: number
  let page: Page
  let complaints: string[]

  before(async () => {
    service = await browserService()
    const { id, owner } = await createTeamOf(service, 'Odette', 'Log keepers')
    team = id
    const opened = await openPage(await openChromium(scope), service.services.siteUrl)
    ;({ page, complaints } = opened)
    await signInQuietly(opened.context, owner)
    const colleague = await colleagueOf(service, team, 'Carlotta')
    const body = { name: 'Shop', type: 'http', url: 'https://shop.example/', is_active: false }
    const monitor = await colleague.ask('POST', '/monitors', { ...body, check_interval_minutes: 5 })
    const changes = { check_interval_minutes: 15, url: 'https://shop.example/?key=hidden' }
    await colleague.ask('PATCH', `/monitors/${monitor.id}`, changes)
    const everything = { name: 'Everything', type: 'email', config: { email: 'all@example.com' } }
    await colleague.ask('POST', '/notification-contacts', everything)
    const { db } = service.services
    await addDeliveries(db, [
      { team_id: team, contact_name: 'Long ago', state: 'sent', created_at: ago(20 * 86_400_000) },
      { team_id: team, contact_name: 'Lately', state: 'sent' },
    ])
  })

  const row = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text })

  it('say of a change what was before and what is now, and never an address', async () => {
    await openScreen(page, `/teams/${team}/settings/audit-log`)
    const changed = row('Carlotta changed the monitor Shop')
    await changed.getByText('Interval in minutes: 5 → 15').waitFor()
    await changed.getByText('Values not kept: URL').waitFor()
    assert.ok(!(await changed.innerText()).includes('key='))
    await expectAccessible(page, 'the audit log')
  })

  it('are searched by words, person, kind and dates', async () => {
    await page.getByLabel('Kind').selectOption('Sites')
    await page.getByText('No matching changes').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await row('Carlotta created the monitor').waitFor()
    await page.getByLabel('Search').fill('check interval carlotta')
    await row('Carlotta changed the monitor Shop').waitFor()
    await page.getByLabel('Person').selectOption('Odette')
    await page.getByText('No matching changes').waitFor()
    await page.getByLabel('Person').selectOption('Carlotta')
    await page.getByLabel('Period').selectOption('Last 7 days')
    await row('Carlotta changed the monitor Shop').waitFor()
    await page.waitForURL(
      ({ searchParams }) => [...searchParams.keys()].sort().join() === 'from,person,search',
    )
  })

  it('keep both of two filters that change before the screen is drawn again', async () => {
    await openScreen(page, `/teams/${team}/settings/audit-log`)
    await row('Carlotta created the monitor').waitFor()
    await page.evaluate(`
      for (const field of [...document.querySelectorAll('#content search select')].slice(0, 2)) {
        field.selectedIndex = 1
        field.dispatchEvent(new Event('change', { bubbles: true }))
      }
    `)
    await page.waitForURL(({ searchParams }) => [...searchParams.keys()].sort().join() === 'kind,person')
  })

  it('of alerts have dates, too', async () => {
    await openScreen(page, `/teams/${team}/deliveries`)
    await page.getByText('to Long ago').first().waitFor()
    await page.getByLabel('Period').selectOption('Last 7 days')
    await page.getByText('to Long ago').first().waitFor({ state: 'detached' })
    await page.getByText('to Lately').first().waitFor()
  })

  it('and the list of contacts say all of one that gets everything', async () => {
    await openScreen(page, `/teams/${team}/contacts`)
    await row('Everything').getByText('all monitors').waitFor()
    assert.deepEqual(complaints, [])
  })
})

// npm test leaves this out: it changes settings of many monitors by clicks (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Contact } from '../../../../src/core/alerting/contact.ts'
import type { AuditEntry } from '../../../../src/core/teams/audit.ts'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { expectAccessible } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'

const NAMES = ['Blog', 'Database', 'Shop']

describe('settings of many monitors', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page
  let toolbar: Locator
  let ops: Contact
  const ids = new Map<string, number>()

  before(async () => {
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope))
    page = here.page
    toolbar = page.getByRole('toolbar', { name: 'Selected monitors' })
    const every = { check_interval_minutes: 1, check_interval_seconds: null, is_active: false }
    const made = [
      { ...every, name: 'Blog', url: 'http://localhost:9/blog' },
      { ...every, name: 'Database', type: 'tcp' as const, url: 'tcp://localhost', port: 9 },
      { ...every, name: 'Shop', url: 'http://localhost:9/shop', check_interval_minutes: 60 as const },
    ]
    for (const monitor of made) ids.set(monitor.name, (await here.team.monitor(monitor)).id)
    ops = await here.team.data('POST', '/notification-contacts', {
      name: 'Ops',
      type: 'webhook',
      config: { url: 'http://localhost:9/hook' },
    })
    await here.open('/monitors?sort=name', 'Monitors')
  })

  const dialog = () => page.getByRole('dialog', { name: 'Settings of 3 monitors' })
  const show = (name: string) => here.team.show(ids.get(name) ?? 0)

  async function openSettings() {
    for (const name of NAMES) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await toolbar.getByRole('button', { name: 'Settings' }).click()
    await dialog().getByText('Tick what changes.').waitFor()
  }

  it('are shown as what changes for how many, before anything does', async () => {
    await openSettings()
    await dialog().getByRole('checkbox', { name: 'Check every' }).check()
    await dialog().getByRole('combobox', { name: 'Check every' }).selectOption('m60')
    await dialog().getByRole('checkbox', { name: 'Status codes that count as up' }).check()
    await dialog().getByRole('textbox', { name: 'Status codes that count as up' }).fill('200, 204')
    await dialog().getByRole('checkbox', { name: 'Contacts to alert' }).check()
    await dialog().getByRole('checkbox', { name: 'Ops' }).check()
    await dialog().getByRole('button', { name: 'Preview' }).click()
    const rows = dialog().locator('[data-row]')
    await rows.first().waitFor()
    assert.deepEqual(
      await rows.allInnerTexts().then((all) => all.map((text) => text.replace(/\s*\n\s*/g, ' | '))),
      [
        '1 min → 1 h | 2 monitors',
        '200 → 200, 204 | 2 monitors',
        'Every contact of the team → Ops | 3 monitors',
      ],
    )
    await dialog().getByText('1 monitor has this value already.').waitFor()
    await dialog().getByText('Not for TCP port: Database').waitFor()
    await expectAccessible(page, 'the preview of settings')
    assert.equal((await show('Blog')).check_interval_minutes, 1)
  })

  it('are changed then, each monitor with a line of the audit log', async () => {
    await dialog().getByRole('button', { name: 'Change 3 monitors' }).click()
    await page.getByRole('status').getByText('3 monitors changed.').waitFor()
    await toolbar.waitFor({ state: 'detached' })
    for (const name of NAMES) {
      const { check_interval_minutes, expected_status_codes, notification_contacts } = await show(name)
      assert.equal(check_interval_minutes, 60)
      assert.deepEqual(
        notification_contacts.map(({ id }) => id),
        [ops.id],
      )
      assert.deepEqual(expected_status_codes, name === 'Database' ? [200] : [200, 204])
    }
    const asked = `fetch('/app/teams/${here.team.teamId}/audit-log').then((answer) => answer.json())`
    const { data } = (await page.evaluate(asked)) as { data: AuditEntry[] }
    const changed = data.filter(({ action }) => action === 'updateMonitor')
    assert.deepEqual(changed.map(({ subject }) => subject).sort(), NAMES)
  })

  it('that do not fit are refused for those monitors alone, and said before', async () => {
    await openSettings()
    await dialog().getByRole('checkbox', { name: 'Text the page must contain' }).check()
    await dialog().getByRole('checkbox', { name: 'Timeout in seconds' }).check()
    await dialog().getByRole('textbox', { name: 'Timeout in seconds' }).fill('90')
    await dialog().getByRole('button', { name: 'Preview' }).click()
    await dialog().getByText('must be at most 60').waitFor()
    await dialog().getByRole('textbox', { name: 'Timeout in seconds' }).fill('9')
    await dialog().getByRole('button', { name: 'Preview' }).click()
    await dialog().getByText('Not for HTTP: Blog, Shop').waitFor()
    await dialog().getByRole('button', { name: 'Change 3 monitors' }).click()
    await toolbar.waitFor({ state: 'detached' })
    assert.equal((await show('Database')).request_timeout_seconds, 9)
  })

  it('include the escalation policy, which is in the place of another one then', async () => {
    const steps = [{ after_minutes: 5, contact_ids: [ops.id], schedule_id: null }]
    const policy = JSON.stringify({ name: 'Night', steps, repeats: 0, repeat_every_minutes: 30, tags: [] })
    const path = `/app/teams/${here.team.teamId}`
    const create = `fetch('${path}/escalation-policies', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(policy)}
    }).then(async (answer) => (await answer.json()).data.id)`
    const id = await page.evaluate(create)
    await here.open('/monitors?sort=name', 'Monitors')
    await openSettings()
    await dialog().getByRole('checkbox', { name: 'Escalation policy' }).check()
    await dialog().getByRole('combobox', { name: 'Escalation policy' }).selectOption('Night')
    await dialog().getByRole('button', { name: 'Preview' }).click()
    await dialog().locator('[data-row]').filter({ hasText: 'Night' }).getByText('3 monitors').waitFor()
    await dialog().getByRole('button', { name: 'Change 3 monitors' }).click()
    await toolbar.waitFor({ state: 'detached' })
    for (const name of NAMES) {
      const asked = `fetch('${path}/monitors/${ids.get(name)}/escalation-policy').then(async (answer) => (await answer.json()).data)`
      const { policy_id } = (await page.evaluate(asked)) as { policy_id: number | null }
      assert.equal(policy_id, id, name)
    }
  })

  it('and checks now say of which monitors they cannot be, and why', async () => {
    await here.team.data('POST', `/monitors/${ids.get('Shop')}/toggle`)
    for (const name of NAMES) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await toolbar.getByRole('button', { name: 'Check now' }).click()
    const told = page.getByRole('dialog', { name: 'Not checked' })
    await told.getByText('Blog, Database:').waitFor()
    await page.getByRole('status').getByText('Checking 1 monitor now.').waitFor()
    await told.getByRole('button', { name: 'Close' }).click()
    await toolbar.waitFor({ state: 'detached' })
  })

  it('make the page complain about nothing', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

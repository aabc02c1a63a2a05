// npm test leaves this out: it changes many monitors by clicks, and brings them back one by one (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'
import { browserService } from '../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../support/browser/browser-team.ts'
import { openChromium } from '../../support/browser/chromium.ts'
import { suiteScope } from '../../support/scope.ts'
import { startSwitchTarget } from '../../support/servers/switch-target.ts'

const CHOSEN = ['Blog', 'Shop', 'Wiki']

describe('several monitors at once', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page
  let toolbar: Locator
  let ops: Contact
  const ids: number[] = []
  let other: number

  before(async () => {
    const service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
    toolbar = page.getByRole('toolbar', { name: 'Selected monitors' })
    const settings = { url: (await startSwitchTarget(scope)).url, check_interval_seconds: 3_600 }
    for (const name of CHOSEN) ids.push((await here.team.monitor({ ...settings, name })).id)
    other = (await here.team.monitor({ ...settings, name: 'Other' })).id
    ops = await here.team.data('POST', '/notification-contacts', {
      name: 'Ops',
      type: 'email',
      config: { email: 'ops@example.com' },
    })
    await here.open('/monitors?sort=name', 'Monitors')
  })

  async function choose() {
    for (const name of CHOSEN) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await toolbar.getByText('3 selected').waitFor()
  }

  async function untilDone(notice: string) {
    await page.getByRole('status').getByText(notice).waitFor()
    await toolbar.waitFor({ state: 'detached' })
  }

  async function monitors(): Promise<Monitor[]> {
    return Promise.all(ids.map((id) => here.team.show(id)))
  }

  it('are paused', async () => {
    await choose()
    await toolbar.getByRole('button', { name: 'Pause' }).click()
    await untilDone('3 monitors paused')
    await page.locator('tr:nth-child(4) [data-status=paused]').waitFor()
    assert.deepEqual(
      (await monitors()).map((monitor) => monitor.is_active),
      [false, false, false],
    )
    assert.equal((await here.team.show(other)).is_active, true)
  })

  it('are resumed', async () => {
    await choose()
    await toolbar.getByRole('button', { name: 'Resume' }).click()
    await untilDone('3 monitors resumed')
    await page.locator('[data-status=paused]').first().waitFor({ state: 'detached' })
    for (const id of ids) await here.team.untilStatus(id, 'up')
  })

  it('get a contact', async () => {
    await choose()
    await toolbar.getByRole('button', { name: 'Attach contact' }).click()
    await page.getByRole('menuitem', { name: 'Ops' }).click()
    await untilDone('3 monitors will alert this contact')
    for (const { notification_contacts } of await monitors()) assert.deepEqual(notification_contacts, [ops])
    assert.deepEqual((await here.team.show(other)).notification_contacts, [])
  })

  it('are deleted after a confirmation', async () => {
    await choose()
    await toolbar.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 3 monitors?' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await untilDone('3 monitors deleted')
    await page.getByRole('link', { name: 'Shop' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Other' }).waitFor()
    assert.equal((await here.team.ask('GET', '/monitors')).body.meta.total, 1)
  })

  it('are brought back one by one, as they were', async () => {
    await page.getByRole('link', { name: 'Deleted' }).click()
    for (const name of CHOSEN) {
      await page.getByRole('button', { name: `Restore ${name}` }).click()
      await page.getByRole('status').getByText(`${name} restored. Checks have resumed.`).waitFor()
    }
    await page.getByText('No deleted monitors').waitFor()
    const restored = await monitors()
    assert.deepEqual(
      restored.map(({ name, notification_contacts }) => [name, notification_contacts[0]?.name]),
      CHOSEN.map((name) => [name, 'Ops']),
    )
    for (const id of ids) await here.team.untilStatus(id, 'up')
  })

  it('make the page complain about nothing', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

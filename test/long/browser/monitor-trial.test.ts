// npm test leaves this out: it waits for trials that a service runs while the form is open (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../support/browser/chromium.ts'
import { createPerson, signInQuietly } from '../../support/browser/people.ts'
import { expectAccessible, openScreen } from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'
import { type SwitchTarget, startSwitchTarget } from '../../support/servers/switch-target.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'

describe('a test before saving, in the form of a monitor', () => {
  const scope = suiteScope()
  let service: BrowserService
  let team: TeamClient
  let page: Page
  let complaints: string[]
  let target: SwitchTarget

  before(async () => {
    service = await browserService()
    const browser = await openChromium(scope)
    team = await teamClient(service)
    target = await startSwitchTarget(scope, 503)
    const person = await createPerson(service, team.teamId, 'admin', 'Tess')
    const opened = await openPage(browser, service.services.siteUrl)
    ;({ page, complaints } = opened)
    await signInQuietly(opened.context, person)
    await openScreen(page, `/teams/${team.teamId}/monitors/new`)
  })

  const panel = () => page.getByRole('region', { name: 'Test', exact: true })
  const press = () => page.getByRole('button', { name: 'Test', exact: true }).click()

  it('shows the faults of the form first', async () => {
    await press()
    await page.locator('[aria-invalid=true]').first().waitFor()
    assert.equal(await panel().count(), 0)
  })

  it('tells what fails, with the answer, and that the form has changed since', async () => {
    await page.getByLabel('URL', { exact: true }).fill(target.url)
    await press()
    await panel().getByText('HTTP 503 (expected 200)').waitFor()
    await panel().getByText('HTTP/1.1 503 Service Unavailable').waitFor()
    await panel().getByText('Nothing was saved, recorded or sent.').waitFor()
    await expectAccessible(page, 'a test that failed')
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await panel().getByText('You have changed the form since this test.').waitFor()
  })

  it('passes with the same settings once the target answers, and saves nothing', async () => {
    target.status = 200
    await press()
    await panel().locator('[data-status=up]').waitFor()
    assert.equal((await team.data('GET', '/monitors')).length, 0)
    await page.getByRole('button', { name: 'Add monitor' }).click()
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor()
  })

  it('is offered when a monitor is changed, and never for a heartbeat', async () => {
    await page.getByRole('link', { name: 'Edit' }).click()
    await press()
    await panel().locator('[data-status=up]').waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor()
    await openScreen(page, `/teams/${team.teamId}/monitors/new`)
    await page.getByRole('radio', { name: 'Heartbeat' }).check()
    assert.equal(await page.getByRole('button', { name: 'Test', exact: true }).count(), 0)
    assert.deepEqual(complaints, [])
  })
})

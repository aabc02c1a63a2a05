// npm test leaves this out: it sets the status of a monitor by hand in a browser (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserService } from '../../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { createPerson, signInQuietly } from '../../../support/browser/people.ts'
import { expectAccessible, openScreen } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { type TeamClient, teamClient } from '../../../support/services/team-client.ts'

describe('the page of a manual monitor', () => {
  const scope = suiteScope()
  let team: TeamClient
  let office: number
  let admin: Page
  let viewer: Page

  before(async () => {
    const service = await browserService()
    const browser = await openChromium(scope)
    team = await teamClient(service)
    office = (
      await team.data('POST', '/monitors', { name: 'Office', type: 'manual', check_interval_minutes: 60 })
    ).id
    const pageOf = async (role: 'admin' | 'viewer', name: string) => {
      const { page, context } = await openPage(browser, service.url)
      await signInQuietly(context, await createPerson(service, team.teamId, role, name))
      await openScreen(page, `/teams/${team.teamId}/monitors/${office}`)
      return page
    }
    ;[admin, viewer] = [await pageOf('admin', 'Ada'), await pageOf('viewer', 'Vic')]
  })

  it('sets the status and says why', async () => {
    await expectAccessible(admin, 'the page of a manual monitor')
    await admin.getByLabel('Message (optional)').fill('No dial tone')
    await admin.getByRole('button', { name: 'Mark as down', exact: true }).click()
    await team.untilStatus(office, 'down')
    for (const page of [admin, viewer]) await page.getByText('No dial tone').first().waitFor()
    assert.equal(await admin.getByLabel('Message (optional)').inputValue(), '')
    await admin.getByRole('button', { name: 'Mark as up', exact: true }).click()
    await team.untilStatus(office, 'up')
    await viewer.getByText(/^Up for/).waitFor()
  })

  it('lets a viewer look on', async () => {
    await viewer.getByRole('heading', { name: 'Changes' }).waitFor()
    assert.equal(await viewer.getByRole('button', { name: /^Mark as/ }).count(), 0)
  })

  it('says nothing of an interval in the list', async () => {
    await openScreen(admin, `/teams/${team.teamId}/monitors`)
    const row = admin.locator('tr', { hasText: 'Office' })
    assert.match(await row.innerText(), /Manual/)
    assert.doesNotMatch(await row.innerText(), /every/)
  })
})

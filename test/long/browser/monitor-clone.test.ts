// npm test leaves this out: it types a monitor into the form, changes it and clones it (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../support/browser/chromium.ts'
import { createPerson, signInQuietly } from '../../support/browser/people.ts'
import { expectAccessible, openScreen, untilLoaded } from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'

describe('the runbook, the notes and a clone of a monitor', () => {
  const scope = suiteScope()
  let service: BrowserService
  let team: TeamClient
  let page: Page
  let complaints: string[]

  before(async () => {
    service = await browserService()
    const browser = await openChromium(scope)
    team = await teamClient(service)
    const person = await createPerson(service, team.teamId, 'admin', 'Isolde')
    const opened = await openPage(browser, service.services.siteUrl)
    ;({ page, complaints } = opened)
    await signInQuietly(opened.context, person)
    await openScreen(page, `/teams/${team.teamId}/monitors/new`)
  })

  const panel = () => page.getByRole('region', { name: 'Runbook and notes' })

  it('are typed into the form of a new monitor, and shown on its page', async () => {
    await page.getByLabel('URL', { exact: true }).fill('http://localhost:9/')
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await page.getByLabel('Runbook link').fill('wiki/shop')
    await page.getByText('More settings').click()
    await page.getByLabel('User name').fill('ada')
    await page.getByLabel('Password').fill('secret word')
    await page.getByLabel('Check now and at every interval').uncheck()
    await page.getByRole('button', { name: 'Add monitor' }).click()
    await page.getByText('must be a full URL such as https://wiki.example.com/shop').waitFor()
    await page.getByLabel('Runbook link').fill('https://wiki.example.com/shop')
    await page.getByLabel('Notes').fill('Call Ada.\nRestart it.')
    await page.getByRole('button', { name: 'Add monitor' }).click()
    await panel().getByRole('link', { name: 'https://wiki.example.com/shop' }).waitFor()
    await panel().getByText('Restart it.').waitFor()
  })

  it('are changed in the form, and the page follows', async () => {
    await page.getByRole('link', { name: 'Edit' }).click()
    // The page that is left has a region of that name.
    await page.getByRole('textbox', { name: 'Notes' }).fill('Call Grace.')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await panel().getByText('Call Grace.').waitFor()
  })

  it('are in a clone, which asks for the password again', async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Clone' }).click()
    await page.getByText('A copy of Shop. Change what differs before you save it.').waitFor()
    await untilLoaded(page)
    await expectAccessible(page, 'a clone')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Copy of Shop')
    assert.equal(await page.getByLabel('Password').inputValue(), '')
    await page.getByText('The password of Shop is not copied: enter it again.').waitFor()
    await page.getByLabel('Password').fill('another word')
    await page.getByRole('button', { name: 'Add monitor' }).click()
    await page.getByRole('heading', { name: 'Copy of Shop', level: 1 }).waitFor()
    await panel().getByText('Call Grace.').waitFor()
    assert.deepEqual(complaints, [])
  })
})

// npm test leaves this out: it acknowledges many incidents and tests many contacts by clicks (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { expectAccessible } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { replyWith, startReceiver } from '../../../support/servers/receivers.ts'
import { startSwitchTarget } from '../../../support/servers/switch-target.ts'

const NAMES = ['Blog', 'Docs', 'Shop', 'Wiki']

describe('many incidents and contacts at once', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page

  before(async () => {
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope))
    page = here.page
    const target = await startSwitchTarget(scope, 503)
    for (const name of NAMES) await here.team.monitor({ name, url: target.url })
    await here.open('/incidents', 'Incidents')
    for (const name of NAMES) await page.getByRole('checkbox', { name: `Select ${name}` }).waitFor()
  })

  const toolbar = () => page.getByRole('toolbar', { name: 'Selected incidents' })
  const acknowledged = async () => {
    const asked = `fetch('/app/teams/${here.team.teamId}/incident-rows?state=open').then((answer) => answer.json())`
    const { data } = (await page.evaluate(asked)) as {
      data: { subject_name: string; acknowledgement: object | null }[]
    }
    return data.filter(({ acknowledgement }) => acknowledgement).map(({ subject_name }) => subject_name)
  }

  it('are acknowledged from the list of incidents', async () => {
    for (const name of ['Blog', 'Docs']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await expectAccessible(page, 'the list of incidents with two selected')
    await toolbar().getByRole('button', { name: 'Acknowledge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Acknowledge 2 incidents' })
    await dialog.getByLabel('Note').fill('Restarting.')
    await dialog.getByRole('button', { name: 'I’m on it' }).click()
    await page.getByRole('status').getByText('2 incidents acknowledged.').waitFor()
    await toolbar().waitFor({ state: 'detached' })
    assert.deepEqual((await acknowledged()).sort(), ['Blog', 'Docs'])
  })

  it('are acknowledged from the line of their cause, those that nobody has', async () => {
    await here.open('/', '4 down')
    await page.getByText('4 monitors:').click()
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page
      .getByRole('dialog', { name: 'Acknowledge 2 incidents' })
      .getByRole('button', { name: 'I’m on it' })
      .click()
    await page.getByRole('dialog', { name: 'Acknowledge 2 incidents' }).waitFor({ state: 'hidden' })
    assert.deepEqual((await acknowledged()).sort(), NAMES)
  })

  it('are posted about by one way to the form of each page, those that are selected or of one cause', async () => {
    await here.open('/status-pages/new', 'New status page')
    await page.getByLabel('Name', { exact: true }).fill('Public')
    await page.getByRole('button', { name: 'Create page' }).click()
    await page.waitForURL(/status-pages\/\d+/)
    const [, public_] = /status-pages\/(\d+)/.exec(page.url()) ?? []
    const components = `fetch('/app/teams/${here.team.teamId}/monitors?per_page=100').then(async (answer) => {
      const items = (await answer.json()).data.map(({ id, name }) => ({ component: { monitor_id: id, name } }))
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ items })
      const path = '/app/teams/${here.team.teamId}/status-pages/${public_}/layout'
      return (await fetch(path, { method: 'PUT', headers, body })).status
    })`
    assert.equal(await page.evaluate(components), 200)
    const titleOfPost = async () => {
      await page.getByRole('button', { name: 'Post about them' }).click()
      await page.getByRole('menuitem', { name: 'Public' }).click()
      await page.getByRole('region', { name: 'New incident' }).waitFor()
      return page.getByLabel('Title').inputValue()
    }
    await here.open('/', '4 down')
    await page.getByText('4 monitors:').click()
    const title = await titleOfPost()
    for (const name of NAMES) assert.ok(title.includes(name), title)
    await here.open('/incidents', 'Incidents')
    for (const name of ['Blog', 'Docs']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const chosen = await titleOfPost()
    assert.match(chosen, /^Outage: (Blog and Docs|Docs and Blog)$/)
  })

  it('are tested, all contacts by two clicks, each with its answer', async () => {
    const receiver = await startReceiver(scope, replyWith(200))
    for (const name of ['Hook one', 'Hook two']) await here.team.webhook(receiver, { name })
    await here.open('/contacts', 'Contacts')
    for (const name of ['Hook one', 'Hook two']) await page.getByRole('link', { name }).waitFor()
    await page.getByRole('button', { name: 'Test all' }).click()
    const dialog = page.getByRole('dialog', { name: 'Test all contacts' })
    await dialog.getByRole('button', { name: /^Send \d tests$/ }).click()
    for (const name of ['Hook one', 'Hook two'])
      await dialog.locator('[data-row]').filter({ hasText: name }).getByText('Delivered').waitFor()
  })

  it('make the page complain about nothing', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

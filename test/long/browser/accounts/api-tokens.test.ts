// npm test leaves this out: it follows a token through several pages and browsers (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { createPerson, createTeamOf, signInQuietly } from '../../../support/browser/people.ts'
import { expectAccessible, openScreen } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'

const PATH = 'settings/api-tokens'
const TOKEN = /^upb_[0-9A-Za-z]{46}$/

describe('an API token', () => {
  const scope = suiteScope()
  const complaints: string[][] = []
  let service: BrowserService
  let team: number
  let page: Page
  let colleague: Page
  let token: string

  before(async () => {
    service = await browserService()
    const chromium = await openChromium(scope)
    const { id, owner } = await createTeamOf(service, 'Otto', 'Bakers')
    team = id
    const admin = await createPerson(service, team, 'admin', 'Alan')
    const open = async (person: typeof owner) => {
      const opened = await openPage(chromium, service.services.siteUrl)
      complaints.push(opened.complaints)
      await signInQuietly(opened.context, person)
      await openScreen(opened.page, `/teams/${team}/${PATH}`)
      return opened.page
    }
    page = await open(owner)
    colleague = await open(admin)
  })

  const lineOf = (name: string, at = page) =>
    at.getByRole('list', { name: 'API tokens' }).getByRole('listitem').filter({ hasText: name })

  async function create(at: Page, name: string, lifetime: string): Promise<string> {
    await at.getByLabel('Name').fill(name)
    await at.getByLabel('Expires').selectOption(lifetime)
    await at.getByRole('button', { name: 'Create token' }).click()
    const made = at.getByRole('status').filter({ hasText: `${name} is ready` })
    return (await made.locator('code').first().textContent()) ?? ''
  }

  it('is shown once, and is gone when the page is loaded again', async () => {
    token = await create(page, 'Deployment', 'After 7 days')
    assert.match(token, TOKEN)
    await lineOf('Deployment').getByText('never used').waitFor()
    await lineOf('Deployment').getByText('expires').waitFor()

    await page.reload()
    await lineOf('Deployment').getByText('never used').waitFor()
    assert.ok(!(await page.content()).includes(token))
    await lineOf('Deployment').getByText(token.slice(-4)).waitFor()
  })

  it('comes with the settings that connect an AI assistant', async () => {
    const assistant = await create(colleague, 'Assistant', 'After 7 days')
    const shown = await colleague.getByRole('status').locator('code').last().textContent()
    const { type, url, headers } = JSON.parse(shown ?? '').mcpServers.upbeat
    assert.deepEqual([type, url], ['http', `${service.services.siteUrl}/mcp`])
    assert.equal(headers.Authorization, `Bearer ${assistant}`)
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    assert.match(await response.text(), /"list-monitors"/)
    await colleague.getByRole('button', { name: 'Copy the settings for AI assistants' }).waitFor()
    await colleague.getByRole('button', { name: 'Done' }).click()
  })

  it('can be put away without a reload', async () => {
    const second = await create(page, 'Terraform', 'Never')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Create token' }).waitFor()
    assert.ok(!(await page.content()).includes(second))
  })

  it('opens the API to a program, and the page says when it did', async () => {
    const body = { name: 'Ops', type: 'email', config: { email: 'ops@example.com' } }
    assert.equal((await service.call(token, 'POST', '/notification-contacts', body)).status, 201)
    await page.reload()
    await lineOf('Deployment').getByText('last used').waitFor()
    await lineOf('Terraform').getByText('never used').waitFor()
  })

  it('is seen by its maker and by owners, not by other admins', async () => {
    await create(colleague, 'Script of Alan', 'After a year')
    await lineOf('Script of Alan', colleague).waitFor()
    assert.equal(await lineOf('Deployment', colleague).count(), 0)
    await page.reload()
    await lineOf('Script of Alan').getByText('By Alan').waitFor()
    await lineOf('Deployment').getByText('Yours').waitFor()
  })

  it('may be for reading alone, ends after 90 days unless something else is chosen, and says where it was used', async () => {
    assert.equal(await page.getByLabel('Expires').inputValue(), '90')
    await page.getByLabel('Access').selectOption('Read only')
    const reader = await create(page, 'Reader', 'After 90 days')
    await page.getByRole('button', { name: 'Done' }).click()
    const as = { 'user-agent': 'terraform/1.9 (linux)' }
    assert.equal((await service.call(reader, 'GET', '/team', undefined, as)).status, 200)
    assert.equal((await service.call(reader, 'POST', '/monitors', {})).status, 403)
    await page.reload()
    await lineOf('Reader').getByText('read-only').waitFor()
    await lineOf('Reader')
      .getByText(/from \S+ by terraform\/1.9/)
      .waitFor()
  })

  it('is replaced by a new one while the old one works on', async () => {
    await page.getByRole('button', { name: 'Rotate Reader' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rotate Reader?' })
    await dialog.getByLabel('The old token').selectOption('Works for another hour')
    await expectAccessible(page, 'the rotation of a token')
    await dialog.getByRole('button', { name: 'Create new token' }).click()
    const made = page.getByRole('status').filter({ hasText: 'Reader is ready' })
    const next = (await made.locator('code').first().textContent()) ?? ''
    assert.match(next, TOKEN)
    assert.equal((await service.call(next, 'GET', '/team')).status, 200)
    assert.equal(await lineOf('Reader').count(), 2)
    await lineOf('Reader').last().getByText('expires').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
  })

  it('is refused from the moment at which it is revoked', async () => {
    assert.equal((await service.call(token, 'GET', '/team')).status, 200)
    await page.getByRole('button', { name: 'Revoke Deployment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke Deployment?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await service.call(token, 'GET', '/team')).status, 200)

    await page.getByRole('button', { name: 'Revoke Deployment' }).click()
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('Token Deployment revoked').waitFor()
    const refused = await service.call(token, 'GET', '/team')
    assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer'])
    await lineOf('Deployment').getByText('revoked', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Revoke Deployment' }).count(), 0)
  })

  it('leaves its story in the audit log: made and revoked here, used through the API', async () => {
    await page.getByRole('link', { name: 'Audit log' }).click()
    for (const [deed, door] of [
      ['Otto created the API token Deployment', 'Dashboard'],
      ['Otto added the contact Ops', 'API'],
      ['Otto revoked the API token Deployment', 'Dashboard'],
    ] as const) {
      const line = page.getByRole('row').filter({ hasText: deed })
      assert.equal(await line.getByRole('cell').last().textContent(), door, deed)
    }
    assert.ok(!(await page.content()).includes(token))
  })

  it('makes no page complain', () => {
    assert.deepEqual(complaints.flat(), [])
  })
})

// npm test leaves this out: it shows the page wide and narrow, light and dark, and axe reads each (seconds of a browser).
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import * as accounts from '../../../../src/operations/accounts/operator-accounts.ts'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { createTeamOf, PASSWORD, type Person } from '../../../support/browser/people.ts'
import { expectAccessible, expectNoSidewaysScroll, openScreen } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { listen } from '../../../support/servers/receivers.ts'
import { openProgram } from '../../../support/sign-in/oauth-program.ts'

describe('the page on which a program is let in', () => {
  const scope = suiteScope()
  let service: BrowserService
  let page: Page
  let complaints: string[]
  let ida: Person
  let bakers: number
  let redirect: string

  before(async () => {
    service = await browserService()
    const bakery = await createTeamOf(service, 'Ida', 'Bakers')
    ida = bakery.owner
    bakers = bakery.id
    const other = await createTeamOf(service, 'Bob', 'Butchers')
    await accounts.addMember(service.services, { team: other.id, email: ida.email, role: 'viewer' })
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back in the program</h1>')
    })
    redirect = `http://127.0.0.1:${await listen(server)}/callback`
    scope.after(async () => {
      server.closeAllConnections()
      server.close()
    })
    const opened = await openPage(await openChromium(scope), service.services.siteUrl)
    page = opened.page
    complaints = opened.complaints
  })

  const newProgram = () =>
    openProgram(`${service.services.siteUrl}/api/v1`, {
      client_name: 'Assistant <1>',
      redirect_uris: [redirect],
    })

  // One walk, told in steps.

  it('comes after a sign-in, and names the program and where its answer goes', async () => {
    const program = newProgram()
    await page.goto((await program.begin())?.href ?? '')
    await page.getByLabel('E-mail').fill(ida.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Connect Assistant <1> to Upbeat?' }).waitFor()
    const text = (await page.getByRole('main').textContent()) ?? ''
    for (const said of ['Ida (ida@example.com)', 'a program on this computer (127.0.0.1)', 'not verified']) {
      assert.ok(text.includes(said), said)
    }
    await page.getByLabel('Team').selectOption({ label: 'Butchers (you are viewer: it can only read)' })
    await page.getByLabel('Team').selectOption({ label: 'Bakers (you are owner)' })
  })

  it('can be used by everybody, wide and narrow, light and dark', async () => {
    await expectAccessible(page, 'wide and light')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, 'narrow and dark', 'color-contrast')
    await expectNoSidewaysScroll(page, 'narrow')
  })

  it('lets the browser go on to the program, which hears no', async () => {
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Back in the program' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
  })

  it('gives the program a token that only reads when that was chosen, by keyboard', async () => {
    const program = newProgram()
    await page.goto((await program.begin())?.href ?? '')
    await page.getByLabel('Team').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    assert.ok(await page.getByLabel('Read-only').isChecked())
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Back in the program' }).waitFor()
    const { access_token, scope: granted } = await program.finish(page.url())
    assert.equal(granted, 'read')
    assert.equal((await service.call(access_token, 'GET', '/team')).body.data.name, 'Bakers')

    await openScreen(page, `/teams/${bakers}/settings/api-tokens`)
    const line = page.getByRole('list', { name: 'API tokens' }).getByRole('listitem')
    await line.getByText('connected program').waitFor()
    await line.getByText('read-only').waitFor()
    await page.getByRole('button', { name: 'Revoke Assistant <1>' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('Token Assistant <1> revoked').waitFor()
    assert.equal((await service.call(access_token, 'GET', '/team')).status, 401)
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('row').filter({ hasText: 'Ida connected Assistant <1>' }).waitFor()
  })

  it('makes no page complain', () => {
    assert.deepEqual(complaints, [])
  })
})

// npm test leaves this out: it writes the options of a request in the form of a monitor (20 s of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, idInAddress, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { expectAccessible } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { createAuthority } from '../../../support/servers/certificates.ts'

const MASK = '********'

describe('the request of a monitor and its way, in the form', () => {
  const scope = suiteScope()
  const pair = createAuthority('Authority of Ours').issue({ commonName: 'The Probe' })
  let here: BrowserTeam
  let page: Page

  before(async () => {
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope))
    page = here.page
  })

  const group = (name: string) =>
    page.locator('details').filter({ has: page.locator('summary', { hasText: name }) })
  const open = (name: string) => group(name).locator('summary').click()
  const field = (label: string) => page.getByLabel(label, { exact: true })

  it('has a field for each option, and for each part of those that have some', async () => {
    await here.open('/monitors/new', 'Add a monitor')
    await field('URL').fill('http://localhost:8080/health')
    await open('Request')
    await field('Request body').fill('{"a": 1,\n"b": 2}')
    await field('Redirects followed').fill('0')
    await field('Bypass caches').check()
    await field('Authenticate by').selectOption({ label: 'OAuth 2 client credentials' })
    await field('Token URL').fill('http://localhost:8081/token')
    await field('Client ID').fill('me')
    await field('Client secret').fill('sesame-7')
    await field('Client credentials sent in').selectOption({ label: 'the request body' })
    await open('Connection')
    await field('IP version').selectOption('6')
    await field('Name server').fill('192.0.2.53')
    await field('Proxy').fill('http://u:p@proxy.example:3128')
    await field('Verify the certificate').uncheck()
    await field('Client certificate').fill(pair.cert)
    await field('Key of the client certificate').fill(pair.key)
    await expectAccessible(page, 'the form with the options of a request')
    await page.getByRole('button', { name: 'Add monitor' }).click()
    const { options } = await here.team.show(await idInAddress(page, 'monitors'))
    assert.deepEqual(options, {
      ...{ request_body: '{"a": 1,\n"b": 2}', follow_redirects: 0, cache_buster: true },
      auth: {
        ...{ type: 'oauth2', token_url: 'http://localhost:8081/token', client_id: 'me', client_secret: MASK },
        auth_style: 'body',
      },
      ...{ ip_version: 6, resolver: '192.0.2.53', proxy: `http://u:${MASK}@proxy.example:3128` },
      tls: { verify: false, client_certificate: pair.cert, client_key: MASK },
    })
  })

  it('keeps secrets that are not typed again, and says at its field what is wrong', async () => {
    const { id } = await here.team.monitor({
      url: 'http://localhost/',
      is_active: false,
      options: { auth: { type: 'bearer', token: 'sesame-7' }, tls: { server_name: 'a.example' } },
    })
    await here.open(`/monitors/${id}/edit`, `Edit ${(await here.team.show(id)).name}`)
    assert.match(
      await group('Request').locator('summary').innerText(),
      /Authentication: Bearer token, Token$/,
    )
    await open('Connection')
    await field('Server name').fill('not a name')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await group('Connection').getByText('must be the name of a host').waitFor()
    assert.equal(await field('Server name').getAttribute('aria-invalid'), 'true')
    await field('Server name').fill('')
    await open('Request')
    await field('Redirects followed').fill('3')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.waitForURL(/\/monitors\/\d+$/)
    assert.deepEqual((await here.team.show(id)).options, {
      ...{ follow_redirects: 3, auth: { type: 'bearer', token: MASK } },
    })
    await here.open(`/monitors/${id}/edit`, `Edit ${(await here.team.show(id)).name}`)
    await open('Request')
    await field('Authenticate by').selectOption('–')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.waitForURL(/\/monitors\/\d+$/)
    assert.deepEqual((await here.team.show(id)).options, { follow_redirects: 3 })
  })
})

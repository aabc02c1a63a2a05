// npm test leaves this out: it writes assertions in the form of a monitor (20 s of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, idInAddress, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { expectAccessible } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { startHttp } from '../../../support/servers/targets.ts'

const HEADER = {
  source: 'header',
  property: 'content-type',
  comparison: 'contains',
  target: 'json',
  severity: 'down',
}
const SLOW = { source: 'response_time_ms', comparison: 'less_than', target: 800, severity: 'degraded' }

describe('the assertions of a monitor in its form', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page

  before(async () => {
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope))
    page = here.page
  })

  const group = () => page.locator('details').filter({ hasText: 'Expectations' })
  const field = (number: number, what: string) => page.getByLabel(`Assertion ${number}: ${what}`)

  it('are rows of a part, a comparison and a value', async () => {
    await here.open('/monitors/new', 'Add a monitor')
    await page.getByLabel('URL', { exact: true }).fill('http://localhost:8080/health')
    await group().locator('summary').click()
    await page.getByRole('button', { name: 'Add an assertion' }).click()
    await field(1, 'name or path').fill('$.queue.depth')
    await field(1, 'comparison').selectOption({ label: 'is less than' })
    await field(1, 'value').fill('10')
    await page.getByRole('button', { name: 'Add an assertion' }).click()
    await field(2, 'part of the answer').selectOption({ label: 'Header' })
    assert.equal(await field(2, 'name or path').inputValue(), '')
    await field(2, 'name or path').fill('content-type')
    await field(2, 'comparison').selectOption({ label: 'contains' })
    await field(2, 'value').fill('json')
    await page.getByRole('button', { name: 'Add an assertion' }).click()
    // A comparison that the part has not gives way.
    await field(3, 'comparison').selectOption({ label: 'contains' })
    await field(3, 'part of the answer').selectOption({ label: 'Time in ms' })
    assert.equal(await field(3, 'name or path').count(), 0)
    assert.equal(await field(3, 'comparison').inputValue(), 'equals')
    await field(3, 'comparison').selectOption({ label: 'is less than' })
    await field(3, 'value').fill('800')
    await field(3, 'otherwise').selectOption({ label: 'else degraded' })
    await expectAccessible(page, 'the form with assertions')
    await page.getByRole('button', { name: 'Add monitor' }).click()
    const { options } = await here.team.show(await idInAddress(page, 'monitors'))
    assert.deepEqual(options, {
      assertions: [
        { source: 'json', property: '$.queue.depth', comparison: 'less_than', target: 10, severity: 'down' },
        HEADER,
        SLOW,
      ],
    })
  })

  it('are made by a press on a value of the answer to a test', async () => {
    const { port } = await startHttp(scope, (_, response) => {
      const body = JSON.stringify({
        status: 'ok',
        queue: { 'depth now': 12, late: null },
        password: '********',
      })
      response.setHeader('content-type', 'application/json').setHeader('x-version', '7').end(body)
    })
    await here.open('/monitors/new', 'Add a monitor')
    await page.getByLabel('URL', { exact: true }).fill(`http://127.0.0.1:${port}/`)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const expects = (what: string) => page.getByRole('button', { name: `Require ${what}` })
    await expects('$.status to be "ok"').click()
    await expects('$.queue["depth now"] to be 12').click()
    await expects('$.queue.late to be null').click()
    assert.equal(await expects('$.password').count(), 0, 'what is masked cannot be expected')
    await page.getByText('response headers').click()
    await expects('x-version to be 7').click()
    await expectAccessible(page, 'the answer to a test')
    await expects('$.queue.late to be null').click()
    assert.equal(await expects('$.queue.late to be null').getAttribute('aria-pressed'), 'false')
    await page.getByRole('button', { name: 'Add monitor' }).click()
    const { options } = await here.team.show(await idInAddress(page, 'monitors'))
    const equals = { comparison: 'equals', severity: 'down' }
    assert.deepEqual(options, {
      assertions: [
        { source: 'json', property: '$.status', target: 'ok', ...equals },
        { source: 'json', property: '$.queue["depth now"]', target: 12, ...equals },
        { source: 'header', property: 'x-version', target: '7', ...equals },
      ],
    })
  })

  it('say of how many checks a percentile is, which a test does not judge', async () => {
    const { port } = await startHttp(scope, (_, response) => void response.end('ok'))
    await here.open('/monitors/new', 'Add a monitor')
    await page.getByLabel('URL', { exact: true }).fill(`http://127.0.0.1:${port}/`)
    await group().locator('summary').click()
    await page.getByRole('button', { name: 'Add an assertion' }).click()
    await field(1, 'part of the answer').selectOption({ label: 'p95 in ms' })
    assert.equal(await field(1, 'number of checks').inputValue(), '20')
    await field(1, 'number of checks').fill('1')
    await field(1, 'comparison').selectOption({ label: 'is less than' })
    await field(1, 'value').fill('800')
    await field(1, 'otherwise').selectOption({ label: 'else degraded' })
    await page.getByRole('button', { name: 'Add monitor' }).click()
    await group().getByText('must be the number of checks in digits, 2 to 100, not 1').waitFor()
    assert.equal(await field(1, 'number of checks').getAttribute('aria-invalid'), 'true')
    await field(1, 'number of checks').fill('50')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('The 95th percentile is of several checks').waitFor()
    await expectAccessible(page, 'the form with a percentile, and its test')
    await page.getByRole('button', { name: 'Add monitor' }).click()
    const id = await idInAddress(page, 'monitors')
    await page.getByText('p95 in ms of the last 50 checks is less than 800').waitFor()
    const { source, ...others } = { ...SLOW, source: 'response_time_p95_ms' }
    assert.deepEqual((await here.team.show(id)).options, {
      assertions: [{ source, property: '50', ...others }],
    })
  })

  it('are changed and removed, and say at their place what is wrong', async () => {
    const { id } = await here.team.monitor({
      url: 'http://localhost/',
      is_active: false,
      options: { assertions: [HEADER, SLOW] },
    })
    await here.open(`/monitors/${id}/edit`, `Edit ${(await here.team.show(id)).name}`)
    await group().locator('summary').click()
    await field(1, 'name or path').fill('a b')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await group().getByText('must be the name of a header, not a b').waitFor()
    assert.equal(await field(1, 'name or path').getAttribute('aria-invalid'), 'true')
    await page.getByRole('button', { name: 'Remove row 1' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.waitForURL(/\/monitors\/\d+$/)
    assert.deepEqual((await here.team.show(id)).options, { assertions: [SLOW] })
  })
})

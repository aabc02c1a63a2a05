// npm test leaves this out: it imports exports of other tools by the screen for them (seconds of a browser).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Monitor } from '../../../../src/core/monitors/monitor.ts'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { dropFiles } from '../../../support/browser/drop-files.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../../../support/browser/screens.ts'
import { KUMA_CONTENT, writeKumaDatabase } from '../../../support/imports/kuma-database.ts'
import { exportFile } from '../../../support/imports/read-exports.ts'
import { suiteScope } from '../../../support/scope.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

type File = { name: string; content: Buffer | string }

describe('an export of another tool', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page
  let kuma: Buffer

  before(async () => {
    service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope), 'business')
    page = here.page
    const file = join(temporaryFolder(scope), 'kuma.db')
    writeKumaDatabase(file, KUMA_CONTENT)
    kuma = readFileSync(file)
    await here.open('/monitors/import', 'Import from another tool')
  })

  const row = (name: string) =>
    page.locator('tr[data-row]').filter({ has: page.getByText(name, { exact: true }) })
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const alert = () => page.getByRole('alert')
  const monitors = async () =>
    ((await here.team.ask('GET', '/monitors?per_page=100')).body as { data: Monitor[] }).data

  async function choose(...files: File[]): Promise<void> {
    await page.getByLabel('Choose files').setInputFiles(
      files.map(({ name, content }) => ({
        ...{ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) },
      })),
    )
  }

  const wrong: [what: string, file: File, said: RegExp][] = [
    ['is empty', { name: 'kuma.db', content: '' }, /^kuma\.db is empty\.$/],
    ['is no JSON', { name: 'backup.json', content: '{"monitorList": [' }, /no valid JSON: it ends too early/],
    [
      'is a database that ends too early',
      { name: 'kuma.db', content: `SQLite format 3\0${'x'.repeat(3_000)}` },
      /cannot be imported: it cannot be read as a database/,
    ],
    [
      'is of nothing that is known',
      { name: 'a.json', content: '{"s3cret": 1}' },
      /^The file cannot be imported: it has no "monitorList"/,
    ],
  ]
  for (const [what, file, said] of wrong) {
    it(`that ${what} is refused with what is wrong`, async () => {
      await choose(file)
      await alert().filter({ hasText: said }).waitFor()
      assert.doesNotMatch((await alert().textContent()) ?? '', /s3cret|tmp/)
    })
  }

  it('whose aliases stand for billions of values is refused', async () => {
    await page.getByLabel('Export of').selectOption('gatus')
    const nested = Array.from({ length: 12 }, (_, level) => {
      const inner = level === 0 ? '1' : `*a${level - 1}`
      return `a${level}: &a${level} [${Array(9).fill(inner).join()}]`
    })
    await choose({ name: 'config.yaml', content: `${nested.join('\n')}\nendpoints: []\n` })
    await alert().filter({ hasText: 'aliases expand to more than 5000000 values' }).waitFor()
    await expectAccessible(page, 'an export that is refused')
  })

  it('of Uptime Kuma is shown as what would be created, with what cannot be', async () => {
    // It is read as what it is, whatever is chosen.
    await choose({ name: 'kuma.db', content: kuma })
    await row('Shop').getByText('https://shop.example/', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Export of').inputValue(), 'uptime-kuma')
    await row('Shop').getByText('Team mail (ops@shop.example)').first().waitFor()
    await row('Shop').getByText('env:Prod').first().waitFor()
    await row('Nightly backup').getByText('Heartbeat').waitFor()
    await row('Reboots').getByText('Europe/Berlin').waitFor()
    const missed = page.getByRole('region', { name: 'Cannot be taken over' })
    await missed.getByText('There are no monitors of this database').waitFor()
    await missed.getByText('Names', { exact: true }).waitFor()
    await row('Shop (2)')
      .getByText(/\d differences/)
      .click()
    await row('Shop (2)').getByText('Did not warn of an expiring certificate').waitFor()
    // Nothing was created yet: the line says what would be.
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ to create, 0 there already, \d+ cannot be/ })
      .waitFor()
    await expectAccessible(page, 'an import')
    await expectNoSidewaysScroll(page, 'an import')
    assert.equal((await monitors()).length, 0)
  })

  it('loses the rows that are left out, and says what needs them', async () => {
    await page.getByLabel('Choose Chat').uncheck()
    await row('Shop').getByText('Needs Chat, which you left out.').waitFor()
    await page.getByLabel('Choose Chat').check()
    await page.getByLabel('Choose Mail server').uncheck()
    await row('Mail server').getByText('Left out').waitFor()
  })

  it('is created but for one that gets no answer, once, however often the button is pressed', async () => {
    await page.route(
      '**/app/teams/*/monitors',
      (route) =>
        route.request().method() === 'POST' && route.request().postData()?.includes('Router')
          ? route.abort()
          : route.continue(),
      { times: 20 },
    )
    await button(/^Create \d+ records$/).dblclick()
    await row('Router').getByText('Not created: Upbeat is not responding').waitFor()
    await row('Shop').getByText('Created: Shop', { exact: true }).waitFor()
    await page.unroute('**/app/teams/*/monitors')
    await button(/^Create \d+ records?$/).click()
    await row('Router').getByText('Created: Router').waitFor()
    await button('Nothing to create').waitFor()
    await page.getByRole('region', { name: 'New ping URLs' }).getByText('New: ').first().waitFor()
    const names = (await monitors()).map(({ name }) => name)
    assert.deepEqual(names.sort(), [
      'Cupboard',
      'In the cupboard',
      'Must be closed',
      'Nightly backup',
      'No error page',
      'Orders',
      'Router',
      'Shop',
      'Shop (2)',
      'Shop says welcome',
      'Through',
    ])
    await expectAccessible(page, 'an import that is done')
  })

  it('creates what was left out, and nothing twice, when it is chosen again', async () => {
    await choose({ name: 'kuma.db', content: kuma })
    await row('Shop').getByText('There already, left alone: Shop', { exact: true }).waitFor()
    await button('Create 1 record').click()
    await row('Mail server').getByText('Created: Mail server').waitFor()
    assert.equal((await monitors()).length, 12)
  })

  it('of Gatus is read where it is dropped, and created, too', async () => {
    const content = readFileSync(exportFile('gatus.yaml'), 'utf8')
    await dropFiles(page.getByText('Or drop files here.'), [{ name: 'config.yaml', content }])
    await row('core/front-end').waitFor()
    assert.equal(await page.getByLabel('Export of').inputValue(), 'gatus')
    const before = (await monitors()).length
    await button(/^Create \d+ records$/).click()
    await row('core/front-end').getByText('Created: core/front-end').waitFor()
    await button('Nothing to create').waitFor()
    const made = (await monitors()).length - before
    assert.equal(
      made,
      (await page.locator('tr[data-row]').getByText('Created: ').count()) - (await contactsMade()),
    )
  })

  const contactsMade = () =>
    page
      .getByRole('region', { name: /^(Contacts|Maintenance windows|Status pages)$/ })
      .getByText('Created: ')
      .count()

  it('says how many the plan has room for, and creates those', async () => {
    const free = await openBrowserTeam(scope, service, await openChromium(scope), 'free')
    await free.open('/monitors/import', 'Import from another tool')
    const many = Array.from({ length: 60 }, (_, id) => `  - {name: m${id}, url: "http://localhost:9/${id}"}`)
    await free.page.getByLabel('Choose files').setInputFiles({
      name: 'config.yaml',
      mimeType: 'text/yaml',
      buffer: Buffer.from(`endpoints:\n${many.join('\n')}\n`),
    })
    await free.page.getByRole('alert').filter({ hasText: 'The free plan leaves room for' }).waitFor()
    await free.page.getByRole('button', { name: 'Create 60 records' }).click()
    await free.page.getByText('Not created: ').last().waitFor()
    const team = (await free.team.ask('GET', '/team')).body as {
      data: { max_monitors: number; monitors_count: number }
    }
    assert.equal(team.data.monitors_count, team.data.max_monitors)
  })

  it('makes the page complain about nothing', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

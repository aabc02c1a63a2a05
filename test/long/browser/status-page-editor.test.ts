// npm test leaves this out: it builds pages row by row, by keyboard and by dragging (a minute of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { HOUR_MS } from '../../../src/core/history/history-span.ts'
import { type BrowserService, browserService } from '../../support/browser/browser-service.ts'
import { type BrowserTeam, idInAddress, openBrowserTeam, saidOf } from '../../support/browser/browser-team.ts'
import { openChromium } from '../../support/browser/chromium.ts'
import { expectAccessible } from '../../support/browser/screens.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { ago } from '../../support/records/rows.ts'
import { addSite } from '../../support/records/sites.ts'
import { suiteScope } from '../../support/scope.ts'
import { type SwitchTarget, startSwitchTarget } from '../../support/servers/switch-target.ts'
import { until } from '../../support/until.ts'

const SLUG = 'cafe-lumiere-status'
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('the editor of a status page', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page
  let target: SwitchTarget
  let id: number
  const monitors: number[] = []

  before(async () => {
    service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
    target = await startSwitchTarget(scope)
    const settings = { url: target.url, check_interval_seconds: 3_600 }
    for (const name of ['Lumiere till', 'Lumiere web', 'Lumiere wifi'])
      monitors.push((await here.team.monitor({ ...settings, name })).id)
    await addSite(service.services.db, { team_id: here.team.teamId, name: 'Lumiere shop' })
  })

  const main = () => page.getByRole('main')
  const part = (name: string | RegExp) => page.getByRole('region', { name, exact: true })
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true })
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor()
  const preview = () => page.frameLocator('iframe')
  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'Status page' }).getByRole('link', { name }).click()
  const rows = () => part(/^Components/).locator('[data-item] p.font-medium')
  const visit = async (path = '') => {
    const answer = await fetch(`${service.services.siteUrl}/status/${SLUG}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
  const names = (html: string) => [...html.matchAll(/<h[34]><bdi>(.*?)<\/bdi>/g)].map(([, name]) => name)
  const order = async () => (await rows().allInnerTexts()).join(' ')
  const untilVisitors = (what: string, sees: (text: string) => boolean) =>
    until(what, async () => sees((await visit()).text))

  it('begins with a form that proposes an address, and takes all monitors of a search', async () => {
    await here.open('', 'All is well')
    await page.getByRole('link', { name: 'Status pages' }).click()
    await page.getByText('No status pages yet').waitFor()
    await main().getByRole('link', { name: 'New page' }).first().click()
    await page.getByRole('heading', { name: 'New status page', level: 1 }).waitFor()
    await button('Create page').click()
    const name = page.getByLabel('Name', { exact: true })
    assert.equal(await saidOf(page, name), 'Enter a name')
    await name.fill('Café Lumière: Status')
    assert.equal(await page.getByLabel('Address').inputValue(), SLUG)
    await page.getByLabel('Find monitors').fill('lumiere w')
    await page.getByText('2 found').waitFor()
    await button('Add all 2').click()
    await page.getByText('2 chosen').waitFor()
    await button('Create page').click()
    await said('Café Lumière: Status published.')
    id = await idInAddress(page, 'status-pages')
    await preview().getByRole('heading', { name: 'Lumiere web' }).waitFor()
    const { status, text } = await visit()
    assert.equal(status, 200)
    assert.deepEqual(names(text), ['Lumiere web', 'Lumiere wifi'])
  })

  it('orders rows by the keyboard, says where they went, and shows it before it is saved', async () => {
    await button('Add group').click()
    await page.getByLabel('Name of the group').fill('Indoors')
    await part('Add monitors').getByRole('checkbox', { name: 'Lumiere till' }).check()
    const site = part('Add sites').getByRole('checkbox', { name: 'Lumiere shop' })
    await site.check()
    await rows().getByText('Lumiere shop').waitFor()
    await site.uncheck()
    assert.equal(await order(), 'Lumiere web Lumiere wifi Indoors Lumiere till')
    await button('Move Lumiere wifi down').focus()
    await page.keyboard.press('Enter')
    await said('Lumiere wifi: 1 of 1 in Indoors')
    assert.equal(await order(), 'Lumiere web Indoors Lumiere wifi Lumiere till')
    // The focus went along: the same key moves it on.
    await button('Move Lumiere wifi down').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await said('Lumiere wifi: 3 of 4')
    await page.keyboard.press('Shift+Tab')
    await button('Move Lumiere wifi up').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Space')
    await said('Lumiere wifi: 1 of 1 in Indoors')
    await preview().getByRole('heading', { name: 'Indoors' }).waitFor()
    await preview().getByRole('heading', { name: 'Lumiere till' }).waitFor()
    assert.deepEqual(names((await visit()).text), ['Lumiere web', 'Lumiere wifi'])
    await expectAccessible(page, 'the editor with changes')
  })

  it('orders rows by dragging, into groups and out of them', async () => {
    const drag = async (name: string, onto: string, part: number) => {
      const rowOf = (one: string) =>
        page.locator('[data-item], [data-component]').filter({ hasText: one }).last()
      const from = await rowOf(name).getByTitle('Drag to move').boundingBox()
      const to = await rowOf(onto).boundingBox()
      assert.ok(from && to)
      await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
      await page.mouse.down()
      await page.mouse.move(to.x + 40, to.y + to.height * part, { steps: 4 })
      await page.mouse.up()
    }
    await rows().first().scrollIntoViewIfNeeded()
    await drag('Lumiere web', 'Lumiere wifi', 0.9)
    await said('Lumiere web: 2 of 2 in Indoors')
    assert.equal(await order(), 'Indoors Lumiere wifi Lumiere web Lumiere till')
    await drag('Lumiere till', 'Lumiere wifi', 0.1)
    await said('Lumiere till: 1 of 3 in Indoors')
    // Escape puts it back.
    const grip = page.getByTitle('Drag to move').last()
    await grip.hover()
    await page.mouse.down()
    await page.mouse.move(0, 0, { steps: 2 })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    assert.equal(await order(), 'Indoors Lumiere till Lumiere wifi Lumiere web')
  })

  it('gives components public names, has some without a monitor, and asks before changes are left', async () => {
    await button('Edit Lumiere till').click()
    await page.getByLabel('Public name').fill('')
    await button('Save page').click()
    await page.locator('[aria-invalid=true]:focus').waitFor()
    await page.getByLabel('Public name').fill('Paying')
    await page.getByLabel('Public description').fill('Cards and coins')
    await page.getByLabel('Show response times').check()
    await button('Edit Paying').click()
    await button('Add component by hand').click()
    await page.getByLabel('Public name').fill('Espresso machine')
    await page.getByLabel('State').selectOption('Degraded')
    await preview().getByText('Degraded').first().waitFor()
    await button('Discard changes').click()
    await button('Cancel', page.getByRole('dialog', { name: 'Discard your changes?' })).click()
    await tab('Settings')
    await button('Cancel', page.getByRole('dialog', { name: 'Leave without saving?' })).click()
    await button('Save page').click()
    await said('Café Lumière: Status saved.')
    await untilVisitors(
      'visitors see the new order',
      (text) =>
        text.includes('Cards and coins') &&
        names(text).join() === 'Indoors,Paying,Lumiere wifi,Lumiere web,Espresso machine',
    )
  })

  it('changes look and visitors, and shows it first', async () => {
    await tab('Settings')
    await page.getByLabel('Accent color', { exact: true }).fill('red')
    await page.getByLabel('Accent color', { exact: true }).blur()
    await page.getByText('Must be a color').waitFor()
    await page.getByLabel('Accent color', { exact: true }).fill('#7c2d12')
    await page.getByLabel('Language').selectOption('Français')
    await preview().locator('html[lang=fr]').waitFor()
    await page.getByLabel('Address').fill('lumiere')
    await page.getByText('stop working').waitFor()
    await page.getByLabel('Address').fill(SLUG)
    assert.equal(await page.getByLabel('Password of the page').count(), 0, 'everyone sees the page')
    await page.getByLabel('Visible to').selectOption('With a password')
    await button('Save changes').click()
    await page.getByText('must wait until the page has a password').waitFor()
    await page.getByLabel('Password of the page').fill('six otters and a drum')
    await button('Set password').click()
    await said('The password is set.')
    await button('Save changes').click()
    await said('Café Lumière: Status saved.')
    await until('visitors are asked for the password', async () =>
      (await visit()).text.includes('type="password"'),
    )
    await page.getByLabel('Visible to').selectOption('Everyone')
    await button('Save changes').click()
    await untilVisitors('visitors see the page in French', (text) => text.includes('<html lang="fr"'))
    await page.getByLabel('Language').selectOption('English')
    await button('Save changes').click()
    await untilVisitors('visitors see the page in English', (text) => text.includes('<html lang="en"'))
  })

  it('takes a logo that it shows first, and domains with the record that proves them', async () => {
    const logo = page.getByLabel('Logo', { exact: true }).and(page.locator('input'))
    await logo.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await page.getByText('SVG is not taken').waitFor()
    await logo.setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: Buffer.from(PIXEL, 'base64'),
    })
    await page.getByAltText(/on white$/).waitFor()
    await button('Save logo').click()
    await said('The logo is saved.')
    await until('the page to have its logo', async () => (await visit('/logo')).status === 200)
    await page.getByLabel('Add a domain').fill('localhost')
    await button('Add domain').click()
    await page.getByText('must be a host name such as').waitFor()
    await page.getByLabel('Add a domain').fill('Status.Lumiere.example')
    await button('Add domain').click()
    await part('Own domains').getByText('_upbeat-status.status.lumiere.example').waitFor()
    await button('Remove status.lumiere.example').click()
    await button('Remove domain', page.getByRole('dialog')).click()
    await said('status.lumiere.example removed.')
    await expectAccessible(page, 'the settings')
  })

  it('plans maintenance with the words of a template', async () => {
    await here.open('/status-pages/templates', 'Post templates')
    await button('New template').click()
    await page.getByLabel('Name', { exact: true }).fill('Night work')
    await page.getByLabel('Phase').selectOption('Scheduled')
    await page.getByLabel('Title').fill('Work on {component}')
    await page.getByLabel('Text', { exact: true }).fill('{page} is closed tonight.')
    await button('Save template').click()
    await said('Night work saved.')
    await here.open(`/status-pages/${id}/posts/new?kind=maintenance`, 'Café Lumière: Status')
    await page.getByLabel('Paying').selectOption('Under maintenance')
    await page.getByLabel('Template').selectOption('Night work')
    assert.equal(await page.getByLabel('Title').inputValue(), 'Work on Paying')
    await page.getByLabel('Begins').fill('2027-05-01T22:00')
    await page.getByLabel('Ends').fill('2027-05-01T21:00')
    await button('Publish post').click()
    await page.getByText('Must be after the start').waitFor()
    await page.getByLabel('Ends').fill('2027-05-02T02:00')
    await button('Publish post').click()
    await said('The post is published.')
    await untilVisitors('visitors read it', (text) => text.includes('Work on Paying'))
    await button('Delete…').click()
    await button('Delete post', page.getByRole('dialog')).click()
    await said('Work on Paying deleted.')
  })

  it('drafts a post from a maintenance window, of its page or where posts are written', async () => {
    const soon = oneOff(ago(-HOUR_MS).toISOString(), ago(-2 * HOUR_MS).toISOString())
    const { db } = service.services
    const note = 'We are **closed**.'
    const window = await addWindow(db, here.team.teamId, { ...soon, name: 'New ovens', note }, ago(0))
    await here.open(`/maintenance/${window}`, 'New ovens')
    await button('Post on a status page…').click()
    await button('Draft post', page.getByRole('dialog')).click()
    await said('The draft is saved.')
    await part('Updates').locator('strong', { hasText: 'closed' }).waitFor()
    await main().getByRole('link', { name: 'New ovens', exact: true }).waitFor()
    const address = page.url()
    await here.open(`/status-pages/${id}/posts/new?kind=maintenance`, 'Café Lumière: Status')
    const from = part('From a maintenance window')
    await from.getByLabel('Maintenance').locator('option').waitFor({ state: 'attached' })
    await button('Draft post', from).click()
    await page.waitForURL(address)
  })

  it('takes the page off, and deletes it once its name is typed', async () => {
    await button('Unpublish…').click()
    await button('Unpublish', page.getByRole('dialog')).click()
    await said('Café Lumière: Status is no longer public.')
    await until('visitors find nothing', async () => (await visit()).status === 404)
    await tab('Settings')
    await button('Delete page…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Type the name/).fill('Café')
    assert.equal(await button('Delete page', dialog).isDisabled(), true)
    await dialog.getByLabel(/^Type the name/).fill('Café Lumière: Status')
    await button('Delete page', dialog).click()
    await page.getByText('No status pages yet').waitFor()
    assert.deepEqual(here.complaints(), [])
  })
})

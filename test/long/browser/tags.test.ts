// npm test leaves this out: it types tags in forms, lists and several monitors at once (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserService } from '../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../support/browser/browser-team.ts'
import { openChromium } from '../../support/browser/chromium.ts'
import { expectAccessible } from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'

const NAMES = ['Blog', 'Shop', 'Wiki']
const PAUSED = { is_active: false, check_interval_seconds: 3_600, url: 'https://shop.example.com/' }

describe('tags in the dashboard', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page
  const ids = new Map<string, number>()

  before(async () => {
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope))
    page = here.page
    for (const name of NAMES) ids.set(name, (await here.team.monitor({ ...PAUSED, name })).id)
    await here.open('/monitors?sort=name', 'Monitors')
  })

  /** As the dashboard asks: the API has no tags. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the operation's
  async function ask(method: string, path: string, body?: object): Promise<any> {
    const asked = {
      method,
      path: `/app/teams/${here.team.teamId}${path}`,
      body: body && JSON.stringify(body),
    }
    return page.evaluate(async ({ method, path, body }) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(path, { method, headers, ...(body && { body }) })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      return ((await answer.json()) as { data: unknown }).data
    }, asked)
  }
  const tagsOf = async (name: string): Promise<string[]> =>
    (await ask('GET', `/monitors/${ids.get(name)}/tags`)).tags

  const rows = async () =>
    (await page.getByRole('row').getByRole('link').allTextContents()).filter((name) => NAMES.includes(name))

  async function untilRows(...names: string[]) {
    for (const name of NAMES) {
      const link = page.getByRole('row').getByRole('link', { name, exact: true })
      await (names.includes(name) ? link.waitFor() : link.waitFor({ state: 'detached' }))
    }
    assert.deepEqual(await rows(), names)
  }

  it('ask for nothing while a team uses none', async () => {
    await untilRows(...NAMES)
    assert.equal(await page.getByRole('combobox', { name: 'Tags' }).count(), 0)
  })

  it('are typed in the form of a monitor, and taken out again, by keyboard alone', async () => {
    await page.getByRole('link', { name: 'Shop', exact: true }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    const input = page.getByRole('combobox', { name: 'Tags' })
    await input.focus()
    await page.keyboard.type('Env:Prod,team:web,no tag,')
    await page.getByRole('button', { name: 'Remove no tag' }).waitFor()
    await page.keyboard.press('Tab')
    await page.getByText(/must be a key such as env, or a key and a value/i).waitFor()
    await input.focus()
    await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: 'Remove no tag' }).waitFor({ state: 'detached' })
    await expectAccessible(page, 'the form with tags')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('status').getByText('Shop saved.').waitFor()
    await page.getByRole('list', { name: 'Tags' }).getByText('env:prod').waitFor()
    assert.deepEqual(await tagsOf('Shop'), ['env:prod', 'team:web'])
  })

  it('are added to several monitors at once, with suggestions of those in use', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Monitors' }).first().click()
    for (const name of ['Blog', 'Wiki']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Tags' }).click()
    const dialog = page.getByRole('dialog', { name: 'Tags of 2 monitors' })
    await dialog.getByRole('combobox', { name: 'Add' }).fill('te')
    await page.getByRole('option', { name: /team:web/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Remove team:web' }).waitFor()
    await expectAccessible(page, 'the dialog for tags')
    await dialog.getByRole('button', { name: 'Change tags' }).click()
    await page.getByRole('status').getByText('Tags of 2 monitors changed.').waitFor()
    assert.deepEqual([await tagsOf('Blog'), await tagsOf('Wiki')], [['team:web'], ['team:web']])
  })

  it('let Tab go on from the filter', async () => {
    await page.getByRole('combobox', { name: 'Tags' }).focus()
    await page.getByRole('listbox', { name: 'Tags: suggestions' }).waitFor()
    await page.keyboard.press('Tab')
    await page.getByLabel('Group by').and(page.locator(':focus')).waitFor()
  })

  it('filter the list, by what is typed and by a press on one, and stay in the address', async () => {
    await page.getByRole('combobox', { name: 'Tags' }).fill('env')
    await page.keyboard.press('Enter')
    await untilRows('Shop')
    assert.match(decodeURIComponent(page.url()), /tags=env(&|$)/)
    await page.getByRole('button', { name: 'Remove env' }).click()
    await page.getByRole('row', { name: /Shop/ }).getByRole('button', { name: 'env:prod' }).click()
    await untilRows('Shop')
    await page.reload()
    await untilRows('Shop')
    await page.goBack()
    await page.goBack()
  })

  it('make groups with counts and the worst state, of which one is shown at a press', async () => {
    await here.open('/monitors?sort=name&group=env', 'Monitors')
    const groups = page.getByRole('list', { name: 'Groups by env' })
    await groups.getByRole('button', { name: /^env:\s?prod 1 paused$/ }).waitFor()
    await groups.getByRole('listitem').filter({ hasText: 'Without env' }).getByText('2 paused').waitFor()
    await untilRows('Shop', 'Blog', 'Wiki')
    await expectAccessible(page, 'the list in groups')
    await groups.getByRole('button', { name: /env:prod/ }).click()
    await untilRows('Shop')
  })

  it('choose what a maintenance window covers, which follows them', async () => {
    await here.open('/maintenance/new', 'New maintenance window')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Upgrade')
    await page.getByRole('combobox', { name: 'Everything with these tags' }).fill('team:web')
    await page.keyboard.press('Enter')
    await page.getByRole('searchbox', { name: 'Find monitors' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Create window' }).click()
    await page.getByRole('heading', { name: 'Monitors (3)' }).waitFor()
    await ask('PUT', `/monitors/${ids.get('Wiki')}/tags`, { tags: [] })
    await page.getByRole('heading', { name: 'Monitors (2)' }).waitFor()
  })

  it('fill a group of a status page, once the names are confirmed', async () => {
    const made = await ask('POST', '/status-pages', { name: 'Status', slug: 'tagged' })
    await here.open(`/status-pages/${made.id}`, 'Status')
    await page.getByRole('combobox', { name: 'Everything with these tags' }).fill('team:web')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add components…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add 2 components?' })
    await dialog.waitFor()
    assert.deepEqual(await dialog.getByRole('listitem').allInnerTexts(), ['Blog', 'Shop'])
    await expectAccessible(page, 'the dialog about names')
    await dialog.getByRole('textbox', { name: 'Group' }).fill('Web')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Save page' }).click()
    await page.getByRole('status').getByText('Status saved.').waitFor()
    const { layout } = await ask('GET', `/status-pages/${made.id}`)
    const { group } = layout.items[0]
    assert.deepEqual(
      [group.name, group.components.map(({ name }: { name: string }) => name)],
      ['Web', ['Blog', 'Shop']],
    )
  })

  it('let a group follow them: what joins is named before, comes by itself, and goes', async () => {
    const [{ id }] = await ask('GET', '/status-pages')
    await ask('PUT', `/monitors/${ids.get('Wiki')}/tags`, { tags: ['env:test'] })
    await here.open(`/status-pages/${id}`, 'Status')
    await page.getByRole('button', { name: 'Edit Web' }).click()
    await page.getByRole('checkbox', { name: /^Add by tag automatically/ }).check()
    await page.getByRole('combobox', { name: 'Everything with all of these tags' }).fill('env')
    await page.keyboard.press('Enter')
    const names = page.getByRole('list', { name: 'Names that become public' })
    await names.waitFor()
    assert.deepEqual(await names.getByRole('listitem').allInnerTexts(), ['Wiki'])
    await expectAccessible(page, 'a group that follows tags')
    await page.getByRole('button', { name: 'Save page' }).click()
    await page.getByText('Group of 3, open at first · follows env').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Remove Wiki' }).count(), 0)
    await ask('PUT', `/monitors/${ids.get('Wiki')}/tags`, { tags: [] })
    await page.getByText('Group of 2, open at first').waitFor()
  })

  it('make the page complain about nothing', () => {
    assert.deepEqual(here.complaints(), [])
  })
})

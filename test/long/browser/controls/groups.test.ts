// npm test leaves this out: it waits for checks of members in a real service (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { chooseType } from '../../../support/browser/choose-type.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { expectAccessible } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { startSwitchTarget } from '../../../support/servers/switch-target.ts'

const SELDOM = { check_interval_seconds: 3_600 }

describe('a group of monitors, on screens', () => {
  const scope = suiteScope()
  let service: BrowserService
  let here: BrowserTeam
  let page: Page

  before(async () => {
    service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
    const config = { url: 'http://127.0.0.1:9/' }
    await here.team.data('POST', '/notification-contacts', { name: 'Hook', type: 'webhook', config })
  })

  it('is made of chosen members with a rule, shows them live, and goes by tags instead', async () => {
    const [fine, failing] = [await startSwitchTarget(scope), await startSwitchTarget(scope, 503)]
    const { id: shop } = await here.team.monitor({ ...SELDOM, name: 'Shop', url: fine.url })
    const { id: search } = await here.team.monitor({ ...SELDOM, name: 'Search', url: failing.url })
    await here.team.untilStatus(search, 'down')
    await here.team.untilStatus(shop, 'up')

    await here.open('/monitors/new', 'Add a monitor')
    await chooseType(page, 'Group')
    await page.getByLabel('Name', { exact: true }).fill('Payments')
    await page.getByRole('checkbox', { name: 'Shop' }).check()
    await page.getByRole('checkbox', { name: 'Search' }).check()
    await page.getByLabel('The group is up while').selectOption('at_least')
    assert.equal(await page.getByLabel('How many members').inputValue(), '2')
    assert.equal(await page.getByLabel('Check every').count(), 0)
    await expectAccessible(page, 'the form of a group')
    await page.getByRole('button', { name: 'Add monitor' }).click()
    await page.getByRole('heading', { name: 'Payments' }).waitFor()
    const id = Number(page.url().split('/').at(-1))
    assert.deepEqual((await here.team.show(id)).options, {
      members: [shop, search],
      rule: { at_least: 2 },
    })
    await page.getByText('1 of 2 down: Search').first().waitFor()
    await page.getByText('Up while at least 2 members are up', { exact: true }).waitFor()
    const members = page.getByRole('region', { name: 'Members' }).getByRole('listitem')
    assert.deepEqual(
      await members.allInnerTexts().then((all) => all.map((text) => /Search|Shop/.exec(text)?.[0])),
      ['Search', 'Shop'],
    )
    await expectAccessible(page, 'the page of a group')

    failing.status = 200
    await page.request.post(`/app/teams/${here.team.teamId}/monitors/${search}/check-now`)
    await here.team.untilStatus(id, 'up')
    await page.getByText('Recovered').first().waitFor()

    await here.open(`/monitors/${id}/edit`, 'Edit Payments')
    await page.getByRole('group', { name: 'How members are chosen' }).getByText('By tags').click()
    await page.getByLabel('Tags of the members').fill('env:prod')
    await page.keyboard.press('Enter')
    await page.getByLabel('The group is up while').selectOption('all')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.waitForURL(`**/monitors/${id}`)
    assert.deepEqual((await here.team.show(id)).options, { members: { tags: ['env:prod'] } })
    await page.getByText('No monitor carries the tags of this group').waitFor()
  })

  it('says what is missing where the members are', async () => {
    await here.open('/monitors/new', 'Add a monitor')
    await chooseType(page, 'Group')
    await page.getByLabel('Name', { exact: true }).fill('Of none')
    await page.getByRole('button', { name: 'Add monitor' }).click()
    await page.getByText('Choose the members').first().waitFor()
    assert.equal(await page.getByText('Checks start within').count(), 0)
    assert.equal(page.url().endsWith('/monitors/new'), true)
    await chooseType(page, 'HTTP')
    await page.getByText('Checks start within').waitFor()
  })

  it('says that it has too few members for its rule, also where only the rule changes, and offers all but itself', async () => {
    const one = await here.team.data('POST', '/monitors', {
      ...{ name: 'Alone', type: 'heartbeat', check_interval_minutes: 60 },
    })
    const { id } = await here.team.data('POST', '/monitors', {
      ...{ name: 'Too few', type: 'group', check_interval_minutes: 60 },
      options: { members: [one.id] },
    })
    await here.open(`/monitors/${id}/edit`, 'Edit Too few')
    await page.getByRole('checkbox', { name: 'Alone' }).waitFor()
    assert.equal(await page.getByRole('checkbox', { name: 'Too few' }).count(), 0)
    await page.getByLabel('The group is up while').selectOption('at_least')
    await page.getByText('While fewer members count, all of those must be up.').waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Must be at most the number of members, 1').waitFor()
    await page.getByRole('group', { name: 'How members are chosen' }).getByText('By tags').click()
    await page.getByLabel('Tags of the members').fill('few:1')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.waitForURL(`**/monitors/${id}`)
    await page.request.put(`/app/teams/${here.team.teamId}/monitors/${one.id}/tags`, {
      data: { tags: ['few:1'] },
    })
    await page.getByText('The group wants 2 members up and has 1: all of these must be up.').waitFor()
  })
})

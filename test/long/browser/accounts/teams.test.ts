// npm test leaves this out: it opens several teams, and two tabs side by side (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import * as accounts from '../../../../src/operations/accounts/operator-accounts.ts'
import { browserService } from '../../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { createPerson, createTeamOf, signInQuietly } from '../../../support/browser/people.ts'
import { openScreen } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'

describe('teams', () => {
  const scope = suiteScope()
  const complaints: string[][] = []
  let context: BrowserContext
  let page: Page
  let member: Page
  let bakers: number
  let brewers: number

  before(async () => {
    const service = await browserService()
    const chromium = await openChromium(scope)
    const { id, owner } = await createTeamOf(service, 'Thea', 'Bakers')
    bakers = id
    await accounts.setOperator(service.services, { email: owner.email, isOperator: true })
    const open = async (person: typeof owner) => {
      const opened = await openPage(chromium, service.services.siteUrl)
      complaints.push(opened.complaints)
      await signInQuietly(opened.context, person)
      await openScreen(opened.page, '/')
      return opened
    }
    ;({ context, page } = await open(owner))
    ;({ page: member } = await open(await createPerson(service, bakers, 'viewer', 'Tilda')))
  })

  /** The button that names the team which is shown. */
  const shownIn = (at: Page, name: string) => at.getByRole('button', { name: `${name} owner Switch team` })

  async function change(at: Page, from: string, to: string) {
    await shownIn(at, from).click()
    await at.getByRole('menuitemradio', { name: to }).click()
    await shownIn(at, to).waitFor()
  }

  /** Adds a contact by the form of the page, so that the team which the page shows has it. */
  async function addContact(at: Page, name: string) {
    await at.getByRole('link', { name: 'Contacts', exact: true }).click()
    await at.getByRole('link', { name: 'Add contact' }).click()
    await at.getByLabel('Name').fill(name)
    await at.getByRole('textbox', { name: /e-mail/i }).fill(`${name}@example.com`)
    await at.getByRole('button', { name: 'Add contact' }).click()
    await at.getByRole('heading', { name, exact: true }).waitFor()
  }

  it('are made by an operator, and begin with the way to a first monitor', async () => {
    await shownIn(page, 'Bakers').click()
    await page.getByRole('menuitem', { name: 'New team…' }).click()
    await page.getByLabel('Team name').fill('Brewers')
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('heading', { name: 'Welcome to Brewers' }).waitFor()
    const [, id] = /^\/teams\/(\d+)\/welcome$/.exec(new URL(page.url()).pathname) ?? []
    brewers = Number(id)
    assert.notEqual(brewers, bakers)
    await page.getByRole('link', { name: 'Skip setup' }).click()
    await page.getByRole('region', { name: 'First steps' }).getByText('0 of 6').waitFor()
  })

  it('are not offered to invited people where sign-up is closed', async () => {
    await member.getByRole('button', { name: 'Bakers viewer Switch team' }).click()
    await member.getByRole('menuitemradio', { name: 'Bakers' }).waitFor()
    assert.equal(await member.getByRole('menuitem', { name: 'New team…' }).count(), 0)
    await openScreen(member, '/new-team')
    await member.getByText('Only the operator of this service can create teams').waitFor()
    assert.equal(await member.getByRole('button', { name: 'Create team' }).count(), 0)
    await openScreen(member, `/teams/${bakers}`)
  })

  it('are changed by the menu, and the next start opens the one chosen last', async () => {
    await change(page, 'Brewers', 'Bakers')
    assert.equal(new URL(page.url()).pathname, `/teams/${bakers}`)
    const chosen = page.waitForResponse((answer) => answer.url().endsWith('/auth/session/team'))
    await change(page, 'Bakers', 'Brewers')
    await chosen
    await page.goto('/')
    await shownIn(page, 'Brewers').waitFor()
    assert.equal(new URL(page.url()).pathname, `/teams/${brewers}`)
  })

  it('stay apart in two tabs, whatever is chosen or changed in the other one', async () => {
    const other = await context.newPage()
    await other.goto(`/teams/${bakers}/contacts`)
    await addContact(page, 'brewer')
    await addContact(other, 'baker')
    for (const [tab, own, foreign] of [
      [page, 'brewer', 'baker'],
      [other, 'baker', 'brewer'],
    ] as const) {
      await tab.getByRole('link', { name: 'Contacts', exact: true }).click()
      await tab.getByRole('link', { name: own, exact: true }).waitFor()
      assert.equal(await tab.getByRole('link', { name: foreign, exact: true }).count(), 0)
      await tab.reload()
      await tab.getByRole('link', { name: own, exact: true }).waitFor()
      assert.equal(await tab.getByRole('link', { name: foreign, exact: true }).count(), 0)
    }
    await change(page, 'Brewers', 'Bakers')
    await change(other, 'Bakers', 'Brewers')
    await shownIn(page, 'Bakers').waitFor()
    await other.close()
  })

  it('are renamed by an owner, which every page of the team shows at once', async () => {
    await openScreen(page, `/teams/${bakers}/settings`)
    await page.getByLabel('Team name').fill('')
    await page.getByLabel('Team name').fill('Millers')
    const panel = page.getByRole('region', { name: 'Name' })
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Team renamed to Millers').waitFor()
    await shownIn(page, 'Millers').waitFor()
    await member.getByRole('button', { name: 'Millers viewer' }).waitFor()
    await openScreen(page, `/teams/${brewers}`)
    await shownIn(page, 'Brewers').click()
    await page.getByRole('menuitemradio', { name: 'Millers' }).waitFor()
  })

  it('make no page complain', () => {
    assert.deepEqual(complaints.flat(), [])
  })
})

// npm test leaves this out: it signs an operator and other people in (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import * as accounts from '../../../../src/operations/accounts/operator-accounts.ts'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import {
  createPerson,
  createTeamOf,
  PASSWORD,
  type Person,
  signInQuietly,
} from '../../../support/browser/people.ts'
import { openScreen } from '../../../support/browser/screens.ts'
import { type Scope, suiteScope } from '../../../support/scope.ts'
import { until } from '../../../support/until.ts'

describe('the accounts of the service', () => {
  const scope = suiteScope()
  let service: BrowserService
  let chromium: Browser
  let operator: Person
  let team: number

  before(async () => {
    service = await browserService()
    chromium = await openChromium(scope)
    ;({ id: team, owner: operator } = await createTeamOf(service, 'Odile', 'Operators of it'))
    await accounts.setOperator(service.services, { email: operator.email, isOperator: true })
  })

  async function openAs(test: Scope, person: Person, path: string): Promise<Page> {
    const { context, page, leave } = await openPage(chromium, service.services.siteUrl)
    test.after(leave)
    await signInQuietly(context, person)
    await openScreen(page, path)
    return page
  }

  it('are found, disabled, enabled and deleted by an operator, after a question each time', async (test) => {
    const wanda = await createPerson(service, team, 'viewer', 'Wanda')
    const page = await openAs(test, operator, `/teams/${team}`)
    // The finder leads there, too.
    for (const [typed, heading] of [
      ['service settings', 'Service settings'],
      ['all accounts', 'Accounts'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill(typed)
      await page
        .getByRole('option', { selected: true })
        .filter({ hasText: new RegExp(typed, 'i') })
        .click()
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    await page.getByRole('button', { name: operator.email }).click()
    await page.getByRole('menuitem', { name: 'All accounts' }).click()
    await page.getByRole('heading', { name: 'Accounts' }).waitFor()
    await page.getByLabel('Search').fill('WANDA@')
    const line = page.getByRole('list', { name: 'Accounts' }).getByRole('listitem')
    await line.filter({ hasText: 'Operators of it (viewer)' }).waitFor()
    await until('one account', async () => (await line.count()) === 1)
    const deed = async (verb: string, done: string) => {
      await line.getByRole('button', { name: `${verb} Wanda` }).click()
      await page.getByRole('dialog').getByRole('button', { name: verb }).click()
      await page.getByText(done).waitFor()
    }
    await deed('Disable', 'Wanda is signed out everywhere')
    await line.getByText('disabled').waitFor()
    const refused = await openPage(chromium, service.services.siteUrl)
    test.after(refused.leave)
    await openScreen(refused.page, '/sign-in')
    await refused.page.getByLabel('E-mail').fill(wanda.email)
    await refused.page.getByLabel('Password').fill(PASSWORD)
    await refused.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await refused.page.getByText('This account is disabled').waitFor()
    await deed('Enable', 'Wanda can sign in again')
    await deed('Make operator', 'Wanda is now an operator')
    await deed('Remove operator', 'Wanda is no longer an operator')
    await deed('Delete', 'Account of Wanda deleted')
    await page.getByText('No accounts found').waitFor()

    await page.getByLabel('Search').fill(operator.email)
    await line.getByText('you', { exact: true }).waitFor()
    assert.equal(await line.getByRole('button').count(), 0)
    await openScreen(page, `/teams/${team}/settings/audit-log`)
    await page.getByText(/deleted the account of Deleted account \d+/).waitFor()
  })

  it('are deleted by their holders with the password', async (test) => {
    const page = await openAs(test, await createPerson(service, team, 'viewer', 'Xenia'), '/account')
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill('a wrong password')
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await dialog.getByText('is not the password').waitFor()
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const { rows } = await service.services.db.pool.query(`SELECT FROM users WHERE name = 'Xenia'`)
    assert.equal(rows.length, 0)
  })
})

// npm test leaves this out: it signs several people in, in browsers of their own (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { clipboardOf } from '../../../support/browser/clipboard.ts'
import {
  createPerson,
  createTeamOf,
  PASSWORD,
  type Person,
  signInQuietly,
} from '../../../support/browser/people.ts'
import { openScreen } from '../../../support/browser/screens.ts'
import { ago, changeRows } from '../../../support/records/rows.ts'
import { type Scope, suiteScope } from '../../../support/scope.ts'
import { createQuickAccount } from '../../../support/services/quick-account.ts'
import { until } from '../../../support/until.ts'

describe('an invitation', () => {
  const scope = suiteScope()
  const complaints: string[][] = []
  let service: BrowserService
  let chromium: Browser
  let team: number
  let members: Page

  before(async () => {
    service = await browserService()
    chromium = await openChromium(scope)
    const { id, owner } = await createTeamOf(service, 'Imke', 'Bakers')
    team = id
    members = await open(scope, `/teams/${team}/settings/members`, owner)
    await members.context().grantPermissions(['clipboard-write'])
  })

  /** A browser of somebody, or of a stranger, until the test is over. */
  async function enter(test: Scope, person: Person | null): Promise<Page> {
    const { context, page, complaints: own, leave } = await openPage(chromium, service.services.siteUrl)
    test.after(leave)
    complaints.push(own)
    if (person) await signInQuietly(context, person)
    return page
  }

  async function open(test: Scope, path: string, person: Person): Promise<Page> {
    const page = await enter(test, person)
    await openScreen(page, path)
    return page
  }

  /** Comes by the link of a letter. */
  async function follow(test: Scope, link: string, person: Person | null = null): Promise<Page> {
    const page = await enter(test, person)
    await page.goto(link)
    return page
  }

  /** Invites by the form, and returns the link that it shows. */
  async function invite(email: string, role: 'Viewer' | 'Admin' | 'Owner'): Promise<string> {
    const panel = members.getByRole('region', { name: 'Invite people' })
    await panel.getByLabel('E-mail').fill(email)
    await panel.getByLabel('Role').selectOption(role)
    await panel.getByRole('button', { name: 'Invite', exact: true }).click()
    const made = panel.getByRole('status').filter({ hasText: email })
    return (await made.locator('code').textContent()) ?? ''
  }

  const lettersTo = (email: string) => service.smtp.mails.filter(({ to }) => to.includes(email))
  const memberCalled = (name: string) =>
    members.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: name })
  const roleOf = (name: string) => members.getByRole('combobox', { name: `Role of ${name}` })

  async function expectUnusable(test: Scope, link: string) {
    const page = await follow(test, link)
    await page.getByRole('heading', { name: 'This invitation does not work' }).waitFor()
  }

  async function signIn(page: Page, { email }: Person) {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  it('is made by the form: its link is shown once, to be copied, and a letter is on its way', async () => {
    const link = await invite('nina@example.com', 'Admin')
    await members.getByRole('button', { name: 'Copy the link' }).click()
    await members.getByRole('button', { name: 'Copied the link' }).waitFor()
    assert.equal(await clipboardOf(members), link)
    await members
      .getByRole('list', { name: 'Invitations' })
      .getByText('nina@example.com', { exact: true })
      .waitFor()
    await until('the letter', () => lettersTo('nina@example.com').length > 0)

    const secret = new URL(link).hash.slice(1)
    await members.getByRole('button', { name: 'Done' }).click()
    assert.ok(!(await members.content()).includes(secret))
    await members.reload()
    await members
      .getByRole('list', { name: 'Invitations' })
      .getByText('nina@example.com', { exact: true })
      .waitFor()
    assert.ok(!(await members.content()).includes(secret))
  })

  it('makes a newcomer an account by the letter, in the team and with the role that it names', async (test) => {
    const [letter] = lettersTo('nina@example.com')
    const link = /http\S+/.exec(letter?.text ?? '')?.[0] ?? ''
    const page = await follow(test, link)
    await page.getByRole('heading', { name: 'Join Bakers' }).waitFor()
    await page.getByText('Imke invites nina@example.com to this team, as an admin').waitFor()
    assert.ok(!page.url().includes('#'), 'the secret stays in the address')
    await page.getByLabel('Your name').fill('Nina')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account and join' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.equal(new URL(page.url()).pathname, `/teams/${team}`)
    await page.getByRole('button', { name: 'Bakers admin' }).waitFor()

    await memberCalled('Nina').waitFor()
    assert.equal(await roleOf('Nina').inputValue(), 'admin')
    await members.getByText('Pending invitations').waitFor({ state: 'detached' })
    await expectUnusable(test, link)
  })

  it('is accepted by a person with an account, after signing in or at once', async (test) => {
    const veit = { email: 'veit@example.com', name: 'Veit' }
    await createQuickAccount(service.services, { ...veit, password: PASSWORD })
    const page = await follow(test, await invite(veit.email, 'Viewer'))
    // Its inviter has that link, too: it tells nobody who has an account, and makes none.
    await page.getByText('If you do not have one, open the link in the e-mail to veit@example.com').waitFor()
    assert.equal(await page.getByLabel('Password').count(), 0)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, veit)
    await page.getByRole('button', { name: 'Join Bakers' }).click()
    await page.getByRole('button', { name: 'Bakers viewer' }).waitFor()
    await memberCalled('Veit').waitFor()

    const wim = { email: 'wim@example.com', name: 'Wim' }
    await createQuickAccount(service.services, { ...wim, password: PASSWORD })
    const other = await follow(test, await invite(wim.email, 'Viewer'), wim)
    await other.getByRole('button', { name: 'Join Bakers' }).click()
    await other.getByText('No monitors yet').waitFor()
    await memberCalled('Wim').waitFor()
  })

  it('says so when it has ended or was taken back', async (test) => {
    const ended = await invite('late@example.com', 'Viewer')
    await changeRows(service.services.db, 'invitations', { team_id: team }, { expires_at: ago(1_000) })
    await expectUnusable(test, ended)

    const takenBack = await invite('never@example.com', 'Viewer')
    await members.getByRole('button', { name: 'Revoke the invitation for never@example.com' }).click()
    await members.getByText('Invitation for never@example.com revoked').waitFor()
    await expectUnusable(test, takenBack)
    await expectUnusable(test, '/invitations')
  })

  it('is not the last word: an owner changes the role, and every browser of the member signs in again', async (test) => {
    const rita = await createPerson(service, team, 'viewer', 'Rita')
    const [one, two] = [
      await open(test, `/teams/${team}/contacts`, rita),
      await open(test, `/teams/${team}/monitors`, rita),
    ]
    await one.getByRole('heading', { name: 'Contacts' }).waitFor()
    await two.getByRole('heading', { name: 'Monitors' }).waitFor()
    assert.equal(await one.getByRole('link', { name: 'Add contact' }).count(), 0)

    await memberCalled('Rita').waitFor()
    await roleOf('Rita').selectOption('admin')
    const dialog = members.getByRole('dialog', { name: 'Make Rita an admin?' })
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await members.getByText('Rita is now an admin').waitFor()
    assert.equal(await roleOf('Rita').inputValue(), 'admin')

    for (const page of [one, two]) await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(one, rita)
    await one.getByRole('heading', { name: 'Contacts' }).waitFor()
    await one.getByRole('link', { name: 'Add contact' }).waitFor()
  })

  it('never leaves a team without an owner: the last one can neither leave nor be another', async () => {
    await roleOf('Imke').selectOption('viewer')
    const demotion = members.getByRole('dialog', { name: 'Make yourself a viewer?' })
    await demotion.getByRole('button', { name: 'Change role' }).click()
    await demotion.getByText('must stay owner').waitFor()
    await demotion.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await roleOf('Imke').inputValue(), 'owner')

    await openScreen(members, `/teams/${team}/settings`)
    await members.getByRole('button', { name: 'Leave…' }).click()
    const leaving = members.getByRole('dialog', { name: 'Leave Bakers?' })
    await leaving.getByRole('button', { name: 'Leave', exact: true }).click()
    await leaving.getByText('cannot be left by its last owner').waitFor()
    await members.reload()
    await members.getByRole('button', { name: 'Bakers owner' }).waitFor()
  })

  it('makes no page complain but of what it was refused', () => {
    const unexpected = complaints.flat().filter((text) => !/status of (401|404|422)/.test(text))
    assert.deepEqual(unexpected, [])
  })
})

// npm test leaves this out: it shows the overview of a new team to three people (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import { NARROW, openChromium, openPage, type Visit } from '../../../support/browser/chromium.ts'
import {
  type Colleague,
  colleagueOf,
  createPerson,
  createTeamOf,
  type Person,
  signInQuietly,
} from '../../../support/browser/people.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  openScreen,
  untilLoaded,
} from '../../../support/browser/screens.ts'
import { addDeliveries } from '../../../support/records/alerting.ts'
import { suiteScope } from '../../../support/scope.ts'
import { startSwitchTarget } from '../../../support/servers/switch-target.ts'

describe('the first steps of a team, on its overview', () => {
  const scope = suiteScope()
  let service: BrowserService
  let chromium: Browser
  let team: number
  let page: Page
  let admin: Page
  let viewer: Page
  let colleague: Colleague
  let complaints: string[]

  before(async () => {
    service = await browserService()
    chromium = await openChromium(scope)
    const { id, owner } = await createTeamOf(service, 'Fiona', 'First hour')
    team = id
    ;({ page, complaints } = await open(owner))
    await openScreen(page, `/teams/${team}`)
  })

  async function open(person: Person): Promise<Visit> {
    const opened = await openPage(chromium, service.services.siteUrl)
    scope.after(opened.leave)
    await signInQuietly(opened.context, person)
    return opened
  }

  const region = (of: Page) => of.getByRole('region', { name: 'First steps' })
  const step = (name: string, of = page) => region(of).getByRole('link', { name: new RegExp(`^${name}`) })
  /** The state is hidden text, which the browser sets apart by a space. */
  const done = (name: string, of = page) => step(`${name} ?, done`, of)

  it('stand where a new team has nothing, each a link that says whether it is done', async () => {
    await region(page).getByText('0 of 6').waitFor()
    assert.equal(
      await region(page)
        .getByRole('link', { name: /, to do/ })
        .count(),
      6,
    )
    await expectAccessible(page, 'the first steps')
    await page.setViewportSize(NARROW)
    await expectNoSidewaysScroll(page, 'the first steps')
    for (const [name, heading] of [
      ['Add a monitor', 'Welcome to First hour'],
      ['Test a contact', 'Contacts'],
      ['Say who is on call', 'On-call'],
      ['Make a status page', 'New status page'],
      ['Invite people', 'Team'],
    ] as const) {
      await step(name).click()
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await openScreen(page, `/teams/${team}`)
    }
  })

  it('are a sentence for people who may only read', async () => {
    viewer = (await open(await createPerson(service, team, 'viewer', 'Viv of the first hour'))).page
    await openScreen(viewer, `/teams/${team}`)
    await viewer.getByText('An owner or admin of this team can add the first monitor.').waitFor()
    assert.equal(await region(viewer).count(), 0)
  })

  it('are marked as they are done, without a load, the same for all who may write', async () => {
    admin = (await open(await createPerson(service, team, 'admin', 'Abe of the first hour'))).page
    colleague = await colleagueOf(service, team, 'Cora of the first hour')
    await openScreen(admin, `/teams/${team}`)
    await region(admin).getByText('1 of 6').waitFor()
    await done('Invite people', admin).waitFor()
    const { url } = await startSwitchTarget(scope)
    await colleague.ask('POST', '/monitors', {
      ...{ type: 'http', name: 'First', url, check_interval_minutes: 60 },
    })
    for (const at of [page, admin]) {
      await done('Add a monitor', at).waitFor()
      await done('See a first check pass', at).waitFor()
      await region(at).getByText('3 of 6').waitFor()
    }
    await untilLoaded(page)
    for (const empty of ['Recent events', 'Slowest in 24 hours', 'On call now'])
      assert.equal(await page.getByRole('region', { name: empty }).count(), 0, empty)
    await expectAccessible(page, 'the first steps beside a monitor')
    await expectNoSidewaysScroll(page, 'the first steps beside a monitor')
  })

  it('are gone for the person who hides them, and for nobody else', async () => {
    await admin.getByRole('button', { name: 'Hide the first steps' }).click()
    await region(admin).waitFor({ state: 'detached' })
    await admin.getByRole('region', { name: 'Recent events' }).waitFor()
    // The service knows, for every device of theirs.
    await admin.evaluate('localStorage.clear()')
    await admin.reload()
    await admin.getByRole('region', { name: 'Recent events' }).waitFor()
    assert.equal(await region(admin).count(), 0)
    await region(page).getByText('3 of 6').waitFor()
  })

  it('are gone for everybody once all are done', async () => {
    await addDeliveries(service.services.db, [{ team_id: team, state: 'sent', attempts: 1 }])
    await colleague.ask('POST', '/status-pages', { name: 'First in public', slug: 'first-in-public' })
    await region(page).getByText('5 of 6').waitFor()
    await colleague.ask('POST', '/escalation-policies', {
      ...{ name: 'First', repeats: 0, repeat_every_minutes: 30, tags: [] },
      steps: [{ after_minutes: 5, contact_ids: [await contactId()], schedule_id: null }],
    })
    await region(page).waitFor({ state: 'detached' })
    await page.getByText('No on-call schedules yet.').waitFor()
    assert.deepEqual(complaints, [])
  })

  async function contactId(): Promise<number> {
    const config = { url: 'https://hooks.example.com/first' }
    return (await colleague.ask('POST', '/notification-contacts', { name: 'First', type: 'webhook', config }))
      .id
  }
})

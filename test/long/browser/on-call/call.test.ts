// npm test leaves this out: it shows on-call and incidents on a phone, where they are called from (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, openBrowserTeam, saidOf } from '../../../support/browser/browser-team.ts'
import { NARROW, openChromium, WIDE } from '../../../support/browser/chromium.ts'
import { type Colleague, colleagueOf } from '../../../support/browser/people.ts'
import { expectAccessible, expectNoSidewaysScroll, openScreen } from '../../../support/browser/screens.ts'
import { layer } from '../../../support/on-call/schedules.ts'
import { suiteScope } from '../../../support/scope.ts'
import { startSwitchTarget } from '../../../support/servers/switch-target.ts'

type Member = Colleague & { id: number; phone: string }

/** An element of a page, as far as it is looked at. */
type Shown = {
  innerText: string
  scrollWidth: number
  clientWidth: number
  getBoundingClientRect(): { top: number }
}

describe('a call to who is on call or has an incident', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page
  let hedy: Member
  let annie: Member
  let incident: number

  before(async () => {
    const service = await browserService()
    here = await openBrowserTeam(scope, service, await openChromium(scope))
    page = here.page
    async function member(name: string, phone: string): Promise<Member> {
      const colleague = await colleagueOf(service, here.team.teamId, name)
      await colleague.send('PATCH', '/auth/person', { phone })
      const { user } = (await colleague.send('GET', '/auth/session')).body.data
      return { ...colleague, id: user.id, phone: user.phone }
    }
    hedy = await member('Hedy', '+1 (555) 867-5310')
    annie = await member('Annie', '+49 30 901820')
    const hook = { name: 'Pager', type: 'webhook', config: { url: 'https://hooks.example.com/' } }
    const contact = await here.team.data('POST', '/notification-contacts', hook)
    await hedy.ask('POST', '/schedules', {
      ...{ name: 'Radio', time_zone: 'UTC' },
      participants: [{ key: 1, name: 'Hedy', user_id: hedy.id, contact_ids: [contact.id] }],
      layers: [layer({ rotation: [1], starts_on: '2026-01-05' })],
    })
    const { url } = await startSwitchTarget(scope, 503)
    const monitor = await here.team.monitor({ name: 'Torpedo', url, check_interval_seconds: 3_600 })
    const runbook_url = 'https://wiki.example.com/torpedo'
    await hedy.ask('PUT', `/monitors/${monitor.id}/notes`, { runbook_url, notes: '' })
    incident = (await here.team.untilStatus(monitor.id, 'down')).open_incident?.id ?? 0
  })

  const bar = () => page.getByRole('toolbar', { name: 'Actions on this incident' })
  const call = (name: string) => bar().getByRole('link', { name, exact: true })

  /** The number of actions that show, which stand in one row whole. */
  async function countActions(): Promise<number> {
    const shown = bar().locator('> :is(a, button), > div > button').filter({ visible: true })
    const boxes = await shown.evaluateAll((elements) =>
      (elements as unknown as Shown[]).map((element) => ({
        words: element.innerText,
        top: element.getBoundingClientRect().top,
        isCut: element.scrollWidth > element.clientWidth,
      })),
    )
    assert.deepEqual(
      boxes.filter(({ top, isCut }) => isCut || top !== boxes[0]?.top),
      [],
    )
    return boxes.length
  }

  it('is by a number in one’s account, which is given with its country', async () => {
    await openScreen(page, '/account')
    await page.getByRole('button', { name: 'Add your phone number' }).click()
    const field = page.getByLabel('Your phone number')
    assert.equal(
      await saidOf(page, field),
      'Members of your teams can call it from an incident and from On-call.',
    )
    await field.fill('0170 1234567')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('input[name=phone][aria-invalid=true]').waitFor()
    assert.match(String(await saidOf(page, field)), /a number such as \+15558675310/)
    await expectAccessible(page, 'the form of a phone number')
    await field.fill('+49 170 1234567')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('+491701234567').waitFor()
    await page.getByRole('button', { name: 'Change your phone number' }).waitFor()
  })

  it('is a press away in the list of schedules, and in a schedule', async () => {
    await here.open('/on-call', 'On-call')
    const link = page.getByRole('main').getByRole('link', { name: 'Call Hedy' })
    assert.equal(await link.getAttribute('href'), 'tel:+15558675310')
    await expectAccessible(page, 'the list of schedules with a number')
    await page.getByRole('link', { name: 'Radio' }).click()
    await page.getByRole('heading', { name: 'Radio', level: 1 }).waitFor()
    assert.equal(await link.getAttribute('href'), 'tel:+15558675310')
    await page.setViewportSize(NARROW)
    await expectNoSidewaysScroll(page, 'a schedule with a number on a phone')
    await expectAccessible(page, 'a schedule with a number')
  })

  it('stands within reach of a thumb in an incident', async () => {
    await here.open(`/incidents/${incident}`, 'Torpedo is down')
    await call('Call Hedy, on call').waitFor()
    assert.equal(await call('Call Hedy, on call').getAttribute('href'), `tel:${hedy.phone}`)
    assert.equal(await countActions(), 5)
    await expectNoSidewaysScroll(page, 'an incident with a number on a phone')
    await expectAccessible(page, 'an incident with a number on a phone')
    await page.setViewportSize(WIDE)
    await bar().getByText('Call Hedy').waitFor()
    await page.setViewportSize(NARROW)
  })

  it('asks whom to call where someone else has the incident', async () => {
    await annie.ask('POST', `/incidents/${incident}/acknowledgement`, {})
    await bar().getByRole('button', { name: 'Call…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who do you want to call?' })
    const links = dialog.getByRole('link')
    assert.deepEqual(
      await Promise.all(
        (await links.all()).map(async (one) => [await one.innerText(), await one.getAttribute('href')]),
      ),
      [
        ['Annie\nHas acknowledged · +4930901820', `tel:${annie.phone}`],
        ['Hedy\nOn call now · +15558675310', `tel:${hedy.phone}`],
      ],
    )
    await expectAccessible(page, 'the choice of whom to call')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await countActions(), 5)
  })
})

// npm test leaves this out: it needs a service and a profile of Chromium of its own, which take seconds to start.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core'
import { type PushMessage, pushMessage } from '../../../src/alerts/webpush.ts'
import { openChromium, openInstalled } from '../../support/browser/chromium.ts'
import { createPerson, signInQuietly } from '../../support/browser/people.ts'
import { expectAccessible } from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'
import { makeSubscription } from '../../support/servers/push-service.ts'
import { DOWN, RECOVERY } from '../../support/servers/receivers-alert.ts'
import { type ServiceHere, startServiceHere } from '../../support/services/service-here.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

type Shown = { title: string; body: string; tag: string; actions: { title: string }[] }

/** A real subscription is one at the push service of the browser's maker, whom no test asks: that alone is made up. */
describe('alerts in a browser', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let team: TeamClient
  let context: BrowserContext
  let page: Page
  let complaints: string[]
  let worker: Worker
  let debug: CDPSession
  let registrationId: string
  let contactsPath: string
  const browser = makeSubscription()
  const endpoint = 'https://push.invalid/push/of-ada'

  before(async () => {
    service = await startServiceHere()
    scope.after(() => service.close())
    team = await teamClient(service)
    contactsPath = `/teams/${team.teamId}/contacts`
    const person = await createPerson(service, team.teamId, 'admin', 'Ada')
    const { siteUrl } = service.services
    ;({ context, page, complaints } = await openInstalled(scope, await openChromium(scope), siteUrl))
    await context.grantPermissions(['notifications'], { origin: siteUrl })
    await context.addInitScript(
      ({ address, keys }) => {
        const { PushManager } = globalThis as unknown as { PushManager: { prototype: object } }
        Object.assign(PushManager.prototype, {
          getSubscription: async () => null,
          subscribe: async (options: { applicationServerKey: string }) => {
            Object.assign(globalThis, { subscribedWith: options.applicationServerKey })
            return { toJSON: () => ({ endpoint: address, keys }) }
          },
        })
      },
      { address: endpoint, keys: browser.keys },
    )
    await signInQuietly(context, person)
    debug = await context.newCDPSession(page)
    const registered = Promise.withResolvers<string>()
    debug.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      for (const { registrationId: id, status } of versions)
        if (status === 'activated') registered.resolve(id)
    })
    await debug.send('ServiceWorker.enable')
    const started = context.waitForEvent('serviceworker')
    await page.goto(contactsPath)
    worker = await started
    registrationId = await registered.promise
    // This Chromium has no place for notifications: what the service worker shows is kept, one for each tag.
    await worker.evaluate(`{
      globalThis.shown = []
      registration.showNotification = async (title, options) => {
        shown = [...shown.filter(({ tag }) => tag !== options.tag), { title, ...options }]
      }
    }`)
  })

  it('makes the browser a contact by one press, with the name of the person and the device', async () => {
    await page.getByRole('link', { name: 'Alert this browser' }).click()
    await page.getByRole('radio', { name: 'Browser', exact: true, checked: true }).waitFor()
    await expectAccessible(page, 'alert this browser')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Ada, Chrome on Linux')
    await page.getByRole('button', { name: 'Alert this browser' }).click()
    await page.waitForURL(/\/contacts\/\d+$/)
    await page.getByRole('heading', { name: 'Ada, Chrome on Linux' }).waitFor()
    const id = Number(page.url().split('/').at(-1))
    assert.deepEqual(await team.data('GET', `/notification-contacts/${id}`), {
      id,
      name: 'Ada, Chrome on Linux',
      type: 'webpush',
      config: { endpoint, ...browser.keys },
      notify_on_down: true,
      notify_on_recovery: true,
    })
    const { rows } = await service.services.db.pool.query('SELECT public_key FROM push_keys')
    assert.equal(await page.evaluate('globalThis.subscribedWith'), rows[0].public_key)
    await expectAccessible(page, 'a browser as a contact')
  })

  it('keeps the address of the browser off the screens', async () => {
    const content = () => page.locator('main').innerText()
    assert.doesNotMatch(await content(), /of-ada|Push address|Public key/)
    await page.getByLabel('Name', { exact: true }).fill('Ada’s laptop')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'Ada’s laptop' }).waitFor()
    await page.goto(contactsPath)
    await page.getByRole('row').filter({ hasText: 'Ada’s laptop' }).getByText('push.invalid').waitFor()
    assert.doesNotMatch(await content(), /of-ada/)
  })

  it('says so where the browser is a contact already, or does not allow notifications', async () => {
    const press = async () => {
      await page.goto(`${contactsPath}/new`)
      await page.getByRole('radio', { name: 'Browser', exact: true }).check()
      await page.getByRole('button', { name: 'Alert this browser' }).click()
    }
    await press()
    await page.getByText('This browser already gets alerts, as “Ada’s laptop”.').waitFor()
    await context.clearPermissions()
    await press()
    await page.getByText('This browser does not allow notifications from Upbeat.').waitFor()
    await context.grantPermissions(['notifications'], { origin: service.services.siteUrl })
  })

  async function deliver(message: PushMessage) {
    const { siteUrl: origin } = service.services
    await debug.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId,
      data: JSON.stringify(message),
    })
  }

  const shown = () => worker.evaluate('shown') as Promise<Shown[]>

  /** The notifications, once the one with the title is among them. */
  const untilShown = (title: string) =>
    until(title, async () => {
      const all = await shown()
      return all.some((one) => one.title === title) && all
    })

  it('shows an alert, and its recovery in the same place', async () => {
    const runbook = 'https://wiki.example/shop'
    await deliver(
      pushMessage(
        { ...DOWN, teamId: team.teamId, runbook },
        { incidentId: 7, acknowledgeUrl: `${service.url}/ack/m7-1-x` },
      ),
    )
    const [down, ...others] = await untilShown('Shop is down')
    assert.equal(others.length, 0)
    assert.match(down?.body ?? '', /^Down since 21 Nov 2026, \d\d:\d\d\nHTTP 503 \(expected 200\)\nAcme$/)
    assert.deepEqual(
      down?.actions.map(({ title }) => title),
      ['Acknowledge', 'Open runbook'],
    )
    await deliver(pushMessage({ ...RECOVERY, teamId: team.teamId }, { incidentId: 7 }))
    const after = await untilShown('Shop has recovered')
    assert.deepEqual(
      after.map(({ title, tag }) => [title, tag]),
      [['Shop has recovered', 'monitor-incident-7']],
    )
  })

  it('opens the incident by a click', async () => {
    // Nor can it be clicked: the event and the window that it opens are stood in for.
    const opened = await worker.evaluate(`(async () => {
      const opened = []
      let work
      clients.openWindow = async (url) => void opened.push(url)
      const notification = { ...shown[0], close: () => void (shown = []) }
      const waitUntil = (promise) => (work = promise)
      dispatchEvent(Object.assign(new Event('notificationclick'), { notification, action: '', waitUntil }))
      await work
      return [opened, shown.length]
    })()`)
    assert.deepEqual(opened, [[`${service.services.siteUrl}/teams/${team.teamId}/incidents/7`], 0])
  })

  it('makes the page complain about nothing', () => {
    assert.deepEqual(complaints, [])
  })
})

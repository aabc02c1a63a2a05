// npm test leaves this out: it sets every option of a monitor by its field in the form (20 s of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  MONITOR_TYPES,
  type MonitorType,
  namedBy,
  neededSettings,
  usualSchemeOf,
} from '../../../../src/core/monitors/monitor-types.ts'
import { optionOf } from '../../../../src/core/monitors/options/monitor-options.ts'
import { keysOf } from '../../../../src/core/shape.ts'
import { browserService } from '../../../support/browser/browser-service.ts'
import { type BrowserTeam, idInAddress, openBrowserTeam } from '../../../support/browser/browser-team.ts'
import { chooseType } from '../../../support/browser/choose-type.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import type { SetOption } from '../../../support/records/option-samples.ts'
import { suiteScope } from '../../../support/scope.ts'

const MASK = '********'

/** How a person sets an option, and what it is then. `label`: that of its field. */
type Filling = {
  type: MonitorType
  fill: (page: Page, label: string) => Promise<unknown>
  /** `other`: the ID of the monitor called Other. */
  is: unknown | ((other: number) => unknown)
  /** Options that do not go together are set on monitors of their own. */
  of?: 'one' | 'another'
}

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const typed = (text: string) => (page: Page, label: string) => field(page, label).fill(text)
const ticked = (page: Page, label: string) => field(page, label).check()
const chosen = (option: string) => (page: Page, label: string) => field(page, label).selectOption(option)
const otherOf = (page: Page, label: string) =>
  page.getByRole('group', { name: label, exact: true }).getByRole('checkbox', { name: 'Other' }).check()

/** Adds the first row of the assertions that the form shows. */
const asserted = async (page: Page) => {
  await page.getByRole('button', { name: 'Add an assertion' }).click()
  await page.getByLabel('Assertion 1: part of the answer').selectOption({ label: 'Body' })
  await page.getByLabel('Assertion 1: comparison').selectOption({ label: 'contains' })
  await page.getByLabel('Assertion 1: value').fill('done')
}
const ASSERTED = [{ source: 'body', comparison: 'contains', target: 'done', severity: 'down' }]

const FILLINGS: Record<SetOption, Filling> = {
  members: { type: 'group', fill: otherOf, is: (other: number) => [other] },
  rule: { type: 'group', fill: chosen('any'), is: 'any' },
  schedule: { type: 'heartbeat', fill: typed('0 3 * * 1-5'), is: '0 3 * * 1-5' },
  timezone: { type: 'heartbeat', fill: typed('Europe/Berlin'), is: 'Europe/Berlin' },
  grace_seconds: { type: 'heartbeat', fill: typed('600'), is: 600 },
  max_duration_seconds: { type: 'heartbeat', fill: typed('1800'), is: 1_800 },
  expect_exit: { type: 'heartbeat', fill: typed('0, 3'), is: [0, 3] },
  body_assertions: { type: 'heartbeat', fill: asserted, is: ASSERTED },
  steps: {
    type: 'steps',
    async fill(page) {
      for (const [place, name] of ['sign in', 'basket'].entries()) {
        await page.getByLabel(`Name of step ${place + 1}`).fill(name)
        await page.getByLabel(`URL of step ${place + 1}`).fill(`/${place}`)
      }
      await page.getByRole('button', { name: 'Move step 2 up' }).click()
    },
    is: [
      { name: 'basket', method: 'GET', url: '/1' },
      { name: 'sign in', method: 'GET', url: '/0' },
    ],
  },
  browser_steps: {
    type: 'browser',
    async fill(page) {
      await page.getByLabel('Name of step 1').fill('greeting')
      await page.getByLabel('Action of step 1').selectOption('expect_text')
      await page.getByLabel('Value of step 1').fill('Welcome')
      // As it begins: the action that is shown is chosen.
      await page.getByRole('button', { name: 'Add a step' }).click()
      await page.getByLabel('Name of step 2').fill('basket')
      await page.getByLabel('URL of step 2').fill('/basket')
    },
    is: [
      { name: 'greeting', action: 'expect_text', value: 'Welcome' },
      { name: 'basket', action: 'goto', url: '/basket' },
    ],
  },
  secrets: {
    type: 'steps',
    async fill(page) {
      const secrets = page.getByRole('group', { name: 'Secrets', exact: true })
      await secrets.getByRole('button', { name: 'Add' }).click()
      await page.getByLabel('Secrets: name 1').fill('PASSWORD')
      await page.getByLabel('Secrets: value 1').fill('sesame-7')
    },
    is: { PASSWORD: MASK },
  },
  request_body: { type: 'http', fill: typed('{"a": 1}'), is: '{"a": 1}' },
  follow_redirects: { type: 'http', fill: typed('0'), is: 0 },
  cache_buster: { type: 'http', fill: ticked, is: true },
  record_type: { type: 'dns', fill: chosen('MX'), is: 'MX' },
  transport: { type: 'dns', fill: chosen('tcp'), is: 'tcp' },
  dnssec: { type: 'dns', fill: ticked, is: true },
  subprotocol: { type: 'websocket', fill: typed('chat'), is: 'chat' },
  send: { type: 'websocket', fill: typed('hello'), is: 'hello' },
  warning_days: { type: 'domain', fill: typed('45'), is: 45 },
  service: { type: 'grpc', fill: typed('shop.Orders'), is: 'shop.Orders', of: 'one' },
  method: { type: 'grpc', fill: typed('shop.Orders/Get'), is: 'shop.Orders/Get', of: 'another' },
  request: { type: 'grpc', fill: typed('{"id": 7}'), is: '{"id": 7}', of: 'another' },
  oid: { type: 'snmp', fill: typed('1.3.6.1.2.1.1.3.0'), is: '1.3.6.1.2.1.1.3.0' },
  snmp_version: { type: 'snmp', fill: chosen('3'), is: '3', of: 'another' },
  community: { type: 'snmp', fill: typed('private'), is: MASK, of: 'one' },
  auth_protocol: { type: 'snmp', fill: chosen('sha256'), is: 'sha256', of: 'another' },
  privacy_password: { type: 'snmp', fill: typed('open sesame'), is: MASK, of: 'another' },
  shared_secret: { type: 'radius', fill: typed('sesame-7'), is: MASK },
  called_station_id: { type: 'radius', fill: typed('office'), is: 'office' },
  calling_station_id: { type: 'radius', fill: typed('laptop'), is: 'laptop' },
  base_dn: { type: 'ldap', fill: typed('dc=example'), is: 'dc=example' },
  game: { type: 'game', fill: typed('css'), is: 'css' },
  docker_host: { type: 'docker', fill: typed('http://127.0.0.1:9'), is: 'http://127.0.0.1:9' },
  max_offset_ms: { type: 'ntp', fill: typed('250'), is: 250 },
  max_stratum: { type: 'ntp', fill: typed('3'), is: 3 },
  max_dispersion_ms: { type: 'ntp', fill: typed('500'), is: 500 },
  query: { type: 'postgresql', fill: typed('SELECT 1'), is: 'SELECT 1' },
  database: { type: 'postgresql', fill: typed('shop'), is: 'shop' },
  topic: { type: 'mqtt', fill: typed('sensors/hall'), is: 'sensors/hall' },
  publish: { type: 'mqtt', fill: typed('hello'), is: 'hello' },
  auth: {
    type: 'http',
    async fill(page) {
      await field(page, 'Authenticate by').selectOption({ label: 'Bearer token' })
      await field(page, 'Token').fill('sesame-7')
    },
    is: { type: 'bearer', token: MASK },
  },
  assertions: { type: 'http', fill: asserted, is: ASSERTED },
  attempts: { type: 'http', fill: typed('3'), is: 3 },
  retry_seconds: { type: 'http', fill: typed('30'), is: 30 },
  recovery_checks: { type: 'http', fill: typed('2'), is: 2 },
  inverted: { type: 'http', fill: ticked, is: true },
  repeat_minutes: { type: 'http', fill: typed('45'), is: 45 },
  depends_on: { type: 'http', fill: otherOf, is: (other: number) => [other] },
  security: { type: 'smtp', fill: chosen('starttls'), is: 'starttls' },
  ip_version: { type: 'http', fill: chosen('4'), is: 4 },
  resolver: { type: 'http', fill: typed('192.0.2.53'), is: '192.0.2.53' },
  proxy: {
    type: 'http',
    fill: typed('http://u:p@proxy.example:3128'),
    is: `http://u:${MASK}@proxy.example:3128`,
  },
  tls: {
    type: 'http',
    fill: (page) => field(page, 'Verify the certificate').uncheck(),
    is: { verify: false },
  },
}

describe('every option of a monitor has a field in the form', () => {
  const scope = suiteScope()
  let here: BrowserTeam
  let page: Page
  let other: number

  before(async () => {
    here = await openBrowserTeam(scope, await browserService(), await openChromium(scope))
    page = here.page
    other = (await here.team.monitor({ name: 'Other', url: 'http://localhost/', is_active: false })).id
  })

  const fillings = Object.values(FILLINGS)
  const types = [...new Set(fillings.map(({ type }) => type))]
  const made = types.flatMap((type): { type: MonitorType; part: Filling['of'] }[] => {
    const apart = new Set(fillings.flatMap(({ type: ofType, of }) => (ofType === type && of ? of : [])))
    return apart.size === 0 ? [{ type, part: undefined }] : [...apart].map((part) => ({ type, part }))
  })
  for (const { type, part } of made)
    it(`that sets it, for the type ${type}${part ? `, ${part}` : ''}`, async () => {
      const names = keysOf(FILLINGS).filter(
        (name) => FILLINGS[name].type === type && [undefined, part].includes(FILLINGS[name].of),
      )
      await here.open('/monitors/new', 'Add a monitor')
      await chooseType(page, MONITOR_TYPES[type].word)
      if (type === 'dns' || type === 'domain') await field(page, 'Host').fill('localhost')
      else if (type === 'tcp') await field(page, 'Host').fill('localhost:9')
      else if (MONITOR_TYPES[type].url)
        await field(page, 'URL').fill(
          `${usualSchemeOf(type)}://${namedBy(type) === null ? 'localhost:9/health' : 'localhost'}`,
        )
      if (neededSettings(type).includes('username')) await field(page, 'User name').fill('watcher')
      await field(page, 'Name').fill(`Every option of ${type}`)
      const folded = page.locator('form details:not([open]) > summary')
      while ((await folded.count()) > 0) await folded.first().click()
      for (const name of names) await FILLINGS[name].fill(page, optionOf(name).label)
      await page.getByRole('button', { name: 'Add monitor' }).click()
      const { options } = await here.team.show(await idInAddress(page, 'monitors'))
      const { next_due_at: _, ...set } = options ?? {}
      const wanted = names.map((name) => {
        const { is } = FILLINGS[name]
        return [name, typeof is === 'function' ? is(other) : is]
      })
      assert.deepEqual(set, Object.fromEntries(wanted))
    })

  it('makes the page complain about nothing', () => assert.deepEqual(here.complaints(), []))
})

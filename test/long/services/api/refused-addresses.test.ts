// npm test leaves this out: it sends every refused address in every form through several doors (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { dialsUrl, type MonitorType } from '../../../../src/core/monitors/monitor-types.ts'
import { suiteScope } from '../../../support/scope.ts'
import { CONTACT_TYPES, CONTACTS, MONITOR_TYPES, MONITORS } from '../../../support/services/api-bodies.ts'
import { apiService } from '../../../support/services/api-service.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { openMcpClient } from '../../../support/services/mcp-client.ts'
import { type People, peopleOf, type Team } from '../../../support/services/people.ts'

/** Where clouds answer their own guests, as the host of a URL. */
const HOSTS = [
  '169.254.169.254',
  '169.254.42.42',
  '169.254.0.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  '[fd00:ec2::254]',
  '[fd00:42::42]',
  '[fd20:ce::254]',
  '[fe80::a9fe:a9fe]',
  '[64:ff9b:1::a9fe:a9fe]',
  '2852039166',
]

/** The types whose checks go to the address in their URL: those of a DNS record and a domain are only asked about. */
const CHECKED = MONITOR_TYPES.filter(dialsUrl) as Exclude<
  MonitorType,
  'heartbeat' | 'group' | 'manual' | 'dns' | 'domain'
>[]
const ALERTED = CONTACT_TYPES.flatMap((type) =>
  Object.entries(CONTACTS[type].config)
    .filter(([, value]) => /^https?:/.test(value))
    .map(([key]) => [type, key] as const),
)

describe('a metadata address of a cloud, where private addresses are allowed', () => {
  const scope = suiteScope()
  let service: AskedService
  let people: People
  let team: Team

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
    team = await people.team()
  })

  const urlOf = (type: (typeof CHECKED)[number], host: string) =>
    MONITORS[type].url.replace('127.0.0.1', host)

  async function assertRefused(method: string, path: string, body: unknown, field: string) {
    const answer = await team.owner.ask(team.id, method, path, body)
    assert.equal(answer.status, 422, `${method} ${path} ${JSON.stringify(body)}`)
    assert.deepEqual(Object.keys(answer.body.errors), [field])
    assert.match(answer.body.errors[field][0], /address .* is not allowed$/)
  }

  it('is no target of a monitor', async () => {
    for (const type of CHECKED) {
      const { id } = await team.owner.data(team.id, 'POST', '/monitors', MONITORS[type])
      for (const host of HOSTS) {
        const url = urlOf(type, host)
        await assertRefused('POST', '/monitors', { ...MONITORS[type], url }, 'url')
        await assertRefused('PATCH', `/monitors/${id}`, { url }, 'url')
      }
    }
  })

  it('is told no alert', async () => {
    for (const [type, key] of ALERTED) {
      const contact = CONTACTS[type]
      const { id } = await team.owner.data(team.id, 'POST', '/notification-contacts', contact)
      for (const host of HOSTS) {
        const config = { ...contact.config, [key]: `https://${host}/hook` }
        await assertRefused('POST', '/notification-contacts', { ...contact, config }, `config.${key}`)
        await assertRefused('PATCH', `/notification-contacts/${id}`, { config }, `config.${key}`)
      }
    }
  })

  it('is refused to AI assistants, too', async () => {
    const { call } = await openMcpClient(scope, service, await service.createToken(team.id, 'owner'))
    for (const host of HOSTS) {
      const monitor = await call('create-monitor', { ...MONITORS.http, url: urlOf('http', host) })
      assert.deepEqual(Object.keys(monitor.structuredContent.errors), ['url'], host)
      const contact = { ...CONTACTS.webhook, config: { url: `https://${host}/hook` } }
      const told = await call('create-notification-contact', contact)
      assert.deepEqual(Object.keys(told.structuredContent.errors), ['config.url'], host)
    }
  })
})

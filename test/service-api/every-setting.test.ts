import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { ContactCreate } from '../../src/core/alerting/contact.ts'
import { MonitorCreate } from '../../src/core/monitors/monitor.ts'
import { PROBED_SETTINGS } from '../../src/core/monitors/probe-settings.ts'
import { findMonitor } from '../../src/store/monitors/monitors.ts'
import { suiteScope } from '../support/scope.ts'
import { CONTACT_SAMPLES, MONITOR_SAMPLES, sampleOf } from '../support/services/api-bodies.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { type McpClient, openMcpClient } from '../support/services/mcp-client.ts'
import { type Commander, commander } from '../support/services/remote-command.ts'

/** Settings that say when a monitor is checked. */
const TIMES = ['check_interval_minutes', 'check_interval_seconds', 'is_active'] as const

/** The body that is sent for a monitor, and the names of its contacts. */
type Sent = { settings: Record<string, unknown>; contacts: string[] }

/** A way into the service: what is written through one is read through all. */
type Door = {
  create(sent: Sent): Promise<void>
  change(id: number, sent: Sent): Promise<void>
  read(id: number): Promise<Sent>
}

describe('every setting that a client may send', () => {
  const scope = suiteScope()
  let service: AskedService
  let teamId: number
  let token: string
  let person: Commander
  let mcp: McpClient
  let contactIds: Map<string, number>

  before(async () => {
    service = await apiService()
    const team = await service.createTeam()
    teamId = team.id
    token = team.admin
    person = commander(service.services)
    scope.after(async () => person.close())
    mcp = await openMcpClient(scope, service, await service.createToken(teamId, 'admin'))
    contactIds = new Map()
    for (const name of ['First', 'Second']) {
      const contact = { ...sampleOf(CONTACT_SAMPLES, 0), name }
      contactIds.set(name, (await ask('POST', '/notification-contacts', contact)).id)
    }
  })

  async function ask(method: string, path: string, body?: unknown) {
    const answer = await service.call(token, method, path, body)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body.data
  }

  async function tool(name: string, sent: Record<string, unknown>) {
    const { isError, structuredContent } = await mcp.call(name, sent)
    assert.equal(isError, undefined, JSON.stringify(structuredContent))
    return structuredContent.data
  }

  /** As a member of its own each time: the rate limit is a member's. */
  async function command(args: string[], declared?: object) {
    const environment = { url: service.url, token: await service.createToken(teamId, 'admin') }
    const files = { 'all.json': JSON.stringify(declared) }
    const ran = await person.run(args, { files, environment })
    assert.equal(ran.status, 0, ran.err)
    return ran
  }

  const exported = async () => JSON.parse((await command(['export', '--format', 'json'])).out)
  const apply = async (declared: object) =>
    void (await command(['apply', 'all.json', '--passwords'], declared))
  const bodyOf = ({ settings, contacts }: Sent) => ({
    ...settings,
    notification_contact_ids: contacts.map((name) => contactIds.get(name)),
  })
  const declared = ({ settings, contacts }: Sent) => ({ monitors: [{ ...settings, contacts }] })
  const sentOf = ({ notification_contacts, ...settings }: Record<string, unknown>): Sent => ({
    settings,
    contacts: (notification_contacts as { name: string }[]).map(({ name }) => name),
  })

  const DOORS: Record<string, Door> = {
    'the API': {
      create: async (sent) => void (await ask('POST', '/monitors', bodyOf(sent))),
      change: async (id, sent) => void (await ask('PATCH', `/monitors/${id}`, bodyOf(sent))),
      read: async (id) => sentOf(await ask('GET', `/monitors/${id}`)),
    },
    'upbeat apply': {
      create: (sent) => apply(declared(sent)),
      change: (_id, sent) => apply(declared(sent)),
      async read(id) {
        const { name } = await ask('GET', `/monitors/${id}`)
        const { monitors } = await exported()
        const { contacts, ...settings } = monitors.find((one: { name: string }) => one.name === name)
        return { settings, contacts }
      },
    },
    MCP: {
      create: async (sent) => void (await tool('create-monitor', bodyOf(sent))),
      change: async (id, sent) => void (await tool('update-monitor', { monitor_id: id, ...bodyOf(sent) })),
      read: async (id) => sentOf(await tool('get-monitor', { monitor_id: id })),
    },
  }

  /** The store has it, and each door shows it: all but the password, which nobody can read back. */
  async function assertEverywhere(id: number, { settings, contacts }: Sent) {
    const { db, vault } = service.services
    const record = await findMonitor(db.query, vault, teamId, id)
    for (const [setting, value] of Object.entries(settings)) {
      assert.deepEqual(record?.[setting as keyof typeof record], value, `${setting} as it is stored`)
    }
    const { password, ...shown } = settings
    for (const [door, { read }] of Object.entries(DOORS)) {
      const found = await read(id)
      assert.deepEqual(found.contacts, contacts, `contacts by ${door}`)
      for (const [setting, value] of Object.entries(shown)) {
        assert.deepEqual(found.settings[setting], value, `${setting} by ${door}`)
      }
    }
  }

  it('has a sample, which is not its default', () => {
    const { notification_contact_ids: _, ...settings } = MonitorCreate.shape
    const { attach_to_existing: __, ...ofContacts } = ContactCreate.shape
    assert.deepEqual(Object.keys(MONITOR_SAMPLES).sort(), Object.keys(settings).sort())
    assert.deepEqual(Object.keys(CONTACT_SAMPLES).sort(), Object.keys(ofContacts).sort())
    for (const [shape, samples] of [
      [settings, MONITOR_SAMPLES],
      [ofContacts, CONTACT_SAMPLES],
    ] as const) {
      for (const [field, schema] of Object.entries(shape)) {
        const { data } = schema.safeParse(undefined)
        for (const value of (samples as Record<string, unknown[]>)[field] ?? [])
          assert.notDeepEqual(value, data, field)
      }
    }
  })

  for (const [name, door] of Object.entries(DOORS)) {
    it(`is kept, changed and shown everywhere when ${name} sends it`, async () => {
      const settings = { ...sampleOf(MONITOR_SAMPLES, 0), name: `By ${name}` }
      await door.create({ settings, contacts: ['First'] })
      const { data } = (await service.call(token, 'GET', '/monitors?per_page=100')).body
      const { id } = data.find((one: { name: string }) => one.name === settings.name)
      await assertEverywhere(id, { settings, contacts: ['First'] })
      // A declaration knows a monitor by its name, which it cannot change.
      const renamed = door === DOORS['upbeat apply'] ? {} : { name: `Renamed by ${name}` }
      const changed = { ...settings, ...sampleOf(MONITOR_SAMPLES, 1), name: settings.name, ...renamed }
      await door.change(id, { settings: changed, contacts: ['Second'] })
      await assertEverywhere(id, { settings: changed, contacts: ['Second'] })
    })
  }

  it('is kept, changed and shown of a contact, too', async () => {
    const shownAs = async (expected: Record<string, unknown>) => {
      const { contacts } = await exported()
      const { id, ...shown } = (await ask('GET', '/notification-contacts')).find(
        ({ name }: { name: string }) => name === expected.name,
      )
      assert.deepEqual(shown, expected)
      assert.deepEqual(
        contacts.find(({ name }: { name: string }) => name === expected.name),
        expected,
      )
      return id
    }
    const [first, second] = [sampleOf(CONTACT_SAMPLES, 0), sampleOf(CONTACT_SAMPLES, 1)]
    await ask('POST', '/notification-contacts', { ...first, name: 'By the API' })
    const id = await shownAs({ ...first, name: 'By the API' })
    await ask('PATCH', `/notification-contacts/${id}`, second)
    await shownAs(second)
    const plain = { name: 'By upbeat apply', type: first.type, config: first.config }
    await apply({ contacts: [plain] })
    await apply({ contacts: [{ ...second, name: plain.name }] })
    await shownAs({ ...second, name: plain.name })
    await tool('create-notification-contact', { ...first, name: 'By MCP' })
    await shownAs({ ...first, name: 'By MCP' })
  })

  it('of a monitor starts checks anew where probes or their times depend on it, and nowhere else', async () => {
    const body = { ...sampleOf(MONITOR_SAMPLES, 0), is_active: true, name: 'Checked' }
    const { id } = await ask('POST', '/monitors', body)
    const revision = async () => {
      const row = service.services.db.query.selectFrom('monitors').select('revision').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).revision
    }
    const renewed: string[] = []
    for (const [setting, value] of Object.entries(sampleOf(MONITOR_SAMPLES, 1))) {
      const before = await revision()
      await ask('PATCH', `/monitors/${id}`, { [setting]: value })
      if ((await revision()) !== before) renewed.push(setting)
    }
    assert.deepEqual(renewed.sort(), [...PROBED_SETTINGS, ...TIMES, 'options'].sort())
  })
})

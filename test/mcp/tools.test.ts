import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { MonitorQuery } from '../../src/contract/monitors.ts'
import { ContactCreate } from '../../src/core/alerting/contact.ts'
import { MonitorCreate, MonitorPatch } from '../../src/core/monitors/monitor.ts'
import { TOOLS, type Tool } from '../../src/mcp/tools.ts'
import { CONTACT_TYPES, neededKeysOf } from '../support/services/api-bodies.ts'

const MONITOR = { monitor_id: {} }

/** Each tool: what it is called, what it takes (those that are required last), and its hints. */
const EXPECTED: [name: string, title: string, takes: object, required: string[], hints: string][] = [
  ['list-monitors', 'List monitors', MonitorQuery.shape, [], 'reads'],
  [
    'create-monitor',
    'Create monitor',
    MonitorCreate.shape,
    ['name', 'type', 'check_interval_minutes'],
    'adds',
  ],
  ['get-monitor', 'Get monitor', MONITOR, ['monitor_id'], 'reads'],
  ['update-monitor', 'Update monitor', { ...MONITOR, ...MonitorPatch.shape }, ['monitor_id'], 'overwrites'],
  ['delete-monitor', 'Delete monitor', MONITOR, ['monitor_id'], 'overwrites'],
  ['toggle-monitor', 'Toggle monitor', MONITOR, ['monitor_id'], 'adds'],
  ['list-monitor-checks', 'List monitor checks', MONITOR, ['monitor_id'], 'reads'],
  ['list-incidents', 'List incidents', MONITOR, [], 'reads'],
  ['list-notification-contacts', 'List notification contacts', {}, [], 'reads'],
  [
    'create-notification-contact',
    'Create notification contact',
    ContactCreate.shape,
    ['name', 'type', 'config'],
    'adds',
  ],
  ['get-team', 'Get team', {}, [], 'reads'],
]

const HINTS: Record<string, object> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  overwrites: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
}

describe('the tools for AI clients', () => {
  const tools = [...TOOLS.values()]
  const properties = ({ inputSchema }: Tool) => Object.keys(inputSchema.properties as object)
  const inputOf = (name: string) =>
    tools.find((tool) => tool.name === name)?.inputSchema.properties as Record<
      string,
      Record<string, unknown>
    >

  it('are eleven, with the fields of the API as arguments and monitor_id for the record', () => {
    assert.deepEqual(
      tools.map((tool) => [tool.name, tool.title, properties(tool).sort(), tool.inputSchema.required]),
      EXPECTED.map(([name, title, takes, required]) => [name, title, Object.keys(takes).sort(), required]),
    )
  })

  it('say what they do, and what else with a record', () => {
    for (const { name, description } of tools) assert.match(description, /^[A-Z].*\.$/, name)
    const incidents = tools.find(({ name }) => name === 'list-incidents')?.description ?? ''
    assert.match(incidents, /^List the newest 100 .*\. With monitor_id: List the newest 50 /)
  })

  it('say whether they only read, may destroy, and may be called again', () => {
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations]),
      EXPECTED.map(([name, title, , , hints]) => [name, { title, ...HINTS[hints] }]),
    )
  })

  it('tell bounds, choices and defaults of what they take', () => {
    const { page, per_page, status } = inputOf('list-monitors')
    assert.deepEqual([page?.default, per_page?.default], [1, 25])
    assert.deepEqual([per_page?.type, per_page?.minimum, per_page?.maximum], ['integer', 1, 100])
    assert.deepEqual(status?.enum, ['pending', 'up', 'down', 'degraded', 'maintenance'])
    const { is_active, request_timeout_seconds, http_method } = inputOf('create-monitor')
    assert.deepEqual(
      [is_active?.default, request_timeout_seconds?.default, http_method?.default],
      [true, 30, 'GET'],
    )
  })

  it('tell what the config of each type of contact holds', () => {
    const shapes = inputOf('create-notification-contact').config?.anyOf as Record<string, unknown>[]
    assert.deepEqual(
      shapes.map(({ title, required }) => [title, required]),
      CONTACT_TYPES.map((type) => [type, neededKeysOf(type)]),
    )
  })

  it('are told in less than 25 kB, since a model reads all of it before it asks anything', () => {
    const told = tools.map(({ access: _, operations: __, ...tool }) => tool)
    const bytes = Buffer.byteLength(JSON.stringify({ tools: told }))
    assert.ok(bytes < 25_000, `${bytes} bytes`)
  })

  it('tell all answers in one shape, that of the envelope', () => {
    const shapes = tools.map(({ outputSchema: { properties, ...rest } }) => {
      const { data: _, links: __, meta: ___, ...problem } = properties as Record<string, unknown>
      return JSON.stringify({ problem, kind: rest.type })
    })
    assert.equal(new Set(shapes).size, 1)
    for (const { name, outputSchema } of tools) {
      const members = Object.values(outputSchema.properties as Record<string, object>)
      for (const member of members)
        assert.deepEqual(
          Object.keys(member).filter((key) => !['type', 'description'].includes(key)),
          [],
          name,
        )
    }
  })

  it('take whole minutes', () => {
    for (const name of ['create-monitor', 'update-monitor']) {
      const { check_interval_minutes } = inputOf(name)
      assert.deepEqual(
        [check_interval_minutes?.type, check_interval_minutes?.enum],
        ['integer', [1, 5, 15, 30, 60]],
      )
    }
  })

  it('describe an answer as the API gives it, or a problem', () => {
    for (const { name, outputSchema } of tools) {
      const { data, title, errors } = outputSchema.properties as Record<string, unknown>
      assert.ok(data && title && errors, name)
      const [answer, problem] = outputSchema.anyOf as { required: string[] }[]
      assert.ok(answer?.required.includes('data'), name)
      assert.deepEqual(problem?.required, ['type', 'title', 'status'], name)
    }
    const nothing = tools.filter(({ outputSchema }) => {
      const { data } = outputSchema.properties as { data: { type: string } }
      return data.type === 'null'
    })
    assert.deepEqual(
      nothing.map(({ name }) => name),
      ['delete-monitor'],
    )
  })

  it('have open schemas with one type at a place, and without the bounds that every number has', () => {
    const text = JSON.stringify(tools.map(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]))
    for (const found of [/"additionalProperties":false/, /"type":\[/, /9007199254740991/]) {
      assert.doesNotMatch(text, found)
    }
  })

  it('stand in the documentation with what they take', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8')
    const listed = [...page.matchAll(/^\| `([a-z-]+)` \| ([^|]+) \| ([^|]+) \|/gm)]
    assert.deepEqual(
      listed.map(([, name]) => name),
      tools.map(({ name }) => name),
    )
    for (const [, name, takes = ''] of listed) {
      const tool = TOOLS.get(name as string) as Tool
      const known = properties(tool)
      for (const [, argument = ''] of takes.matchAll(/`(\w+)`/g))
        assert.ok(known.includes(argument), argument)
      for (const required of tool.inputSchema.required as string[])
        assert.ok(takes.includes(`\`${required}\``))
    }
  })
})

import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { PATIENT } from '../../support/services/mcp-client.ts'
import { type Connections, connectionsOf } from '../../support/sign-in/oauth-connections.ts'
import { openProgram } from '../../support/sign-in/oauth-program.ts'

describe('an AI client that knows only an address', () => {
  let service: AskedService
  let connections: Connections

  before(async () => {
    service = await apiService()
    connections = connectionsOf(service)
  })

  /** Lets a client in, as the SDK does it from a 401 on; returns it with the names of the tools it is offered. */
  async function connect(access: 'read' | 'write') {
    const team = await connections.people.team()
    const url = new URL(`${connections.site}/mcp`)
    const program = openProgram(url.href)
    const open = () => new StreamableHTTPClientTransport(url, { authProvider: program.provider })
    const first = open()
    await assert.rejects(
      new Client({ name: 'test', version: '1' }).connect(first, PATIENT),
      UnauthorizedError,
    )
    const browser = await connections.browserOf(team.owner)
    const page = await browser.open(program.provider.asked?.href ?? '')
    const { location } = await browser.submit(page, { team: String(team.id), access, decision: 'allow' })
    await first.finishAuth(new URL(location ?? '').searchParams)
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(open(), PATIENT)
    const { tools } = await client.listTools({}, PATIENT)
    return { team, client, program, names: tools.map(({ name }) => name) }
  }

  it('gets in by the sign-in, uses the tools, and leaves lines of both in the audit log', async () => {
    const { team, client, names } = await connect('write')
    assert.equal(names.length, 11)
    const made = { name: 'Shop', type: 'heartbeat', check_interval_minutes: 5 }
    const result = await client.callTool({ name: 'create-monitor', arguments: made }, PATIENT)
    assert.notEqual(result.isError, true, JSON.stringify(result))
    await client.close()
    assert.deepEqual((await connections.auditOf(team.id, team.owner)).slice(0, 2), [
      [team.owner.name, 'mcp', 'createMonitor', 'Shop'],
      [team.owner.name, 'dashboard', 'connectProgram', 'Robot'],
    ])
  })

  it('that may only read is not offered the tools that write, and its token is no token of the API', async () => {
    const { client, program, names } = await connect('read')
    assert.ok(names.includes('list-monitors') && !names.includes('create-monitor'))
    await client.close()
    assert.equal(await connections.statusOf(program.provider.kept.tokens?.access_token ?? ''), 401)
  })

  it('is told where to go by a 401', async () => {
    const refused = await fetch(`${connections.site}/mcp`, { method: 'POST', body: '{}' })
    assert.equal(refused.status, 401)
    assert.equal(
      refused.headers.get('www-authenticate'),
      `Bearer resource_metadata="${connections.site}/.well-known/oauth-protected-resource/mcp"`,
    )
  })
})

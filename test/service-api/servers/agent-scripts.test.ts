import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { ServerDetail, ServerInstall } from '../../../src/core/servers/shown-server.ts'
import { agentMachine, CLIENT } from '../../support/agent/agent-machine.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { peopleOf, type Team } from '../../support/services/people.ts'

describe('the scripts that install the agent', () => {
  let service: AskedService
  let team: Team
  let server: number

  before(async () => {
    service = await apiService()
    team = await peopleOf(service).team()
    server = ServerDetail.parse(await team.owner.data(team.id, 'POST', '/servers', { name: 'Web' })).id
  })

  const install = async () =>
    ServerInstall.parse(await team.admin.data(team.id, 'GET', `/servers/${server}/install`))
  const fetchPath = (address: string, path: string, method = 'GET') =>
    fetch(new URL(new URL(address).pathname + path, service.url), { method })

  it('hold the address, and are what the dashboard says', async () => {
    const { address, agent } = await install()
    const answer = await fetchPath(address, '/install')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const script = await answer.text()
    assert.ok(script.includes(`\naddress='${address}' `))
    assert.ok(script.includes(`\nversion=${agent.version} `))
    assert.equal(agent.sha256, createHash('sha256').update(script).digest('hex'))
    const windows = await (await fetchPath(address, '/install.ps1')).text()
    assert.ok(windows.includes(`\n$Address = '${address}'\n`))
  })

  it('report to the service that they come from', async (test) => {
    const { address } = await install()
    const script = await (await fetchPath(address, '/install')).text()
    const machine = await agentMachine(test, CLIENT)
    const { status, output } = await machine.run(
      ['sh'],
      [],
      script.replaceAll(new URL(address).origin, service.url),
    )
    assert.equal(status, 0, output)
    const shown = ServerDetail.parse(await team.viewer.data(team.id, 'GET', `/servers/${server}`))
    assert.equal(shown.status, 'up')
    assert.ok((shown.latest.memory_total_bytes ?? 0) > 0, JSON.stringify(shown.latest))
  })

  it('are nowhere else', async () => {
    const { address } = await install()
    for (const path of ['/install', '/install.ps1']) {
      assert.equal((await fetchPath(address.replace(/.$/, 'x'), path)).status, 404)
      assert.equal((await fetchPath(address, path, 'POST')).status, 405)
    }
    await team.admin.data(team.id, 'PATCH', `/servers/${server}`, { is_active: false })
    assert.equal((await fetchPath(address, '/install')).status, 404)
    await team.admin.data(team.id, 'PATCH', `/servers/${server}`, { is_active: true })
    await team.admin.data(team.id, 'POST', `/servers/${server}/token`)
    assert.equal((await fetchPath(address, '/install')).status, 404)
    assert.equal((await fetchPath((await install()).address, '/install')).status, 200)
  })
})

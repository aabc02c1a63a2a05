import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { parseExposition, seriesValue } from '../support/documents/exposition.ts'
import { addChecks, addIncident } from '../support/records/history.ts'
import { changeRows } from '../support/records/rows.ts'
import { suiteScope } from '../support/scope.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { type ApiClient, apiClient } from '../support/services/api-client.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { documentedAsk } from '../support/services/documented.ts'
import { openMcpClient } from '../support/services/mcp-client.ts'
import { commander } from '../support/services/remote-command.ts'
import { signIn } from '../support/services/signed-in.ts'

const REASON = 'HTTP 502 (expected 200)'

/** Every answer is compared with the OpenAPI document. */
describe('a monitor that fails inside a maintenance window', () => {
  const scope = suiteScope()
  let service: AskedService
  let asOwner: ApiClient
  let teamId: number
  let id: number

  before(async () => {
    service = await apiService()
    teamId = (await service.createTeam()).id
    asOwner = apiClient(service, teamId)
    id = (await asOwner.post('/monitors', { ...MONITORS.http, name: 'Planned' })).body.data.id
    await asOwner.post('/monitors', { ...MONITORS.http, name: 'Other' })
    const { db } = service.services
    const open_incident_id = await addIncident(db, { team_id: teamId, monitor_id: id, cause: REASON })
    const checked = { status: 'maintenance', checked_at: new Date() } as const
    await addChecks(db, [{ monitor_id: id, ...checked, error_message: REASON }])
    const state = { status: checked.status, last_checked_at: checked.checked_at, open_incident_id }
    await changeRows(db, 'monitor_state', { monitor_id: id }, state)
  })

  it('is found by its status, and keeps why it fails; its incident is only in the lists', async () => {
    const { body } = await asOwner.get('/monitors?status=maintenance')
    assert.deepEqual(
      body.data.map((monitor: Record<string, unknown>) => [
        monitor.id,
        monitor.status,
        monitor.open_incident,
      ]),
      [[id, 'maintenance', null]],
    )
    const checks = (await asOwner.get(`/monitors/${id}/checks`)).body.data
    assert.deepEqual([checks[0].status, checks[0].error_message], ['maintenance', REASON])
    const incidents = (await asOwner.get('/incidents')).body.data
    assert.deepEqual([incidents.length, incidents[0].resolved], [1, false])
  })

  it('is told to AI clients and on badges, and is not down for rules over metrics', async () => {
    const mcp = await openMcpClient(scope, service, await asOwner.token())
    const listed = await mcp.call('list-monitors', { status: 'maintenance' })
    assert.deepEqual([listed.structuredContent.data.length, listed.structuredContent.data[0].id], [1, id])

    const member = await signIn(service, teamId)
    const { badge_url } = (await member.ask('GET', `/monitors/${id}/report`)).data
    const { pathname } = new URL(badge_url)
    const badge = JSON.parse((await documentedAsk(`${service.url}${pathname}/status.json`)).text)
    assert.deepEqual([badge.message, badge.color], ['maintenance', '#8250df'])

    const metrics = await fetch(`${service.url}/api/v1/metrics`, {
      headers: { authorization: `Bearer ${await asOwner.token()}` },
    })
    const families = parseExposition(await metrics.text(), 'prometheus')
    const of = (name: string, labels = {}) =>
      seriesValue(families, `upbeat_monitor_${name}`, { id: String(id), ...labels })
    assert.equal(of('up'), null)
    assert.deepEqual([of('status', { status: 'maintenance' }), of('status', { status: 'down' })], [1, 0])
  })

  it('is waited for by its status, and keeps a gate closed that waits for another', async () => {
    const person = commander(service.services)
    scope.after(async () => person.close())
    const environment = { url: service.url, token: await asOwner.token() }
    const wait = ['wait', '--monitor', String(id), '--allow-current', '--timeout', '1']
    const found = await person.run([...wait, '--status', 'maintenance'], { environment })
    assert.deepEqual([found.status, found.out], [0, `monitor ${id} (Planned) is maintenance\n`], found.err)
    const pausing = (giveUp: () => void) => giveUp()
    const closed = await person.run(wait, { environment, pausing })
    assert.equal(closed.status, 1)
    const said = `monitor ${id} (Planned) fails inside a maintenance window`
    assert.ok(closed.err.includes(`waiting: ${said}\n`), closed.err)
    assert.ok(closed.err.endsWith(`${said}; not up within 1 s\n`), closed.err)
  })
})

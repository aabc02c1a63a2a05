import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { DIAGNOSES_PER_MINUTE, type ShownDiagnosis } from '../../../src/core/monitors/incidents/diagnosis.ts'
import { addIncident } from '../../support/records/history.ts'
import { changeRows } from '../../support/records/rows.ts'
import { startHttp } from '../../support/servers/targets.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type People, type Person, peopleOf } from '../../support/services/people.ts'
import { wholeService } from '../../support/services/whole-service.ts'
import { until } from '../../support/until.ts'

describe('why the monitor of an incident is down', () => {
  let service: AskedService
  let people: People
  before(async () => {
    service = await wholeService()
    people = peopleOf(service)
  })

  async function incidentOf(team: { id: number; owner: Person }, url: string) {
    const monitor = { name: 'Shop', type: 'http', url, check_interval_minutes: 60, is_active: false }
    const { id } = await team.owner.data(team.id, 'POST', '/monitors', monitor)
    // One that is paused is not diagnosed; unannounced, it is not checked either.
    await changeRows(service.services.db, 'monitors', { id }, { is_active: true })
    return addIncident(service.services.db, { team_id: team.id, monitor_id: id })
  }

  async function diagnosis(team: number, person: Person, incident: number): Promise<ShownDiagnosis> {
    return person.data(team, 'GET', `/incidents/${incident}/diagnosis`)
  }

  it('is collected on demand by a process that checks, and shown to viewers', async (t) => {
    const team = await people.team()
    const { port } = await startHttp(t, (_, response) => response.writeHead(503).end('Back soon'))
    const incident = await incidentOf(team, `http://127.0.0.1:${port}/`)
    assert.deepEqual(await diagnosis(team.id, team.viewer, incident), {
      state: 'none',
      ended_at: null,
      found: null,
    })
    assert.equal((await team.viewer.ask(team.id, 'POST', `/incidents/${incident}/diagnosis`)).status, 403)
    await team.admin.data(team.id, 'POST', `/incidents/${incident}/diagnosis`)
    let shown: ShownDiagnosis | undefined
    await until('it is collected', async () => {
      shown = await diagnosis(team.id, team.viewer, incident)
      return shown.state === 'done'
    })
    assert.match(shown?.found?.summary ?? '', /^it answers, but not as expected: HTTP 503/)
    assert.equal(shown?.found?.region, 'lon')
    assert.match(JSON.stringify(shown?.found?.sections), /Back soon/)
    const { rows } = await service.services.db.pool.query(
      `SELECT FROM checks c JOIN monitors m ON m.id = c.monitor_id WHERE m.team_id = $1`,
      [team.id],
    )
    assert.equal(rows.length, 0, 'no check is recorded')
    const [newest] = await team.owner.data(team.id, 'GET', '/audit-log')
    assert.equal(newest.action, 'diagnoseIncident')
  })

  it('is collected by itself once an incident has opened', async (t) => {
    const team = await people.team()
    const { port } = await startHttp(t, (_, response) => response.writeHead(500).end())
    const url = `http://127.0.0.1:${port}/`
    const monitor = { name: 'Shop', type: 'http', url, check_interval_minutes: 60 }
    await team.owner.data(team.id, 'POST', '/monitors', monitor)
    let shown: ShownDiagnosis | undefined
    await until('it is collected', async () => {
      const [incident] = await team.owner.data(team.id, 'GET', '/incidents')
      if (incident) shown = await diagnosis(team.id, team.viewer, incident.id)
      return shown?.state === 'done'
    })
    assert.match(shown?.found?.summary ?? '', /HTTP 500/)
  })

  it('says what changed since the target was seen to pass', async (t) => {
    const team = await people.team()
    let server = 'before/1'
    const { port } = await startHttp(t, (_, response) => {
      response.writeHead(server === 'before/1' ? 200 : 503, { Server: server }).end()
    })
    const url = `http://127.0.0.1:${port}/`
    const monitor = { name: 'Shop', type: 'http', url, check_interval_minutes: 60 }
    const { id } = await team.owner.data(team.id, 'POST', '/monitors', monitor)
    await until('its look is kept', async () => {
      const { rows } = await service.services.db.pool.query(
        'SELECT server FROM baselines WHERE team_id = $1 AND monitor_id = $2',
        [team.id, id],
      )
      return rows[0]?.server === 'before/1'
    })
    server = 'after/2'
    const incident = await addIncident(service.services.db, { team_id: team.id, monitor_id: id })
    await team.admin.data(team.id, 'POST', `/incidents/${incident}/diagnosis`)
    let shown: ShownDiagnosis | undefined
    await until('it is collected', async () => {
      shown = await diagnosis(team.id, team.viewer, incident)
      return shown.state === 'done'
    })
    const changes = shown?.found?.sections.find(({ name }) => name === 'changes')?.lines ?? []
    assert.ok(changes.includes('server: before/1 before, after/2 now'), changes.join('\n'))
  })

  it('is not collected for an incident that is over, or of another team, or too often', async () => {
    const [team, other] = [await people.team(), await people.team()]
    const incident = await incidentOf(team, 'http://127.0.0.1:1/')
    const path = `/incidents/${incident}/diagnosis`
    assert.equal((await other.owner.ask(other.id, 'POST', path)).status, 404)
    assert.equal((await other.owner.ask(other.id, 'GET', path)).status, 404)
    const statuses: number[] = []
    for (let count = 0; count <= DIAGNOSES_PER_MINUTE; count++)
      statuses.push((await team.owner.ask(team.id, 'POST', path)).status)
    assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429])
    await service.services.db.pool.query(`UPDATE team_incidents SET resolved_at = now() WHERE id = $1`, [
      incident,
    ])
    assert.equal((await team.owner.ask(team.id, 'POST', path)).status, 409)
  })

  it('is told as what it is of a monitor that was paused before', async () => {
    const team = await people.team()
    const incident = await incidentOf(team, 'http://127.0.0.1:1/')
    await changeRows(service.services.db, 'monitors', { team_id: team.id }, { is_active: false })
    await team.owner.data(team.id, 'POST', `/incidents/${incident}/diagnosis`)
    assert.equal((await diagnosis(team.id, team.viewer, incident)).state, 'paused')
  })
})

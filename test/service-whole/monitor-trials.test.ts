import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { TRIALS_PER_MINUTE, type Trial } from '../../src/core/probing/trial.ts'
import { startHttp } from '../support/servers/targets.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { type People, type Person, peopleOf, type Team } from '../support/services/people.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

const PATH = '/monitor-trials'

describe('a test of settings before they are saved', () => {
  let service: AskedService
  let people: People
  let team: Team
  before(async () => {
    service = await wholeService()
    people = peopleOf(service)
    team = await people.team()
  })

  const resultOf = (person: Person, id: number): Promise<Trial> =>
    person.data(team.id, 'GET', `${PATH}?id=${id}`)

  async function tried(settings: Record<string, unknown>, person = team.admin) {
    const body = { name: 'Shop', type: 'http', check_interval_minutes: 60, ...settings }
    const { id } = await person.data(team.id, 'POST', PATH, body)
    let trial: Trial | undefined
    await until('the test is done', async () => {
      trial = await resultOf(person, id)
      return trial.state === 'done'
    })
    return { id, check: trial?.check }
  }

  it('tells what a check finds, with the answer, and where it was made', async (t) => {
    const { port } = await startHttp(t, (request, response) => {
      response.writeHead(request.url === '/up' ? 200 : 503).end('Back soon')
    })
    const up = await tried({ url: `http://127.0.0.1:${port}/up` })
    assert.deepEqual(
      [up.check?.status, up.check?.region, up.check?.answer?.body.text],
      ['up', 'lon', 'Back soon'],
    )
    assert.ok(up.check?.phases)
    const down = await tried({ url: `http://127.0.0.1:${port}/down` })
    assert.deepEqual(
      [down.check?.status, down.check?.error_message, down.check?.answer?.body.text],
      ['down', 'HTTP 503 (expected 200)', 'Back soon'],
    )
  })

  it('leaves no monitor, check, incident or alert, and no settings once it is made', async (t) => {
    const { port } = await startHttp(t, (_, response) => response.writeHead(500).end())
    const secrets = { username: 'ada', password: 'secret word' }
    const { id } = await tried({ url: `http://127.0.0.1:${port}/`, ...secrets })
    const { rows } = await service.services.db.pool.query(
      `SELECT (SELECT count(*)::int FROM monitors WHERE team_id = $1) AS monitors,
         (SELECT count(*)::int FROM team_incidents WHERE team_id = $1) AS incidents,
         (SELECT count(*)::int FROM deliveries WHERE team_id = $1) AS deliveries,
         (SELECT settings FROM trial_checks WHERE id = $2) AS settings`,
      [team.id, id],
    )
    assert.deepEqual(rows, [{ monitors: 0, incidents: 0, deliveries: 0, settings: null }])
    const [newest] = await team.owner.data(team.id, 'GET', '/audit-log')
    assert.equal(newest.action, 'testMonitorSettings')
  })

  it('sends the stored password of the monitor that is being changed, or the one that was typed', async (t) => {
    const sent: (string | undefined)[] = []
    const { port } = await startHttp(t, (request, response) => {
      sent.push(request.headers.authorization)
      response.end()
    })
    const settings = { url: `http://127.0.0.1:${port}/`, username: 'ada' }
    const monitor = { name: 'Shop', type: 'http', check_interval_minutes: 60, is_active: false }
    const stored = { ...monitor, ...settings, password: 'stored' }
    const { id } = await team.owner.data(team.id, 'POST', '/monitors', stored)
    await tried({ ...settings, monitor_id: id })
    await tried({ ...settings, monitor_id: id, password: 'typed' })
    await tried({ ...settings, username: null, monitor_id: id })
    const basic = (password: string) => `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`
    assert.deepEqual(sent, [basic('stored'), basic('typed'), undefined])
    await team.owner.data(team.id, 'DELETE', `/monitors/${id}`)
    const gone = { ...monitor, ...settings, monitor_id: id }
    assert.equal((await team.admin.ask(team.id, 'POST', PATH, gone)).status, 404)
  })

  it('is for people who may change monitors, and its result for the one who asked', async (t) => {
    const { port } = await startHttp(t, (_, response) => response.end())
    const body = { name: 'Shop', type: 'http', check_interval_minutes: 60, url: `http://127.0.0.1:${port}/` }
    assert.equal((await team.viewer.ask(team.id, 'POST', PATH, body)).status, 403)
    const { id } = await tried(body)
    assert.equal((await resultOf(team.owner, id)).state, 'gone')
    assert.equal((await team.viewer.ask(team.id, 'GET', `${PATH}?id=${id}`)).status, 403)
  })

  it('refuses what saving would refuse, and a heartbeat, and too many', async () => {
    const { id, owner } = await people.team()
    const body = { name: 'Shop', type: 'http', check_interval_minutes: 60 }
    const post = (changes: object) => owner.ask(id, 'POST', PATH, { ...body, ...changes })
    assertInvalid(await post({ url: 'http://169.254.169.254/' }), ['url'])
    assertInvalid(await post({ url: 'ftp://localhost/' }), ['url'])
    assertInvalid(await post({ type: 'heartbeat' }), ['type'])
    const statuses = []
    for (let count = 0; count <= TRIALS_PER_MINUTE; count++) {
      statuses.push((await post({ url: 'http://127.0.0.1:9/' })).status)
    }
    assert.deepEqual([statuses[0], statuses.at(-1)], [201, 429])
  })
})

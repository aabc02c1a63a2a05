// npm test leaves this out: it fills teams of every plan to their limits (hundreds of requests, seconds of a core).
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Recorder } from '../../../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../../../src/engine/recording/recorder.ts'
import { addMember, removeMember, setPlan } from '../../../../../src/operations/accounts/operator-accounts.ts'
import { restoreMonitor } from '../../../../../src/operations/monitors/restore-monitor.ts'
import {
  CHECK_FIELDS,
  INCIDENT_FIELDS,
  MONITORS,
  TEAM_FIELDS,
} from '../../../../support/services/api-bodies.ts'
import { type ApiClient, apiClient } from '../../../../support/services/api-client.ts'
import { assertInvalid, assertProblem } from '../../../../support/services/api-problems.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { documentedFetch } from '../../../../support/services/documented.ts'

/** The plans of the product page, section 4. */
const PLANS = {
  free: [10, 5, 300, 3],
  starter: [50, 1, 60, 30],
  pro: [200, 1, 30, 90],
  business: [null, 1, 1, null],
} as const

describe('a team and its plan', () => {
  let service: AskedService
  let recorder: Recorder

  before(async () => {
    service = await apiService()
    recorder = createRecorder(service.services.db, () => {})
  })
  after(async () => {
    await recorder?.close()
  })

  const add = (api: ApiClient, body: object = {}) => api.post('/monitors', { ...MONITORS.http, ...body })
  const teamOf = async (api: ApiClient) => (await api.get('/team')).body.data
  const newTeam = async (plan: keyof typeof PLANS = 'free') => {
    const { id } = await service.createTeam(plan)
    return { id, api: apiClient(service, id) }
  }
  const fill = async (api: ApiClient, count: number) => {
    const ids: number[] = []
    for (let i = 0; i < count; i++) ids.push((await add(api)).body.data.id)
    return ids
  }
  /** Writes the result of a check as the service does. */
  const check = (monitorId: number, status: 'up' | 'down', errorMessage: string | null) =>
    recorder.record({
      monitorId,
      revision: null,
      checkedAt: new Date(),
      region: null,
      result: {
        status,
        responseTimeMs: 5,
        httpStatusCode: null,
        errorMessage,
        phases: null,
        certificate: null,
      },
      heartbeat: null,
      ping: null,
    })

  for (const [plan, limits] of Object.entries(PLANS)) {
    it(`shows the limits of the plan ${plan}, its fields in order`, async () => {
      const team = await service.createTeam(plan as keyof typeof PLANS)
      const { status, body } = await service.call(team.viewer, 'GET', '/team')
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body), ['data'])
      assert.deepEqual(Object.keys(body.data), TEAM_FIELDS)
      const { created_at, name, ...rest } = body.data
      assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      assert.match(name, /^Team \d+$/)
      const [max_monitors, min_interval_minutes, min_interval_seconds, check_history_days] = limits
      assert.deepEqual(rest, {
        id: team.id,
        plan,
        max_monitors,
        monitors_count: 0,
        can_add_monitor: true,
        min_interval_minutes,
        min_interval_seconds,
        check_history_days,
        members_count: 3,
        notification_contacts_count: 1,
      })
    })
  }

  it('counts monitors, contacts and members as they come and go', async () => {
    const { id, api } = await newTeam('business')
    const counts = async () => {
      const { monitors_count, notification_contacts_count, members_count } = await teamOf(api)
      return [monitors_count, notification_contacts_count, members_count]
    }
    const [, , members] = await counts()
    const [first] = await fill(api, 2)
    await add(api, { is_active: false })
    const contact = await api.post('/notification-contacts', {
      name: 'A',
      type: 'email',
      config: { email: 'a@example.com' },
    })
    assert.deepEqual(await counts(), [3, 2, members])
    await api.delete(`/monitors/${first}`)
    await api.delete(`/notification-contacts/${contact.body.data.id}`)
    await service.createToken(id, 'viewer')
    assert.deepEqual(await counts(), [2, 1, members + 1])
  })

  it('refuses one monitor too many with exactly these members, after validation', async () => {
    const { api } = await newTeam()
    await fill(api, 9)
    assert.equal((await teamOf(api)).can_add_monitor, true)
    await add(api, { is_active: false })
    assert.equal((await teamOf(api)).can_add_monitor, false)
    const refused = await add(api)
    assertProblem(refused, 402, service.services.docsUrl)
    assert.deepEqual(Object.keys(refused.body), ['type', 'title', 'status', 'detail', 'plan', 'max_monitors'])
    const { detail, plan, max_monitors } = refused.body
    assert.deepEqual([typeof detail, plan, max_monitors], ['string', 'free', 10])
    assertInvalid(await add(api, { name: '' }), ['name'])
    assertInvalid(await add(api, { notification_contact_ids: [2_147_483_647] }), [
      'notification_contact_ids.0',
    ])
    assert.equal((await teamOf(api)).monitors_count, 10)
  })

  it('counts paused monitors, and not deleted ones', async () => {
    const { api } = await newTeam()
    const ids = await fill(api, 10)
    for (const id of ids) assert.equal((await api.post(`/monitors/${id}/toggle`)).body.data.is_active, false)
    assertProblem(await add(api), 402)
    await api.delete(`/monitors/${ids[0]}`)
    assert.equal((await add(api)).status, 201)
    assertProblem(await add(api), 402)
  })

  it('gives the last place to one of several that ask at once', async () => {
    const { id: teamId, api } = await newTeam()
    await fill(api, 9)
    // Members of their own: one user's requests wait for each other at the rate limit.
    const tokens = await Promise.all(Array.from({ length: 8 }, () => service.createToken(teamId, 'admin')))
    for (let round = 0; round < 6; round++) {
      const asked = tokens.map((token) => service.call(token, 'POST', '/monitors', MONITORS.http))
      const answers = await Promise.all(asked)
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(402)])
      assert.equal((await teamOf(api)).monitors_count, 10)
      const created = answers.find(({ status }) => status === 201)
      await api.delete(`/monitors/${created?.body.data.id}`)
    }
  })

  it('takes nothing away after a downgrade, and adds nothing', async () => {
    const { id, api } = await newTeam('business')
    const fast = await add(api, { check_interval_minutes: 1, check_interval_seconds: 5 })
    const ids = await fill(api, 11)
    await setPlan(service.services, id, 'free')
    const team = await teamOf(api)
    assert.deepEqual(
      [team.plan, team.max_monitors, team.monitors_count, team.can_add_monitor],
      ['free', 10, 12, false],
    )
    assert.deepEqual((await api.get(`/monitors/${fast.body.data.id}`)).body, fast.body)
    assert.equal((await api.get('/monitors')).body.meta.total, 12)
    assert.equal((await api.patch(`/monitors/${ids[0]}`, { name: 'Still mine' })).status, 200)
    for (let i = 0; i < 2; i++) assert.equal((await api.post(`/monitors/${ids[0]}/toggle`)).status, 200)
    assertProblem(await add(api), 402)
    for (const gone of ids.slice(0, 3)) await api.delete(`/monitors/${gone}`)
    assert.equal((await add(api)).status, 201)
  })

  it('refuses the token of a member who has left, and takes it again when they are back', async () => {
    const { id } = await newTeam()
    const { email, token } = await service.createMember(id, 'admin')
    const ask = () => service.call(token, 'GET', '/team')
    assert.equal((await ask()).status, 200)
    await removeMember(service.services, { team: id, email })
    assertProblem(await ask(), 403)
    await addMember(service.services, { team: id, email, role: 'viewer' })
    assert.equal((await ask()).status, 200)
    assertProblem(await service.call(token, 'POST', '/monitors', MONITORS.http), 403)
  })

  it('keeps a deleted monitor out of everything until it is restored, with history and contacts', async () => {
    const { id: teamId, api } = await newTeam()
    const contact = (await api.get('/notification-contacts')).body.data[0]
    const created = await add(api, { notification_contact_ids: [contact.id], password: 'p', username: 'u' })
    const { id } = created.body.data
    const path = `/monitors/${id}`
    await check(id, 'down', 'HTTP 503 (expected 200)')

    const down = (await api.get(path)).body.data
    assert.deepEqual([down.status, down.open_incident.cause], ['down', 'HTTP 503 (expected 200)'])
    assert.deepEqual(Object.keys(down.open_incident), INCIDENT_FIELDS)
    const [incident] = (await api.get('/incidents')).body.data
    assert.deepEqual(incident, down.open_incident)
    assert.deepEqual(
      [incident.resolved, incident.resolved_at, incident.duration_seconds],
      [false, null, null],
    )
    const checks = (await api.get(`${path}/checks`)).body
    assert.deepEqual(Object.keys(checks.data[0]), CHECK_FIELDS)

    const deleted = await api.delete(path)
    assert.deepEqual([deleted.status, deleted.body], [204, null])
    for (const [method, gone] of [
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
      ['POST', `${path}/toggle`],
      ['GET', `${path}/checks`],
      ['GET', `${path}/incidents`],
    ] as const) {
      assertProblem(await api.send(method, gone), 404)
    }
    assert.deepEqual((await api.get('/monitors')).body.data, [])
    assert.deepEqual((await api.get('/incidents')).body.data, [])

    const restored = await restoreMonitor(service.services, id)
    const expected = { ...down, status: 'pending', open_incident: null }
    assert.deepEqual(restored, expected)
    assert.deepEqual((await api.get(path)).body.data, expected)
    assert.deepEqual((await api.get('/monitors')).body.data, [expected])
    assert.deepEqual((await api.get(`${path}/checks`)).body, checks)
    const incidents = (await api.get(`${path}/incidents`)).body.data
    assert.deepEqual((await api.get('/incidents')).body.data, incidents)
    assert.equal(incidents.length, 1)
    const { resolved_at, duration_seconds, ...rest } = incidents[0]
    assert.deepEqual(rest, {
      id: incident.id,
      started_at: incident.started_at,
      cause: incident.cause,
      resolved: true,
    })
    assert.ok(resolved_at >= incident.started_at && duration_seconds >= 0)
    await assert.rejects(restoreMonitor(service.services, id), /no deleted monitor/)
    await assert.rejects(restoreMonitor(service.services, 2_147_483_647), /no deleted monitor/)
    assert.equal((await teamOf(api)).id, teamId)
  })

  it('stops the ping URL of a deleted heartbeat, and brings the same one back', async () => {
    const { api } = await newTeam()
    const { data } = (await api.post('/monitors', MONITORS.heartbeat)).body
    const ping = async () => (await documentedFetch(`${service.url}/ping/${data.heartbeat_token}`)).status
    assert.equal(await ping(), 204)
    await api.delete(`/monitors/${data.id}`)
    assert.equal(await ping(), 404)
    const restored = await restoreMonitor(service.services, data.id)
    assert.deepEqual([restored.heartbeat_token, restored.status], [data.heartbeat_token, 'pending'])
    assert.equal(await ping(), 204)
    assert.equal((await api.get(`/monitors/${data.id}`)).body.data.status, 'up')
  })

  it('restores nothing over the limit of the plan', async () => {
    const { api } = await newTeam()
    const ids = await fill(api, 10)
    await api.delete(`/monitors/${ids[0]}`)
    await add(api)
    await assert.rejects(restoreMonitor(service.services, ids[0] ?? 0), { code: 'monitorLimitReached' })
    assertProblem(await api.get(`/monitors/${ids[0]}`), 404)
    await api.delete(`/monitors/${ids[1]}`)
    assert.equal((await restoreMonitor(service.services, ids[0] ?? 0)).id, ids[0])
    assertProblem(await add(api), 402)
  })
})

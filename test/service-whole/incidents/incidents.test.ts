import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type {
  IncidentRow,
  IncidentStory,
  SubjectIncidentStory,
} from '../../../src/core/monitors/incident-story.ts'
import type { KeptAnswer } from '../../../src/core/probing/failing-answer.ts'
import { addIncident } from '../../support/records/history.ts'
import { ago } from '../../support/records/rows.ts'
import { raiseIds } from '../../support/records/sequences.ts'
import { startSwitchTarget } from '../../support/servers/switch-target.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type SignedIn, signIn } from '../../support/services/signed-in.ts'
import { SELDOM, type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { wholeService } from '../../support/services/whole-service.ts'

const BEYOND_32_BITS = 9_000_000_000
const DAY_MS = 24 * 3_600_000

describe('incidents', () => {
  let service: AskedService
  let client: TeamClient
  let person: SignedIn

  before(async () => {
    service = await wholeService()
    await raiseIds(service, 'team_incidents', BEYOND_32_BITS)
    client = await teamClient(service)
    person = await signIn(service, client.teamId)
  })

  const storyOf = async (id: number): Promise<IncidentStory> =>
    (await person.ask('GET', `/incidents/${id}`)).data

  it('tell of the checks before, of those that failed, and of the one that ended it', async (t) => {
    const target = await startSwitchTarget(t)
    const { id } = await client.monitor({ ...SELDOM, name: 'Shop', url: target.url })
    await client.untilJudged(id)
    await client.checkNow(id)
    target.status = 503
    await client.checkNow(id)
    const down = await client.untilStatus(id, 'down')
    const incidentId = down.open_incident?.id ?? 0
    assert.ok(incidentId > BEYOND_32_BITS)
    const open = await storyOf(incidentId)
    const lastJudged = open.checks.findLast(({ status }) => status !== 'pending')
    assert.deepEqual(
      [open.incident.resolved, open.monitor.status, lastJudged?.status],
      [false, 'down', 'down'],
    )
    assert.equal(open.monitor.status_since, open.incident.started_at)
    const { data: answers }: { data: KeptAnswer[] } = await person.ask(
      'GET',
      `/incidents/${incidentId}/answers`,
    )
    assert.deepEqual(
      answers.map(({ checked_at, answer }) => [checked_at, answer.status_line]),
      [[open.incident.started_at, 'HTTP/1.1 503 Service Unavailable']],
    )
    await client.checkNow(id)
    await client.checkNow(id)
    const at = encodeURIComponent((await storyOf(incidentId)).checks.at(-1)?.checked_at ?? '')
    const kept: KeptAnswer = (await person.ask('GET', `/monitors/${id}/failing-answer?at=${at}`)).data
    assert.equal(kept.checked_at, open.incident.started_at, 'the same answer is not kept again')
    const early = encodeURIComponent('2026-01-01T00:00:00Z')
    assert.equal((await person.ask('GET', `/monitors/${id}/failing-answer?at=${early}`)).data, null)
    target.status = 200
    await client.checkNow(id)
    const story = await storyOf(incidentId)
    assert.deepEqual(story.monitor, {
      id,
      name: 'Shop',
      type: 'http',
      target: target.url,
      status: 'up',
      is_active: true,
      status_since: story.incident.resolved_at,
    })
    const [incident] = await client.incidents(id)
    assert.deepEqual(story.incident, incident)
    const { started_at, resolved_at } = story.incident
    const within = story.checks.filter(
      ({ checked_at }) => checked_at >= started_at && checked_at <= (resolved_at ?? ''),
    )
    const before = story.checks.slice(0, story.checks.length - within.length)
    assert.ok(before.length >= 1 && before.length <= 5)
    assert.deepEqual([within[0]?.checked_at, within.at(-1)?.checked_at], [started_at, resolved_at])
    const statuses = [before, within.slice(0, -1), within.slice(-1)].map(
      // On a machine that is too busy a check may say that instead.
      (part) => new Set(part.map(({ status }) => status).filter((status) => status !== 'pending')),
    )
    assert.deepEqual(statuses, [new Set(['up']), new Set(['down']), new Set(['up'])])
    assert.equal(within[0]?.error_message, 'HTTP 503 (expected 200)')
    assert.ok(within[0]?.phases && within[0].phases.first_byte_ms !== null)
    assert.equal(story.checks_left_out, 0)
    assert.deepEqual(
      story.deliveries.map(({ event, incident_id }) => [event, incident_id]),
      [
        ['monitor.down', incidentId],
        ['monitor.recovery', incidentId],
      ],
    )
    await client.data('DELETE', `/monitors/${id}`)
    assert.equal((await person.send('GET', `/incidents/${incidentId}`)).status, 404, 'as the list does')
  })

  it('of long ago are told within what the plan shows', async () => {
    const free = await teamClient(service, 'free')
    const viewer = await signIn(service, free.teamId, 'viewer')
    const { id } = await free.monitor({
      type: 'heartbeat',
      is_active: false,
      check_interval_minutes: 5,
      check_interval_seconds: null,
    })
    const startedAt = new Date(Date.now() - 4 * DAY_MS)
    const incidentId = await addIncident(service.services.db, {
      team_id: free.teamId,
      monitor_id: id,
      started_at: startedAt,
      resolved_at: new Date(startedAt.getTime() + DAY_MS),
      cause: 'old',
    })
    const path = `/incidents/${incidentId}`
    const { data } = await viewer.ask('GET', path)
    assert.deepEqual([data.incident.cause, data.checks, data.checks_left_out], ['old', [], 0])
    assert.equal((await person.send('GET', path)).status, 404, 'another team')
  })

  it('are listed newest first, by state and monitor, page by page', async () => {
    const team = await teamClient(service)
    const owner = await signIn(service, team.teamId)
    const monitors = [
      await team.monitor({ name: 'A', type: 'heartbeat', is_active: false }),
      await team.monitor({ name: 'B', type: 'heartbeat', is_active: false }),
    ] as const
    for (let number = 1; number <= 12; number++) {
      const startedAt = ago(number * 60_000)
      await addIncident(service.services.db, {
        team_id: team.teamId,
        monitor_id: monitors[number % 2 === 0 ? 0 : 1].id,
        started_at: startedAt,
        resolved_at: number > 2 ? new Date(startedAt.getTime() + 7_000) : null,
      })
    }
    const list = async (query: string): Promise<{ data: IncidentRow[]; meta: { total: number } }> =>
      owner.ask('GET', `/incident-rows${query}`)
    const all = await list('')
    const starts = all.data.map(({ started_at }) => started_at)
    assert.deepEqual(starts, starts.toSorted().reverse())
    assert.deepEqual(
      all.data.map((row) => [row.subject_name, row.resolved, row.duration_seconds]).slice(0, 3),
      [
        ['B', false, null],
        ['A', false, null],
        ['B', true, 7],
      ],
    )
    const filters: [query: string, accept: (row: IncidentRow) => boolean][] = [
      ['?state=open', ({ resolved }) => !resolved],
      ['?state=resolved', ({ resolved }) => resolved],
      [`?monitor=${monitors[0].id}`, ({ subject_id }) => subject_id === monitors[0].id],
      [
        `?monitor=${monitors[1].id}&state=open`,
        (row) => row.subject_id === monitors[1].id && row.resolved === false,
      ],
    ]
    for (const [query, accept] of filters) {
      const { data, meta } = await list(query)
      const expected = all.data.filter(accept)
      assert.ok(expected.length > 0)
      assert.deepEqual([data, meta.total], [expected, expected.length], query)
    }
    assert.deepEqual((await list('?page=2&per_page=5')).data, all.data.slice(5, 10))
    assert.deepEqual((await list('?page=7')).data, [])
    assert.deepEqual((await person.ask('GET', `/incident-rows?monitor=${monitors[0].id}`)).data, [])
    for (const query of ['state=closed', 'monitor=x', 'page=0']) {
      const { status, body } = await owner.send('GET', `/incident-rows?${query}`)
      assert.deepEqual([status, Object.keys(body.errors)], [422, [query.split('=')[0]]])
    }
    await team.data('DELETE', `/monitors/${monitors[0].id}`)
    assert.equal((await list('')).meta.total, 6, "a deleted monitor's leave the list")
  })

  it('of monitors, servers and sites are one list, by kind, subject, time and words', async () => {
    const { db } = service.services
    const team = await teamClient(service)
    const owner = await signIn(service, team.teamId)
    const make = async (path: string, body: object) => (await owner.ask('POST', path, body)).data.id as number
    const monitor = await team.monitor({ name: 'Shop', type: 'heartbeat', is_active: false })
    const server = await make('/servers', { name: 'Rack' })
    const site = await make('/sites', { name: 'Blog', url: 'https://blog.example.com/', is_active: false })
    const other = await make('/servers', { name: 'Other rack' })
    const HOUR_MS = 3_600_000
    await addIncident(db, {
      ...{ team_id: team.teamId, monitor_id: monitor.id, cause: 'HTTP 503 (expected 200)' },
      ...{ started_at: ago(5 * HOUR_MS), resolved_at: ago(4 * HOUR_MS) },
    })
    const ofServer = { team_id: team.teamId, server_id: server, about: 'disk_space:/', warns_only: true }
    const processes = [{ name: 'postgres', cpu_percent: 90, memory_percent: null }]
    const onServer = await addIncident(db, {
      ...{ ...ofServer, cause: '/ is 93 % full (limit 90 %)', started_at: ago(3 * HOUR_MS) },
      processes: JSON.stringify(processes),
    })
    await addIncident(db, {
      ...{ ...ofServer, server_id: other, warns_only: false, about: 'silent', cause: 'no report' },
      started_at: ago(2 * HOUR_MS),
    })
    const onSite = await addIncident(db, {
      ...{ team_id: team.teamId, site_id: site, about: 'dns', cause: 'no such host' },
      started_at: ago(HOUR_MS),
    })
    const list = async (query: string): Promise<[IncidentRow[], total: number]> => {
      const { data, meta } = await owner.ask('GET', `/incident-rows?${query}`)
      return [data, meta.total]
    }
    const [all] = await list('')
    assert.deepEqual(
      all.map((row) => [row.kind, row.subject_name, row.about, row.warns_only, row.resolved]),
      [
        ['site', 'Blog', 'dns', false, false],
        ['server', 'Other rack', 'silent', false, false],
        ['server', 'Rack', 'disk_space:/', true, false],
        ['monitor', 'Shop', null, false, true],
      ],
    )
    const cases: [query: string, names: string[]][] = [
      ['kind=server', ['Other rack', 'Rack']],
      [`server=${server}`, ['Rack']],
      [`site=${site}`, ['Blog']],
      [`server=${server}&kind=site`, []],
      [`server=${server}&site=${site}`, []],
      ['search=RACK', ['Other rack', 'Rack']],
      ['search=503', ['Shop']],
      ['search=%25', ['Rack']],
      ['state=resolved', ['Shop']],
      [`to=${ago(4.5 * HOUR_MS).toISOString()}`, ['Shop']],
      // Incidents that lasted then, and those that began later.
      [`from=${ago(4.5 * HOUR_MS).toISOString()}`, ['Blog', 'Other rack', 'Rack', 'Shop']],
      [`from=${ago(3.5 * HOUR_MS).toISOString()}&to=${ago(2.5 * HOUR_MS).toISOString()}`, ['Rack']],
      ['per_page=2&page=2', ['Rack', 'Shop']],
    ]
    for (const [query, names] of cases) {
      const [rows, total] = await list(query)
      assert.deepEqual(
        rows.map(({ subject_name }) => subject_name),
        names,
        query,
      )
      if (!query.includes('page=')) assert.equal(total, names.length, query)
    }
    const tell = async (path: string): Promise<SubjectIncidentStory> => (await owner.ask('GET', path)).data
    const story = await tell(`/server-incidents/${onServer}`)
    assert.deepEqual([story.incident, story.processes, story.deliveries], [all[2], processes, []])
    assert.deepEqual((await tell(`/site-incidents/${onSite}`)).incident, all[0])
    for (const path of [`/server-incidents/${onServer}`, `/site-incidents/${onSite}`]) {
      assert.equal((await person.send('GET', path)).status, 404, 'another team')
    }
    await owner.ask('DELETE', `/servers/${server}`)
    assert.deepEqual((await list('search=rack'))[1], 1, "a deleted server's leave the list")
    assert.equal((await owner.send('GET', `/server-incidents/${onServer}`)).status, 404)
  })
})

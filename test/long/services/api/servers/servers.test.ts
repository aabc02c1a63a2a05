// npm test leaves this out: it sends every setting of servers, right and wrong (hundreds of requests, seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { allOperations } from '../../../../../src/contract/contract.ts'
import type { Operation } from '../../../../../src/contract/operation.ts'
import { DEFAULT_THRESHOLDS } from '../../../../../src/core/servers/condition.ts'
import { type Trends, withReport } from '../../../../../src/core/servers/disk-trend.ts'
import type { Machine } from '../../../../../src/core/servers/machine-report.ts'
import {
  ServerDetail,
  ServerIncident,
  ServerInstall,
  ServerRow,
} from '../../../../../src/core/servers/shown-server.ts'
import { setPlan } from '../../../../../src/operations/accounts/operator-accounts.ts'
import { hashServerToken } from '../../../../../src/store/servers/recording.ts'
import { addIncident } from '../../../../support/records/history.ts'
import { changeRows, countRows } from '../../../../support/records/rows.ts'
import { CONTACTS } from '../../../../support/services/api-bodies.ts'
import { assertInvalid, assertProblem } from '../../../../support/services/api-problems.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { type People, peopleOf, type Team } from '../../../../support/services/people.ts'

const PATH = '/servers'
const NOBODYS = 2_147_483_647
const REPORTED_AT = new Date('2026-11-22T10:00:00.000Z')

const MACHINE: Machine = {
  source: 'agent',
  host_name: 'web-1',
  os: 'Debian GNU/Linux 13 (trixie)',
  kernel: '6.12.1',
  architecture: 'x86_64',
  cpus: 4,
  machine_id: 'a',
  boot_id: 'b',
  agent_version: '1',
}
const LATEST = {
  cpu_percent: 12.5,
  load_5: 3,
  memory_total_bytes: 8_000_000,
  memory_available_bytes: 2_000_000,
  uptime_seconds: 60,
  'file_system_used_percent:/': 40,
  'file_system_used_percent:/var': 91.5,
}

describe('servers', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  const data = async ({ id, owner }: Team, method: string, path: string, body?: object) =>
    ServerDetail.parse(await owner.data(id, method, `${PATH}${path}`, body))
  const create = (team: Team, body: object = {}) => data(team, 'POST', '', { name: 'Web', ...body })
  const listed = async (team: Team): Promise<ServerRow[]> =>
    (await team.viewer.data(team.id, 'GET', PATH)).map((row: unknown) => ServerRow.parse(row))
  const install = async ({ id, admin }: Team, server: number) =>
    ServerInstall.parse(await admin.data(id, 'GET', `${PATH}/${server}/install`))
  const contactOf = async ({ id, owner }: Team, body: object = {}): Promise<number> =>
    (await owner.data(id, 'POST', '/notification-contacts', { ...CONTACTS.slack, ...body })).id
  const hold = (server: number, state: object) =>
    changeRows(service.services.db, 'server_state', { server_id: server }, state)
  const openIncident = (team: Team, server: number, condition: string, warnsOnly = false) =>
    addIncident(service.services.db, {
      ...{ team_id: team.id, server_id: server, about: condition, warns_only: warnsOnly },
      ...{ started_at: REPORTED_AT, cause: `${condition} is bad` },
    })
  const stateOf = (server: number) =>
    service.services.db.query
      .selectFrom('server_state')
      .selectAll()
      .where('server_id', '=', server)
      .executeTakeFirstOrThrow()

  it('come back as they were sent, and wait for their first report', async () => {
    const team = await people.team()
    const thresholds = { cpu: { is_on: true, warns_only: false, enter: 95, leave: 70, minutes: 5 } }
    const settings = { name: 'Web', is_active: true, thresholds, contact_ids: [await contactOf(team)] }
    const made = await create(team, settings)
    assert.deepEqual(made.settings, settings)
    assert.deepEqual(made.thresholds, { ...DEFAULT_THRESHOLDS, ...thresholds })
    assert.deepEqual(
      [made.status, made.last_report_at, made.machine, made.latest],
      ['pending', null, null, {}],
    )
    assert.deepEqual(await data(team, 'GET', `/${made.id}`), made)
    assert.deepEqual(await listed(team), [ServerRow.parse(made)])
    const changed = { ...settings, name: 'Mail', thresholds: {}, contact_ids: [] }
    assert.deepEqual((await data(team, 'PATCH', `/${made.id}`, changed)).settings, changed)
    assert.deepEqual((await data(team, 'PATCH', `/${made.id}`, {})).settings, changed)
    assert.deepEqual((await data(team, 'PATCH', `/${made.id}`, { name: 'Web' })).settings, {
      ...changed,
      name: 'Web',
    })
  })

  it('are listed by name, with the figures of the newest report and why they are not up', async () => {
    const team = await people.team()
    for (const name of ['b', 'C', 'a']) await create(team, { name })
    const [first] = await listed(team)
    assert.ok(first)
    await hold(first.id, {
      ...{ status: 'down', last_report_at: REPORTED_AT, machine: JSON.stringify(MACHINE) },
      latest: JSON.stringify(LATEST),
    })
    await openIncident(team, first.id, 'cpu', true)
    await openIncident(team, first.id, 'disk_space:/var')
    const rows = await listed(team)
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['a', 'b', 'C'],
    )
    const { status_since, ...row } = rows[0] as ServerRow
    assert.deepEqual(row, {
      id: first.id,
      name: 'a',
      host_name: 'web-1',
      status: 'down',
      is_active: true,
      last_report_at: '2026-11-22T10:00:00.000000Z',
      cpu_percent: 12.5,
      memory_used_percent: 75,
      fullest: { mount: '/var', used_percent: 91.5 },
      load_per_cpu: 0.75,
      flapping_since: null,
      causes: ['disk_space:/var is bad', 'cpu is bad'],
      tags: [],
    })
    const detail = await data(team, 'GET', `/${first.id}`)
    assert.deepEqual([ServerRow.parse(detail), detail.machine, detail.latest], [rows[0], MACHINE, LATEST])
  })

  it('say when each file system is full', async () => {
    const team = await people.team()
    const { id } = await create(team)
    const key = 'file_system_used_percent:/var'
    const now = service.services.databaseNow().getTime()
    let trends: Trends | null = null
    for (let minute = -360; minute <= 0; minute += 10) {
      trends = withReport(trends, { [key]: 80 + minute / 60 }, new Date(now + minute * 60_000))
    }
    const latest = JSON.stringify({ ...LATEST, [key]: 80 })
    await hold(id, { latest, trends: JSON.stringify(trends), last_report_at: new Date(now) })
    const [root, varied] = (await data(team, 'GET', `/${id}`)).full_at
    assert.deepEqual(root, { mount: '/', at: null })
    const hours = (Date.parse(varied?.at ?? '') - now) / 3_600_000
    assert.equal(varied?.mount, '/var')
    assert.ok(hours > 16 && hours < 24, `20 % are left at 1 % an hour, got ${hours} h`)
  })

  for (const [what, fields, body] of [
    ['no name', ['name'], {}],
    ['an unknown condition', ['thresholds.weather'], { name: 'Web', thresholds: { weather: {} } }],
    [
      'a level to leave on the wrong side',
      ['thresholds.disk_space.leave', 'thresholds.memory.leave'],
      {
        name: 'Web',
        thresholds: {
          disk_space: { ...DEFAULT_THRESHOLDS.disk_space, leave: 95 },
          memory: { ...DEFAULT_THRESHOLDS.memory, leave: 5 },
        },
      },
    ],
    [
      'silence that one lost report makes',
      ['thresholds.silent.seconds'],
      { name: 'Web', thresholds: { silent: { is_on: true, warns_only: false, seconds: 60 } } },
    ],
    ['a contact of nobody', ['contact_ids.0'], { name: 'Web', contact_ids: [NOBODYS] }],
  ] as const) {
    it(`are refused with ${what}, new and changed`, async () => {
      const team = await people.team()
      assertInvalid(await team.owner.ask(team.id, 'POST', PATH, body), [...fields])
      if (fields[0] === 'name') return
      const { id } = await create(team)
      assertInvalid(await team.owner.ask(team.id, 'PATCH', `${PATH}/${id}`, body), [...fields])
    })
  }

  it('have a secret address, which no viewer sees, and which changes at once', async () => {
    const team = await people.team()
    const { id } = await create(team)
    const first = await install(team, id)
    assert.match(first.address, /^http.*\/server\/[0-9a-f-]{36}$/)
    assertProblem(await team.viewer.ask(team.id, 'GET', `${PATH}/${id}/install`), 403)
    assertProblem(await team.viewer.ask(team.id, 'POST', `${PATH}/${id}/token`), 403)
    const next = ServerInstall.parse(await team.owner.data(team.id, 'POST', `${PATH}/${id}/token`))
    assert.notEqual(next.address, first.address)
    assert.deepEqual(await install(team, id), next)
    const known = ({ address }: ServerInstall) =>
      countRows(service.services.db, 'servers', { token_hash: hashServerToken(address.slice(-36)) })
    assert.deepEqual([await known(first), await known(next)], [0, 1])
  })

  it('are as many as the plan allows; deleted ones do not count', async () => {
    const team = await people.team()
    await setPlan(service.services, team.id, 'free')
    const [{ id }] = [await create(team, { is_active: false }), await create(team), await create(team)]
    const { status, body } = await team.owner.ask(team.id, 'POST', PATH, { name: 'One more' })
    assert.deepEqual(
      [status, body.title, body.plan, body.max_servers],
      [402, 'Plan limit reached', 'free', 3],
    )
    const list = await team.viewer.ask(team.id, 'GET', PATH)
    assert.partialDeepStrictEqual(list.body.meta, { servers: 3, max_servers: 3, total: 3 })
    await team.owner.data(team.id, 'DELETE', `${PATH}/${id}`)
    await create(team)
  })

  it('that are paused are judged no longer, and have their time of silence again when they go on', async () => {
    const team = await people.team()
    const { id } = await create(team)
    const was = { status: 'down' as const, last_report_at: REPORTED_AT, silent_at: REPORTED_AT }
    await hold(id, { ...was, counters: '{}', conditions: '[{}]' })
    await openIncident(team, id, 'silent')
    const paused = await data(team, 'PATCH', `/${id}`, { is_active: false })
    assert.deepEqual([paused.status, paused.causes, paused.conditions], ['pending', [], []])
    const { silent_at, counters } = await stateOf(id)
    assert.deepEqual([silent_at, counters], [null, null])
    const changes = () =>
      countRows(service.services.db, 'subject_status_changes', { kind: 'server', subject_id: id })
    assert.equal(await changes(), 1)
    const before = service.services.databaseNow()
    await data(team, 'PATCH', `/${id}`, { is_active: true })
    const silentAt = (await stateOf(id)).silent_at
    assert.ok(silentAt && silentAt.getTime() >= before.getTime() + 180_000, String(silentAt))
    assert.equal(await changes(), 1)
  })

  it('are silent by the newest limit, counted from their last report', async () => {
    const team = await people.team()
    const { id } = await create(team)
    const limit = (seconds: number, is_on = true) =>
      data(team, 'PATCH', `/${id}`, { thresholds: { silent: { is_on, warns_only: false, seconds } } })
    await limit(300)
    assert.equal((await stateOf(id)).silent_at, null)
    await hold(id, { last_report_at: REPORTED_AT })
    await limit(600)
    assert.deepEqual((await stateOf(id)).silent_at, new Date(REPORTED_AT.getTime() + 600_000))
    await limit(600, false)
    assert.equal((await stateOf(id)).silent_at, null)
  })

  it('that are deleted are gone, with their address, incidents resolved and no alert', async () => {
    const team = await people.team()
    const { id } = await create(team)
    await openIncident(team, id, 'silent')
    await team.admin.data(team.id, 'DELETE', `${PATH}/${id}`)
    assert.deepEqual(await listed(team), [])
    assertProblem(await team.owner.ask(team.id, 'GET', `${PATH}/${id}`), 404)
    assert.deepEqual(await team.owner.data(team.id, 'GET', '/server-incidents'), [])
    assert.equal(await countRows(service.services.db, 'deliveries', { team_id: team.id }), 0)
    const incidents = await service.services.db.query
      .selectFrom('team_incidents')
      .select('resolved_at')
      .where('kind', '=', 'server')
      .where('subject_id', '=', id)
      .execute()
    assert.equal(incidents.length, 1)
    assert.ok(incidents[0]?.resolved_at)
  })

  it('have incidents, newest first, of one or of all', async () => {
    const team = await people.team()
    const [web, mail] = [await create(team), await create(team, { name: 'Mail' })]
    for (const [server, condition] of [
      [web, 'silent'],
      [mail, 'memory'],
    ] as const) {
      await openIncident(team, server.id, condition)
    }
    const read = async (query = '') =>
      (await team.viewer.data(team.id, 'GET', `/server-incidents${query}`)).map((row: unknown) => {
        const { server_name, condition } = ServerIncident.parse(row)
        return `${server_name} ${condition}`
      })
    assert.deepEqual(await read(), ['Mail memory', 'Web silent'])
    assert.deepEqual(await read(`?server=${web.id}`), ['Web silent'])
    assert.deepEqual(await read(`?server=${NOBODYS}`), [])
  })

  it('leave lines in the audit log, without their settings', async () => {
    const team = await people.team()
    const { id } = await create(team)
    await data(team, 'PATCH', `/${id}`, { name: 'Web 1' })
    await team.admin.data(team.id, 'POST', `${PATH}/${id}/token`)
    await team.owner.data(team.id, 'DELETE', `${PATH}/${id}`)
    const entries = await team.owner.data(team.id, 'GET', '/audit-log')
    assert.deepEqual(
      entries
        .filter(({ action }: { action: string }) => /Server/.test(action))
        .map(({ action, subject, fields }: Record<string, unknown>) => [action, subject, fields]),
      [
        ['deleteServer', 'Web 1', []],
        ['rotateServerToken', 'Web 1', []],
        ['updateServer', 'Web', ['name']],
        ['createServer', 'Web', ['name']],
      ],
    )
  })

  it('are those of their team alone', async () => {
    const [team, other] = [await people.team(), await people.team()]
    const { id } = await create(team)
    await openIncident(team, id, 'silent')
    const before = await data(team, 'GET', `/${id}`)
    const operations = Object.values(allOperations as Record<string, Operation>)
    for (const { method, path } of operations.filter((operation) => operation.path.includes('{server}'))) {
      const asked = path.replace('{server}', String(id))
      assertProblem(await other.owner.ask(other.id, method, asked, { name: 'Theirs' }), 404)
    }
    assert.deepEqual(await other.owner.data(other.id, 'GET', PATH), [])
    assert.deepEqual(await other.owner.data(other.id, 'GET', `/server-incidents?server=${id}`), [])
    assertInvalid(
      await team.owner.ask(team.id, 'PATCH', `${PATH}/${id}`, { contact_ids: [await contactOf(other)] }),
      ['contact_ids.0'],
    )
    assert.deepEqual(await data(team, 'GET', `/${id}`), before)
  })
})

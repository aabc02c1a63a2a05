import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  OccurrenceRow,
  SubjectMaintenance,
  WindowDetail,
  WindowRow,
} from '../../../src/core/maintenance/shown-window.ts'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import { sent, switchWindow } from '../../support/maintenance/windows.ts'
import { MONITORS } from '../../support/services/api-bodies.ts'
import { assertInvalid } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type People, peopleOf, type Team } from '../../support/services/people.ts'

const PATH = '/maintenance-windows'
const NOBODYS = 2_147_483_647
const HOUR_MS = 3_600_000

describe('maintenance windows of servers', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  const data = async ({ id, owner }: Team, method: string, path: string, body?: object) =>
    WindowDetail.parse(await owner.data(id, method, `${PATH}${path}`, body))
  const serverOf = async ({ id, owner }: Team, name = 'Web'): Promise<number> =>
    (await owner.data(id, 'POST', '/servers', { name })).id
  const monitorOf = async ({ id, owner }: Team, name = 'Shop'): Promise<number> =>
    (await owner.data(id, 'POST', '/monitors', { ...MONITORS.http, name })).id
  const maintenanceOf = async ({ id, viewer }: Team, subject: string) =>
    SubjectMaintenance.parse(await viewer.data(id, 'GET', `/${subject}/maintenance`))
  const ofServers = (server_ids: number[], more: object = {}) => ({
    ...sent(switchWindow()),
    all_subjects: false,
    server_ids,
    ...more,
  })

  it('name them, count them and come back as they were sent', async () => {
    const team = await people.team()
    const servers = [await serverOf(team, 'b'), await serverOf(team, 'A')]
    const made = await data(team, 'POST', '', ofServers(servers))
    assert.deepEqual(made.fields.server_ids, [...servers].reverse())
    assert.deepEqual(
      [made.monitor_count, made.server_count, made.servers.map(({ name }) => name)],
      [0, 2, ['A', 'b']],
    )
    const rows = (await team.viewer.data(team.id, 'GET', PATH)).map((row: unknown) => WindowRow.parse(row))
    assert.deepEqual(rows, [WindowRow.parse(made)])
    const monitor = await monitorOf(team)
    const both = { ...made.fields, monitor_ids: [monitor], server_ids: servers.slice(0, 1) }
    const changed = await data(team, 'PATCH', `/${made.id}`, both)
    assert.deepEqual(changed.fields, both)
    assert.deepEqual([changed.monitor_count, changed.server_count], [1, 1])
  })

  it('lose a server that is deleted, in every form', async () => {
    const team = await people.team()
    const [gone, stays] = [await serverOf(team, 'gone'), await serverOf(team, 'stays')]
    const { id } = await data(team, 'POST', '', ofServers([gone, stays]))
    await team.owner.data(team.id, 'DELETE', `/servers/${gone}`)
    const { fields, server_count } = await data(team, 'GET', `/${id}`)
    assert.deepEqual([fields.server_ids, server_count], [[stays], 1])
  })

  it('are refused with servers of nobody or another team, wherever they are named', async () => {
    const [team, other] = [await people.team(), await people.team()]
    const [mine, foreign] = [await serverOf(team), await serverOf(other)]
    const { id } = await data(team, 'POST', '', ofServers([mine]))
    const body = ofServers([mine, foreign, NOBODYS])
    for (const [method, path, asked] of [
      ['POST', PATH, body],
      ['PATCH', `${PATH}/${id}`, body],
      ['POST', `${PATH}/preview`, { window: body, reader_zone: 'UTC' }],
      ['POST', `${PATH}/now`, { server_ids: body.server_ids }],
    ] as const) {
      const refused = await team.owner.ask(team.id, method, path, asked)
      assertInvalid(refused, ['server_ids'])
      assert.deepEqual(refused.body.errors.server_ids, [
        `server_ids must be IDs of servers of the team, got ${foreign}, ${NOBODYS}`,
      ])
    }
    assertInvalid(await team.owner.ask(team.id, 'POST', `${PATH}/now`, { minutes: 5 }), ['monitor_ids'])
    assertInvalid(await team.owner.ask(team.id, 'POST', PATH, ofServers([mine], { all_subjects: true })), [
      'server_ids',
    ])
  })

  it('begin now with two clicks, and are called by what they cover', async () => {
    const team = await people.team()
    const [web, mail, shop] = [await serverOf(team), await serverOf(team, 'Mail'), await monitorOf(team)]
    const nameOf = async (body: object) => (await data(team, 'POST', '/now', body)).name
    assert.equal(await nameOf({ server_ids: [web] }), 'Maintenance of Web')
    assert.equal(await nameOf({ server_ids: [web, mail] }), 'Maintenance of 2 servers')
    assert.equal(
      await nameOf({ server_ids: [web], monitor_ids: [shop] }),
      'Maintenance of 2 monitors and servers',
    )
    const { current } = await maintenanceOf(team, `servers/${web}`)
    assert.deepEqual(current.map(({ window_name, covers_others }) => [window_name, covers_others]).sort(), [
      ['Maintenance of 2 monitors and servers', true],
      ['Maintenance of 2 servers', true],
      ['Maintenance of Web', false],
    ])
    assert.equal((await maintenanceOf(team, `servers/${mail}`)).current.length, 1)
    assert.equal((await maintenanceOf(team, `monitors/${shop}`)).current.length, 1)
  })

  it('are counted where they are over, with the servers that they had', async () => {
    const team = await people.team()
    const servers = [await serverOf(team), await serverOf(team, 'Mail')]
    const { id, fields } = await data(team, 'POST', '', ofServers(servers))
    await data(team, 'POST', `/${id}/start`, {})
    await data(team, 'POST', `/${id}/end`)
    await data(team, 'PATCH', `/${id}`, { ...fields, server_ids: servers.slice(0, 1) })
    await data(team, 'POST', `/${id}/start`, {})
    const from = new Date(Date.now() - HOUR_MS).toISOString()
    const to = new Date(Date.now() + HOUR_MS).toISOString()
    const rows: unknown[] = await team.viewer.data(
      team.id,
      'GET',
      `/maintenance-occurrences?from=${from}&to=${to}`,
    )
    assert.deepEqual(
      rows.map((row) => OccurrenceRow.parse(row)).map(({ state, server_count }) => [state, server_count]),
      [
        ['over', 2],
        ['running', 1],
      ],
    )
  })

  it('are what the recorder judges servers by, apart from monitors of the same ids', async () => {
    const team = await people.team()
    const [web, mail] = [await serverOf(team), await serverOf(team, 'Mail')]
    const { pool } = service.services.db
    const windows = createKnownWindows()
    const now = service.services.databaseNow()
    const soon = new Date(now.getTime() + 60_000)
    const applies = async () => {
      const coverOf = await windows.readServers(pool, [web, mail], now)
      return [web, mail].map((id) => coverOf(id)?.applies(id, soon) ?? null)
    }
    assert.deepEqual(await applies(), [null, null])
    const { id } = await data(team, 'POST', '/now', { server_ids: [web] })
    assert.deepEqual(await applies(), [true, false])
    const all = await data(team, 'POST', '', sent(switchWindow()))
    await data(team, 'POST', `/${all.id}/start`, {})
    assert.deepEqual(await applies(), [true, true])
    await data(team, 'POST', `/${all.id}/end`)
    await data(team, 'POST', `/${id}/end`)
    assert.deepEqual(await applies(), [false, false])
    const ofMonitors = await windows.read(pool, [web], now)
    assert.ok(ofMonitors(web)?.applies(web, soon) !== true)
  })
})

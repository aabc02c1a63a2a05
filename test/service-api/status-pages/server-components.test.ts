import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { CheckStatus } from '../../../src/core/monitors/check.ts'
import { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { createPageReader } from '../../../src/operations/status-pages/read-model.ts'
import { changeRows } from '../../support/records/rows.ts'
import { MONITORS } from '../../support/services/api-bodies.ts'
import { assertInvalid } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type People, peopleOf, type Team } from '../../support/services/people.ts'
import { componentsOn, saveComponents } from '../../support/status-pages/asked-components.ts'

let pages = 0

describe('components of servers on a status page', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  const db = () => service.services.db
  const serverOf = async ({ id, owner }: Team, name = 'Web'): Promise<number> =>
    (await owner.data(id, 'POST', '/servers', { name })).id
  const pageOf = async ({ id, owner }: Team): Promise<number> =>
    (await owner.data(id, 'POST', '/status-pages', { name: 'Shop', slug: `servers-shop-${++pages}` })).id
  const become = (server: number, status: CheckStatus) =>
    changeRows(db(), 'server_state', { server_id: server }, { status })
  const { stateOf, versionOf } = componentsOn(() => service)

  it('are saved, shown to the editor with their server, and kept by their ids', async () => {
    const team = await people.team()
    const [page, server] = [await pageOf(team), await serverOf(team)]
    const detail = StatusPageDetail.parse(
      (await saveComponents(team, page, [{ server_id: server }])).body.data,
    )
    const [item] = detail.layout.items
    assert.ok(item && 'component' in item)
    const { id, server_id, monitor_id, monitor } = item.component
    assert.deepEqual(
      [server_id, item.component.server, monitor_id, monitor],
      [server, { id: server, name: 'Web', is_deleted: false }, null, null],
    )
    const again = StatusPageDetail.parse(
      (await saveComponents(team, page, [{ id, server_id: server, name: 'Cart' }])).body.data,
    )
    assert.deepEqual(again.layout.items, [{ component: { ...item.component, name: 'Cart' } }])
  })

  it('are refused with a server of nobody or another team, and beside a monitor', async () => {
    const [team, other] = [await people.team(), await people.team()]
    const [page, server, theirs] = [await pageOf(team), await serverOf(team), await serverOf(other)]
    const monitor_id = (await team.owner.data(team.id, 'POST', '/monitors', MONITORS.http)).id
    for (const component of [{ server_id: theirs }, { server_id: server, monitor_id }]) {
      assertInvalid(await saveComponents(team, page, [component]), ['items.0.component.server_id'])
    }
  })

  it('have the state of their server, also as a preview', async () => {
    const team = await people.team()
    const [page, server] = [await pageOf(team), await serverOf(team)]
    await saveComponents(team, page, [{ server_id: server }])
    const versions = new Set([await versionOf(page)])
    for (const [status, state] of [
      ['pending', 'unknown'],
      ['up', 'operational'],
      ['degraded', 'operational'],
      ['down', 'major_outage'],
    ] as const) {
      await become(server, status)
      assert.deepEqual(await stateOf(page), [state], status)
      versions.add(await versionOf(page))
    }
    assert.equal(versions.size, 4, 'what is served is made anew')
    const layout = { items: [{ component: { name: 'New', monitor_id: null, server_id: server } }] }
    const draft = await createPageReader(service.services).readModel(page, {
      settings: {},
      layout: layout as never,
    })
    assert.deepEqual(draft?.state, 'major_outage')
    const quick = { server_ids: [server] }
    const window = await team.owner.data(team.id, 'POST', '/maintenance-windows/now', quick)
    const planned = async () => (await createPageReader(service.services).readModel(page))?.planned ?? []
    assert.deepEqual([await stateOf(page), await planned()], [['major_outage'], []], 'nobody is told of it')
    const shown = { ...window.fields, shows_on_pages: true, public_name: 'New disks' }
    await team.owner.data(team.id, 'PATCH', `/maintenance-windows/${window.id}`, shown)
    assert.deepEqual(await stateOf(page), ['maintenance'])
    const [told] = await planned()
    assert.deepEqual([told?.title, told?.components.length], ['New disks', 1])
  })

  it('are of the server and not of the monitor with the same id, and go with the server', async () => {
    const team = await people.team()
    const [page, server] = [await pageOf(team), await serverOf(team)]
    await saveComponents(team, page, [{ server_id: server }, { name: 'By hand' }])
    await become(server, 'up')
    const window = { kind: 'switch', name: 'Deploy', monitor_ids: [], all_subjects: true }
    const { id } = await team.owner.data(team.id, 'POST', '/maintenance-windows', window)
    await team.owner.data(team.id, 'POST', `/maintenance-windows/${id}/start`, {})
    assert.deepEqual(await stateOf(page), ['maintenance', 'operational'])
    await team.owner.data(team.id, 'POST', `/maintenance-windows/${id}/end`)
    await team.owner.data(team.id, 'DELETE', `/servers/${server}`)
    assert.deepEqual(await stateOf(page), ['operational'])
  })
})

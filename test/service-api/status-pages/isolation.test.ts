import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { allOperations } from '../../../src/contract/contract.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { addSubscriber } from '../../support/records/status-pages.ts'
import { assertInvalid, assertProblem } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { peopleOf, type Team } from '../../support/services/people.ts'

const NOBODYS = 2_147_483_647
const OPERATIONS = Object.values(allOperations as Record<string, Operation>).filter(({ path }) =>
  /\{status\w+\}/.test(path),
)

describe('status pages of different teams', () => {
  let service: AskedService
  let team: Team
  let other: Team
  let ids: Record<string, number>
  let component: number
  let group: number
  let monitor: number

  before(async () => {
    service = await apiService()
    const people = peopleOf(service)
    team = await people.team()
    other = await people.team()
    const make = (path: string, body: object, method = 'POST') => team.owner.data(team.id, method, path, body)
    const statusPage = (await make('/status-pages', { name: 'Shop', slug: 'isolated-shop' })).id
    const { layout } = await make(
      `/status-pages/${statusPage}/layout`,
      { items: [{ group: { name: 'All', components: [{ monitor_id: null, name: 'Cart' }] } }] },
      'PUT',
    )
    group = layout.items[0].group.id
    component = layout.items[0].group.components[0].id
    const update = { phase: 'investigating', body: 'We look.', impacts: [] }
    const post = await make(`/status-pages/${statusPage}/posts`, { kind: 'incident', title: 'Slow', update })
    const template = { name: 'Down', title: 'Down', phase: 'investigating', body: '', kind: 'incident' }
    const { db, vault } = service.services
    ids = {
      statusPage,
      statusPost: post.id,
      statusUpdate: post.updates[0].id,
      statusTemplate: (await make('/status-templates', template)).id,
      statusSubscriber: await addSubscriber(db, vault, { teamId: team.id, pageId: statusPage }),
    }
    monitor = (
      await make('/monitors', {
        ...{ type: 'http', name: 'Cart', url: 'https://example.com', check_interval_minutes: 5 },
      })
    ).id
  })

  const pathOf = ({ path }: Operation, known: Record<string, number>) =>
    path.replace(/\{(\w+)\}/g, (_, name) => String(known[name] ?? NOBODYS))
  const look = async (): Promise<unknown> =>
    Promise.all(
      [`/status-pages/${ids.statusPage}`, `/status-posts/${ids.statusPost}`, '/status-templates'].map(
        (path) => team.owner.data(team.id, 'GET', path),
      ),
    )

  it('are to others as if they were not there, for every operation, and a viewer changes none', async () => {
    const before = await look()
    assert.ok(OPERATIONS.length > 20)
    for (const operation of OPERATIONS) {
      const { method, access, body } = operation
      const sent = body && {}
      const theirs = await other.owner.ask(other.id, method, pathOf(operation, ids), sent)
      const nobodys = await other.owner.ask(other.id, method, pathOf(operation, {}), sent)
      assertProblem(theirs, 404, 'not-found')
      assert.deepEqual(theirs.body, nobodys.body, operation.path)
      if (access === 'read') continue
      const viewed = await team.viewer.ask(team.id, method, pathOf(operation, ids), sent)
      assertProblem(viewed, 403, 'forbidden')
    }
    assert.deepEqual(await look(), before)
  })

  it('take nothing of another team into a page, not even into its preview', async () => {
    const ask = (method: string, path: string, body: object) => other.owner.ask(other.id, method, path, body)
    const made = await other.owner.data(other.id, 'POST', '/status-pages', { name: 'O', slug: 'isolated-o' })
    const page = `/status-pages/${made.id}`
    const stolen = { component: { monitor_id: monitor, name: 'Stolen' } }
    for (const [field, item] of [
      ['items.0.component.monitor_id', stolen],
      ['items.0.component.id', { component: { id: component, monitor_id: null, name: 'Stolen' } }],
      ['items.0.group.id', { group: { id: group, name: 'Stolen', components: [] } }],
    ] as const) {
      assertInvalid(await ask('PUT', `${page}/layout`, { items: [item] }), [field])
    }
    const update = {
      phase: 'investigating',
      body: '',
      impacts: [{ component_id: component, state: 'degraded' }],
    }
    const post = await ask('POST', `${page}/posts`, { kind: 'incident', title: 'Slow', update })
    assertInvalid(post, ['update.impacts.0.component_id'])
    assertInvalid(await ask('PATCH', page, { template_id: ids.statusTemplate }), ['template_id'])
    const shown = await ask('POST', `${page}/preview`, { settings: {}, layout: { items: [stolen] } })
    assert.equal(shown.status, 200)
    assert.doesNotMatch(JSON.stringify(shown.body), /Stolen/)
  })
})

// npm test leaves this out: it tags subjects of every kind, one by one and together (hundreds of requests, seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { MonitorRow } from '../../../../src/core/monitors/monitor-row.ts'
import { MAX_TAGS, MAX_TEAM_TAGS } from '../../../../src/core/tags/tag.ts'
import { changeRows } from '../../../support/records/rows.ts'
import { MONITORS } from '../../../support/services/api-bodies.ts'
import { assertInvalid, assertProblem } from '../../../support/services/api-problems.ts'
import { apiService } from '../../../support/services/api-service.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { type SignedIn, signIn } from '../../../support/services/signed-in.ts'

describe('tags', () => {
  let service: AskedService
  let owner: SignedIn
  let ids: Record<string, number>

  before(async () => {
    service = await apiService()
    owner = await signIn(service, (await service.createTeam()).id)
    ids = {}
    for (const [name, tags] of [
      ['api', ['env:prod', 'team:web']],
      ['shop', ['env:prod', 'team:shop']],
      ['test', ['env:test', 'team:web']],
      ['old', ['legacy']],
      ['bare', []],
    ] as const)
      ids[name] = await monitorOf(owner, name, tags)
  })

  async function monitorOf(person: SignedIn, name: string, tags: readonly string[] = []): Promise<number> {
    const { data } = await person.ask('POST', '/monitors', { ...MONITORS.http, name })
    if (tags.length > 0) await person.ask('PUT', `/monitors/${data.id}/tags`, { tags })
    return data.id
  }

  async function namesOf(query: string, person = owner): Promise<string[]> {
    const { data } = await person.ask('GET', `/monitor-rows?sort=name&${query}`)
    return data.map(({ name }: MonitorRow) => name)
  }

  const tagsOf = async (id: number, person = owner): Promise<string[]> =>
    (await person.ask('GET', `/monitors/${id}/tags`)).data.tags

  it('find the monitors that carry all of them', async () => {
    const table: [query: string, names: string[]][] = [
      ['tags=env:prod', ['api', 'shop']],
      ['tags=env:prod,team:web', ['api']],
      ['tags=env', ['api', 'shop', 'test']],
      ['tags=env,team:web', ['api', 'test']],
      ['tags=legacy', ['old']],
      ['tags=env:prod&search=sho', ['shop']],
      ['tags=nothing', []],
      ['tags=', ['api', 'bare', 'old', 'shop', 'test']],
    ]
    for (const [query, names] of table) assert.deepEqual(await namesOf(query), names, query)
    assertInvalid(await owner.send('GET', '/monitor-rows?tags=no%20tag'), ['tags'])
  })

  it('make groups of a list, which are counted over all its pages and come before its order', async () => {
    await changeRows(
      service.services.db,
      'monitor_state',
      { monitor_id: ids.shop as number },
      { status: 'down' },
    )
    assert.deepEqual(await namesOf('group=env'), ['api', 'shop', 'test', 'bare', 'old'])
    assert.deepEqual(await namesOf('group=team&order=desc'), ['shop', 'test', 'api', 'old', 'bare'])
    const page = await owner.ask('GET', '/monitor-rows?group=env&per_page=2&page=2')
    assert.deepEqual(page.groups, [
      { tag: 'env:prod', count: 2, worst: 'down', worst_count: 1 },
      { tag: 'env:test', count: 1, worst: 'pending', worst_count: 1 },
      { tag: null, count: 2, worst: 'pending', worst_count: 2 },
    ])
    assert.match(page.links.next, /group=env/)
    assert.equal((await owner.ask('GET', '/monitor-rows')).groups, null)
  })

  it('change on many monitors at once, and only there where they differ', async () => {
    const changing = await signIn(service, owner.teamId)
    const some = [
      await monitorOf(changing, 'one', ['env:prod']),
      await monitorOf(changing, 'two', ['env:dev', 'old']),
    ]
    const foreign = await signIn(service, (await service.createTeam()).id)
    const theirs = await monitorOf(foreign, 'theirs', ['env:dev'])
    const body = { kind: 'monitor', ids: [...some, theirs], add: ['ENV:prod'], remove: ['old', 'missing'] }
    assert.deepEqual((await changing.ask('POST', '/tags/changes', body)).data, { changed: 1 })
    assert.deepEqual(await Promise.all(some.map((id) => tagsOf(id))), [['env:prod'], ['env:prod']])
    assert.deepEqual(await tagsOf(theirs, foreign), ['env:dev'])
    const { data } = await owner.ask('GET', '/audit-log?per_page=1')
    assert.deepEqual([data[0].action, data[0].fields], ['changeTags', ['kind', 'ids', 'add', 'remove']])
    for (const id of some) await owner.ask('DELETE', `/monitors/${id}`)
  })

  it('of a deleted monitor are not in use, and come back with it', async () => {
    const id = await monitorOf(owner, 'gone', ['only:here'])
    const isUsed = async () =>
      (await owner.ask('GET', '/tags')).data.some(({ tag }: { tag: string }) => tag === 'only:here')
    assert.equal(await isUsed(), true)
    await owner.ask('DELETE', `/monitors/${id}`)
    assert.equal(await isUsed(), false)
    await owner.ask('POST', `/deleted-monitors/${id}/restore`)
    assert.deepEqual(await tagsOf(id), ['only:here'])
    await owner.ask('DELETE', `/monitors/${id}`)
  })

  it('of monitors, servers and sites are counted together', async () => {
    const person = await signIn(service, (await service.createTeam()).id)
    await monitorOf(person, 'm', ['env:prod', 'legacy'])
    const server = (await person.ask('POST', '/servers', { name: 's' })).data.id
    const site = (await person.ask('POST', '/sites', { name: 'w', url: 'https://shop.example.com/' })).data.id
    await person.ask('PUT', `/servers/${server}/tags`, { tags: ['env:prod'] })
    await person.ask('PUT', `/sites/${site}/tags`, { tags: ['env:test'] })
    assert.deepEqual((await person.ask('GET', '/tags')).data, [
      { tag: 'env:prod', monitors: 1, servers: 1, sites: 0 },
      { tag: 'env:test', monitors: 0, servers: 0, sites: 1 },
      { tag: 'legacy', monitors: 1, servers: 0, sites: 0 },
    ])
    assert.deepEqual((await person.ask('GET', '/servers')).data[0].tags, ['env:prod'])
    assert.deepEqual((await person.ask('GET', `/sites/${site}`)).data.tags, ['env:test'])
  })

  it('are bounded, for a subject and for a team', async () => {
    const person = await signIn(service, (await service.createTeam()).id)
    const id = await monitorOf(person, 'full')
    const keys = Array.from({ length: MAX_TAGS }, (_, index) => `key${index}`)
    await person.ask('PUT', `/monitors/${id}/tags`, { tags: keys })
    const over = { kind: 'monitor', ids: [id], add: ['one-more'] }
    const refused = await person.send('POST', '/tags/changes', over)
    assertInvalid(refused, ['add'])
    assert.match(refused.body.detail, /at most 20 tags on each, got 21 on full/)
    assert.deepEqual(await tagsOf(id, person), [...keys].sort())
    await changeRows(
      service.services.db,
      'monitors',
      { id },
      { tags: Array.from({ length: MAX_TEAM_TAGS }, (_, index) => `many:${index}`) },
    )
    const other = await monitorOf(person, 'other')
    assertInvalid(await person.send('PUT', `/monitors/${other}/tags`, { tags: ['new'] }), ['tags'])
    await person.ask('PUT', `/monitors/${other}/tags`, { tags: ['many:7'] })
  })

  it('are set by those who may write, for what is theirs', async () => {
    const viewer = await signIn(service, owner.teamId, 'viewer')
    const stranger = await signIn(service, (await service.createTeam()).id)
    const path = `/monitors/${ids.api}/tags`
    assertProblem(await viewer.send('PUT', path, { tags: [] }), 403)
    assert.deepEqual(await tagsOf(ids.api as number, viewer), ['env:prod', 'team:web'])
    assertProblem(await stranger.send('PUT', path, { tags: [] }), 404)
    assertProblem(await stranger.send('GET', path), 404)
    assertInvalid(await owner.send('PUT', path, { tags: ['env:prod', 'env:test'] }), ['tags'])
    assertInvalid(await owner.send('PUT', path, { tags: ['Env Prod'] }), ['tags.0'])
    assertInvalid(await owner.send('POST', '/tags/changes', { kind: 'monitor', ids: [ids.api] }), ['add'])
  })

  it('appear nowhere in the API of monitors, and as labels in its metrics', async () => {
    const token = await service.createToken(owner.teamId, 'viewer')
    const headers = { authorization: `Bearer ${token}` }
    const monitor = await (await fetch(`${service.url}/api/v1/monitors/${ids.api}`, { headers })).json()
    assert.doesNotMatch(JSON.stringify(monitor), /tags|env:prod/)
    const metrics = await (await fetch(`${service.url}/api/v1/metrics`, { headers })).text()
    assert.match(
      metrics,
      /^upbeat_monitor_active\{id="\d+",name="api",type="http",tag_env="prod",tag_team="web"\} 1$/m,
    )
    assert.match(metrics, /^upbeat_monitor_active\{id="\d+",name="old",type="http",tag_legacy="true"\} 1$/m)
    assert.match(metrics, /^upbeat_monitor_active\{id="\d+",name="bare",type="http"\} 1$/m)
  })
})

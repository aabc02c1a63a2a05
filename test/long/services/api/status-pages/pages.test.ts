// npm test leaves this out: it sends every setting of pages, right and wrong (hundreds of requests, seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  type ShownComponent,
  StatusPageDetail,
  StatusPageRow,
} from '../../../../../src/core/status-pages/shown-page.ts'
import { MAX_LOGO_BYTES, StatusPage } from '../../../../../src/core/status-pages/status-page.ts'
import { setPlan } from '../../../../../src/operations/accounts/operator-accounts.ts'
import { MONITORS } from '../../../../support/services/api-bodies.ts'
import { assertInvalid, assertProblem } from '../../../../support/services/api-problems.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { type People, type Person, peopleOf, type Team } from '../../../../support/services/people.ts'
import { pngChunk, SAMPLE_GIF, samplePng } from '../../../../support/status-pages/sample-images.ts'

const PATH = '/status-pages'

const PNG = samplePng()

describe('status pages', () => {
  let service: AskedService
  let people: People
  let slugs = 0

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  const settings = (changes: object = {}) => ({
    ...StatusPage.parse({ name: 'Shop', slug: `shop-${++slugs}` }),
    ...changes,
  })
  const data = async ({ id, owner }: Team, method: string, path: string, body?: object) =>
    StatusPageDetail.parse(await owner.data(id, method, `${PATH}${path}`, body))
  const create = (team: Team, changes?: object) => data(team, 'POST', '', settings(changes))
  const monitorOf = async ({ id, owner }: Team, name = 'Shop'): Promise<number> =>
    (await owner.data(id, 'POST', '/monitors', { ...MONITORS.http, name })).id
  const listed = async ({ id }: Team, person: Person): Promise<StatusPageRow[]> =>
    (await person.data(id, 'GET', PATH)).map((row: unknown) => StatusPageRow.parse(row))
  const component = (name: string, changes: object = {}) => ({
    component: { id: null, monitor_id: null, name, ...changes },
  })

  it('come back as they were sent, and are listed by name', async () => {
    const team = await people.team()
    const fields = settings({
      name: 'b',
      description: 'All of it',
      visibility: 'networks',
      networks: ['2001:db8::/32', '203.0.113.7'],
      language: 'ja',
      theme: 'dark',
      accent_color: '#0a6cff',
      home_url: 'https://example.com/',
      support_url: 'https://example.com/help',
      days: 30,
      posts: 'publish',
      allows_subscribers: false,
    })
    const made = await data(team, 'POST', '', fields)
    assert.deepEqual(made.fields, fields)
    assert.deepEqual([made.is_published, made.has_password, made.logo], [false, false, null])
    assert.ok(made.url.endsWith(`/status/${fields.slug}`), made.url)
    await create(team, { name: 'A' })
    const rows = await listed(team, team.viewer)
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['A', 'b'],
    )
    assert.deepEqual(rows[1], StatusPageRow.parse({ ...made, domains: [] }))
    const changed = await data(team, 'PATCH', `/${made.id}`, { name: 'C', theme: 'light' })
    assert.deepEqual(changed.fields, { ...fields, name: 'C', theme: 'light' })
    assert.equal((await team.owner.ask(team.id, 'DELETE', `${PATH}/${made.id}`)).status, 204)
    assertProblem(await team.owner.ask(team.id, 'GET', `${PATH}/${made.id}`), 404)
  })

  it('refuse what is wrong by the names of the fields, and a slug that another page has', async () => {
    const team = await people.team()
    const { id, slug } = await create(await people.team())
    const mine = await create(team)
    const wrong: [object, string[]][] = [
      [{ name: ' ' }, ['name']],
      [{ slug: 'Shop' }, ['slug']],
      [{ slug }, ['slug']],
      [{ visibility: 'networks' }, ['networks']],
      [{ networks: ['10.0.0.0/33'] }, ['networks.0']],
      [{ accent_color: 'red' }, ['accent_color']],
      [{ home_url: 'javascript:alert(1)' }, ['home_url']],
      [{ days: 45 }, ['days']],
    ]
    for (const [changes, fields] of wrong) {
      assertInvalid(await team.owner.ask(team.id, 'POST', PATH, settings(changes)), fields)
      assertInvalid(await team.owner.ask(team.id, 'PATCH', `${PATH}/${mine.id}`, changes), fields)
    }
    await data(team, 'PATCH', `/${mine.id}`, { slug: mine.slug })
    assertProblem(await team.owner.ask(team.id, 'GET', `${PATH}/${id}`), 404)
  })

  it('are changed by owners and admins alone, and no other team sees any', async () => {
    const team = await people.team()
    const other = await people.team()
    const { id } = await create(team)
    const asked: [string, string, object?][] = [
      ['PATCH', '', {}],
      ['POST', '/publish'],
      ['POST', '/unpublish'],
      ['PUT', '/layout', { items: [] }],
      ['PUT', '/password', { password: 'seven owls by the lake' }],
      ['DELETE', '/password'],
      ['PUT', '/logo', { logo: PNG.toString('base64') }],
      ['DELETE', '/logo'],
      ['POST', '/feed-token'],
      ['DELETE', '/feed-token'],
      ['POST', '/domains', { domain: 'status.example.org' }],
      ['POST', '/domains/prove', { domain: 'status.example.org' }],
      ['POST', '/domains/remove', { domain: 'status.example.org' }],
      ['DELETE', ''],
    ]
    for (const [method, path, body] of asked) {
      assertProblem(await team.viewer.ask(team.id, method, `${PATH}/${id}${path}`, body), 403)
      assertProblem(await other.owner.ask(other.id, method, `${PATH}/${id}${path}`, body), 404)
    }
    assertProblem(await team.viewer.ask(team.id, 'POST', PATH, settings()), 403)
    assert.deepEqual(await listed(other, other.owner), [])
    for (const [method, path, body] of asked.filter(([, path]) => path !== '/domains/prove')) {
      const { status } = await team.admin.ask(team.id, method, `${PATH}/${id}${path}`, body)
      assert.ok(status === 200 || (status === 204 && path === ''), `${method} ${path}: ${status}`)
    }
  })

  it('keep the ids of components and groups that stay, in the order that was sent', async () => {
    const team = await people.team()
    const [shop, mail] = [await monitorOf(team), await monitorOf(team, 'Mail')]
    const { id } = await create(team)
    const save = (items: object[]) => data(team, 'PUT', `/${id}/layout`, { items })
    const group = (name: string, components: object[], changes: object = {}) => ({
      group: { id: null, name, components, ...changes },
    })
    const first = await save([
      component('Shop', { monitor_id: shop, shows_chart: true }),
      group('Mail', [component('In', { monitor_id: mail }).component, component('Out').component]),
      component('Phone', { state: 'degraded', description: 'By hand' }),
    ])
    const [one, two, three] = first.layout.items as [
      { component: ShownComponent },
      { group: { id: number; components: ShownComponent[] } },
      { component: ShownComponent },
    ]
    assert.deepEqual(one.component.monitor, { id: shop, name: 'Shop', is_deleted: false })
    assert.deepEqual(
      two.group.components.map(({ name }) => name),
      ['In', 'Out'],
    )
    assert.equal(three.component.state, 'degraded')
    assert.equal((await listed(team, team.viewer))[0]?.component_count, 4)
    const [into, out] = two.group.components
    const second = await save([
      group('Post', [{ ...three.component }, { ...into, name: 'Inbox' }], {
        id: two.group.id,
        is_open: false,
      }),
      { component: out as ShownComponent },
      group('New', []),
    ])
    const shape = second.layout.items.map((item) =>
      'component' in item
        ? item.component.id
        : [item.group.id === two.group.id, item.group.is_open, item.group.components.map((c) => c.id)],
    )
    assert.deepEqual(shape, [[true, false, [three.component.id, into?.id]], out?.id, [false, true, []]])
  })

  it('name the place of an id that is not theirs, and take nothing of such a layout', async () => {
    const team = await people.team()
    const other = await people.team()
    const foreign = await monitorOf(other)
    const theirs = await create(other)
    const { layout } = await data(other, 'PUT', `/${theirs.id}/layout`, { items: [component('A')] })
    const [theirItem] = layout.items as [{ component: ShownComponent }]
    const { id } = await create(team)
    const ours = await data(team, 'PUT', `/${id}/layout`, { items: [component('Ours')] })
    const [item] = ours.layout.items as [{ component: ShownComponent }]
    const wrong: [object[], string[]][] = [
      [[component('B', { id: theirItem.component.id })], ['items.0.component.id']],
      [[component('B', { monitor_id: foreign })], ['items.0.component.monitor_id']],
      [[item, item], ['items.1.component.id']],
      [
        [{ group: { id: 1, name: 'G', components: [component('B', { monitor_id: foreign }).component] } }],
        ['items.0.group.id', 'items.0.group.components.0.monitor_id'],
      ],
    ]
    for (const [items, fields] of wrong) {
      assertInvalid(await team.owner.ask(team.id, 'PUT', `${PATH}/${id}/layout`, { items }), fields)
    }
    assert.deepEqual((await data(team, 'GET', `/${id}`)).layout, ours.layout)
  })

  it('keep the component of a deleted monitor, which can be restored', async () => {
    const team = await people.team()
    const shop = await monitorOf(team)
    const { id } = await create(team)
    await data(team, 'PUT', `/${id}/layout`, { items: [component('A', { monitor_id: shop })] })
    await team.owner.ask(team.id, 'DELETE', `/monitors/${shop}`)
    const { layout } = await data(team, 'GET', `/${id}`)
    const [item] = layout.items as [{ component: ShownComponent }]
    assert.equal(item.component.monitor?.is_deleted, true)
    assert.deepEqual((await data(team, 'PUT', `/${id}/layout`, layout)).layout, layout)
    const again = component('B', { monitor_id: shop })
    await data(team, 'PUT', `/${id}/layout`, { items: [] })
    const refused = await team.owner.ask(team.id, 'PUT', `${PATH}/${id}/layout`, { items: [again] })
    assertInvalid(refused, ['items.0.component.monitor_id'])
  })

  it('are published for those who can see them: not behind a password that nobody knows', async () => {
    const team = await people.team()
    const { id } = await create(team, { visibility: 'password' })
    const refused = (method: string, path: string, body?: object) =>
      team.owner.ask(team.id, method, `${PATH}/${id}${path}`, body)
    assertInvalid(await refused('POST', '/publish'), ['visibility'])
    const short = await refused('PUT', '/password', { password: 'hunter2' })
    assertInvalid(short, ['password'])
    assert.ok(!JSON.stringify(short.body).includes('hunter2'))
    assert.equal(
      (await data(team, 'PUT', `/${id}/password`, { password: 'seven owls by the lake' })).has_password,
      true,
    )
    assert.equal((await data(team, 'POST', `/${id}/publish`)).is_published, true)
    assertInvalid(await refused('DELETE', '/password'), ['password'])
    await data(team, 'PATCH', `/${id}`, { visibility: 'public' })
    assert.equal((await data(team, 'DELETE', `/${id}/password`)).has_password, false)
    assertInvalid(await refused('PATCH', '', { visibility: 'password' }), ['visibility'])
    assert.equal((await data(team, 'POST', `/${id}/unpublish`)).is_published, false)
  })

  it('take raster images as logos, by their bytes', async () => {
    const team = await people.team()
    const { id } = await create(team)
    const send = (bytes: Buffer) =>
      team.owner.ask(team.id, 'PUT', `${PATH}/${id}/logo`, { logo: bytes.toString('base64') })
    const filling = MAX_LOGO_BYTES - PNG.length - 12
    const largest = samplePng(2, 2, undefined, [pngChunk('teXt', Buffer.alloc(filling))])
    assert.equal(largest.length, MAX_LOGO_BYTES)
    const { status, body } = await send(largest)
    assert.equal(status, 200)
    assert.equal(body.data.logo.type, 'image/png')
    const gif = (await send(SAMPLE_GIF)).body.data.logo
    assert.equal(gif.type, 'image/gif')
    assert.notEqual(gif.tag, body.data.logo.tag)
    for (const bytes of [
      Buffer.from('<svg/>'),
      Buffer.concat([largest, PNG]),
      PNG.subarray(0, 4),
      PNG.subarray(0, -1),
      samplePng(2, 2, { width: 60_000, height: 60_000 }),
      Buffer.alloc(0),
    ]) {
      assertInvalid(await send(bytes), ['logo'])
    }
    assertProblem(await send(Buffer.alloc(2 * MAX_LOGO_BYTES)), 413)
    assertInvalid(await team.owner.ask(team.id, 'PUT', `${PATH}/${id}/logo`, { logo: '!' }), ['logo'])
    assert.equal((await data(team, 'DELETE', `/${id}/logo`)).logo, null)
  })

  it('have a secret address for feeds, which no viewer sees', async () => {
    const team = await people.team()
    const { id, url } = await create(team)
    const first = (await data(team, 'POST', `/${id}/feed-token`)).private_feeds ?? ''
    assert.ok(first.startsWith(`${url}/private/`), first)
    assert.equal((await data(team, 'GET', `/${id}`)).private_feeds, first)
    assert.equal((await team.viewer.data(team.id, 'GET', `${PATH}/${id}`)).private_feeds, null)
    assert.notEqual((await data(team, 'POST', `/${id}/feed-token`)).private_feeds, first)
    assert.equal((await data(team, 'DELETE', `/${id}/feed-token`)).private_feeds, null)
  })

  it('are as many as the plan allows, and so are their domains', async () => {
    const team = await people.team()
    await setPlan(service.services, team.id, 'starter')
    const [{ id }] = [await create(team), await create(team), await create(team)]
    const assertLimit = async (path: string, body: object, members: object) => {
      const { status, body: problem } = await team.owner.ask(team.id, 'POST', `${PATH}${path}`, body)
      const { type, title, detail, said, faults, ...rest } = problem
      assert.deepEqual(
        [status, title, rest],
        [402, 'Plan limit reached', { status, plan: 'starter', ...members }],
      )
    }
    await assertLimit('', settings(), { max_status_pages: 3 })
    await data(team, 'POST', `/${id}/domains`, { domain: 'status.example.com' })
    await assertLimit(`/${id}/domains`, { domain: 'status.example.net' }, { max_own_domains: 1 })
    const { body } = await team.viewer.ask(team.id, 'GET', PATH)
    assert.deepEqual(body.meta, { pages: 3, max_pages: 3, domains: 1, max_domains: 1 })
  })
})

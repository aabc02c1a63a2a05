// npm test leaves this out: it asks for rows in every order and by every filter (hundreds of requests, seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { CheckStatus } from '../../../../src/core/monitors/check.ts'
import type { MonitorRow } from '../../../../src/core/monitors/monitor-row.ts'
import { changeRows } from '../../../support/records/rows.ts'
import { MONITORS } from '../../../support/services/api-bodies.ts'
import { assertInvalid } from '../../../support/services/api-problems.ts'
import { apiService } from '../../../support/services/api-service.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { type SignedIn, signIn } from '../../../support/services/signed-in.ts'

describe('the rows of monitors', () => {
  let service: AskedService
  let owner: SignedIn
  let ids: Record<string, number>

  /** Name, type and what its check says, in the order in which they are made. */
  const MADE: [name: string, body: object, state: CheckStatus, checkedAt: string | null][] = [
    ['beta', MONITORS.http, 'up', '2026-05-01T00:00:00Z'],
    ['Alpha', { ...MONITORS.http, url: 'http://shop.example/100%_off' }, 'down', '2026-05-04T00:00:00Z'],
    ['gamma', MONITORS.tcp, 'degraded', '2026-05-02T00:00:00Z'],
    ['Straße ÄRGER', MONITORS.heartbeat, 'pending', null],
    ['back\\slash', MONITORS.keyword, 'up', '2026-05-03T00:00:00Z'],
    ['a_b', { ...MONITORS.icmp, url: 'icmp://db.example:80/x' }, 'down', '2026-05-05T00:00:00Z'],
    ['axb', { ...MONITORS.http, is_active: false }, 'down', null],
    ['planned', { ...MONITORS.http, url: 'http://plan.example/' }, 'maintenance', '2026-05-06T00:00:00Z'],
    ['gone', MONITORS.http, 'down', null],
  ]

  before(async () => {
    service = await apiService()
    const team = await service.createTeam()
    owner = await signIn(service, team.id)
    ids = {}
    for (const [name, body, status, checkedAt] of MADE) {
      const { data } = await owner.ask('POST', '/monitors', { ...body, name })
      ids[name] = data.id
      const state = { status, last_checked_at: checkedAt === null ? null : new Date(checkedAt) }
      await changeRows(service.services.db, 'monitor_state', { monitor_id: data.id }, state)
    }
    await owner.ask('DELETE', `/monitors/${ids.gone}`)
    const other = await signIn(service, (await service.createTeam()).id)
    await other.ask('POST', '/monitors', { ...MONITORS.http, name: 'beta of others' })
  })

  const namesOf = async (query: string): Promise<string[]> =>
    (await owner.ask('GET', `/monitor-rows${query}`)).data.map(({ name }: MonitorRow) => name)

  it('are those that were asked for', async () => {
    const q = encodeURIComponent
    const table: [query: string, names: string[]][] = [
      ['?search=BETA', ['beta']],
      [`?search=${q('straße ärger')}`, ['Straße ÄRGER']],
      [`?search=${q('%')}`, ['Alpha']],
      [`?search=${q('100%_')}`, ['Alpha']],
      ['?search=a_b', ['a_b']],
      [`?search=${q('\\')}`, ['back\\slash']],
      ['?search=db.example', ['a_b']],
      ['?search=SHOP.example', ['Alpha']],
      ['?search=127.0.0.1:9', ['gamma', 'axb', 'back\\slash', 'beta']],
      [`?search=${q("' OR true --")}`, []],
      ['?search=', ['a_b', 'Alpha', 'gamma', 'Straße ÄRGER', 'planned', 'back\\slash', 'beta', 'axb']],
      ['?status=down', ['a_b', 'Alpha']],
      ['?status=paused', ['axb']],
      ['?status=degraded', ['gamma']],
      ['?status=pending', ['Straße ÄRGER']],
      ['?status=maintenance', ['planned']],
      ['?status=up&type=keyword', ['back\\slash']],
      ['?type=icmp', ['a_b']],
      ['?type=http&status=down&search=alp', ['Alpha']],
    ]
    for (const [query, names] of table) {
      assert.deepEqual((await namesOf(query)).sort(), names.sort(), query)
    }
  })

  it('come in the order that was asked for', async () => {
    const inNameOrder = ['a_b', 'Alpha', 'axb', 'back\\slash', 'beta', 'gamma', 'planned', 'Straße ÄRGER']
    const made = MADE.map(([name]) => name).slice(0, -1)
    const checked = ['axb', 'Straße ÄRGER', 'beta', 'gamma', 'back\\slash', 'Alpha', 'a_b', 'planned']
    const table: [query: string, names: string[]][] = [
      ['', ['a_b', 'Alpha', 'gamma', 'Straße ÄRGER', 'planned', 'back\\slash', 'beta', 'axb']],
      [
        '?sort=attention&order=desc',
        ['axb', 'back\\slash', 'beta', 'planned', 'Straße ÄRGER', 'gamma', 'a_b', 'Alpha'],
      ],
      ['?sort=name', inNameOrder],
      ['?sort=name&order=desc', inNameOrder.toReversed()],
      ['?sort=created_at', made],
      ['?sort=created_at&order=desc', made.toReversed()],
      ['?sort=last_checked_at', checked],
      ['?sort=last_checked_at&order=desc', [...checked.slice(2).reverse(), 'axb', 'Straße ÄRGER']],
    ]
    for (const [query, names] of table) assert.deepEqual(await namesOf(query), names, query)
  })

  it('come in pages, whose links carry what was asked for', async () => {
    const path = `${service.services.siteUrl}/app/teams/${owner.teamId}/monitor-rows`
    const carried = 'search=a&sort=name&order=desc&per_page=2'
    const { data, links, meta } = await owner.ask('GET', `/monitor-rows?${carried}&page=2`)
    assert.deepEqual([data.length, meta.total, meta.last_page, meta.from, meta.to], [2, 8, 4, 3, 4])
    assert.deepEqual(links, {
      first: `${path}?${carried}&page=1`,
      last: `${path}?${carried}&page=4`,
      prev: `${path}?${carried}&page=1`,
      next: `${path}?${carried}&page=3`,
    })
    const beyond = await owner.ask('GET', '/monitor-rows?page=2147483647&per_page=100')
    assert.deepEqual([beyond.data, beyond.meta.total, beyond.meta.from], [[], 8, null])
  })

  it('show the target, the interval and the contacts', async () => {
    const contact = (await owner.ask('GET', '/notification-contacts')).data[0].id
    await owner.ask('PATCH', `/monitors/${ids.gamma}`, { notification_contact_ids: [contact] })
    const { data } = await owner.ask('GET', '/monitor-rows')
    const shown = Object.fromEntries(data.map((row: MonitorRow) => [row.name, row]))
    assert.deepEqual(
      Object.values<MonitorRow>(shown)
        .map(({ name, target }) => [name, target])
        .sort(),
      [
        ['Alpha', 'http://shop.example/100%_off'],
        ['Straße ÄRGER', null],
        ['a_b', 'db.example'],
        ['axb', 'http://127.0.0.1:9/'],
        ['back\\slash', 'http://127.0.0.1:9/'],
        ['beta', 'http://127.0.0.1:9/'],
        ['gamma', '127.0.0.1:9'],
        ['planned', 'http://plan.example/'],
      ],
    )
    assert.deepEqual([shown.gamma.contacts_count, shown.beta.contacts_count], [1, 0])
    assert.deepEqual(
      [shown.beta.interval_seconds, shown.beta.is_active, shown.axb.is_active],
      [300, true, false],
    )
    assert.equal(shown.beta.last_checked_at, '2026-05-01T00:00:00.000000Z')
  })

  it('are refused with the name of what is wrong', async () => {
    const table: [query: string, field: string][] = [
      ['?status=unknown', 'status'],
      ['?type=gopher', 'type'],
      ['?sort=size', 'sort'],
      ['?order=up', 'order'],
      ['?per_page=101', 'per_page'],
      ['?page=0', 'page'],
      [`?search=${'x'.repeat(256)}`, 'search'],
      ['?search=%00', 'search'],
    ]
    for (const [query, field] of table)
      assertInvalid(await owner.send('GET', `/monitor-rows${query}`), [field])
  })

  it('are seen by a viewer, and by no member of another team', async () => {
    const viewer = await signIn(service, owner.teamId, 'viewer')
    assert.equal((await viewer.ask('GET', '/monitor-rows')).data.length, 8)
    const other = await signIn(service, (await service.createTeam()).id)
    const { status } = await other.browser.send('GET', `/app/teams/${owner.teamId}/monitor-rows`)
    assert.equal(status, 404)
  })
})

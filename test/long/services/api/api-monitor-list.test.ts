// npm test leaves this out: it asks for lists of hundreds of monitors in every way (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { CheckStatus } from '../../../../src/core/monitors/check.ts'
import { MONITOR_FIELDS, MONITOR_TYPES, MONITORS } from '../../../support/services/api-bodies.ts'
import { type ApiClient, apiClient } from '../../../support/services/api-client.ts'
import { assertInvalid } from '../../../support/services/api-problems.ts'
import { apiService } from '../../../support/services/api-service.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'

type Link = { url: string | null; label: string; page: number | null; active: boolean }

describe('listing monitors', () => {
  let service: AskedService
  /** The owner of a team with `TOTAL` monitors of type http. */
  let api: ApiClient
  let path: string
  const TOTAL = 30
  /** In name order. */
  const names = Array.from({ length: TOTAL }, (_, i) => `Monitor ${String(i).padStart(2, '0')}`)

  before(async () => {
    service = await apiService()
    path = `${service.services.siteUrl}/api/v1/monitors`
    const team = await service.createTeam()
    api = apiClient(service, team.id)
    for (const name of [...names].reverse()) {
      assert.equal((await api.post('/monitors', { ...MONITORS.http, name })).status, 201)
    }
  })

  const list = async (query: string, as = api) => {
    const { status, body } = await as.get(`/monitors${query}`)
    assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`)
    return body
  }
  const namesOf = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name)

  it('answers data, links and meta, each with its keys in order', async () => {
    const body = await list('')
    assert.deepEqual(Object.keys(body), ['data', 'links', 'meta'])
    assert.deepEqual(Object.keys(body.data[0]), MONITOR_FIELDS)
    assert.deepEqual(Object.entries(body.links), [
      ['first', `${path}?page=1`],
      ['last', `${path}?page=2`],
      ['prev', null],
      ['next', `${path}?page=2`],
    ])
    assert.deepEqual(Object.entries(body.meta), [
      ['current_page', 1],
      ['from', 1],
      ['last_page', 2],
      [
        'links',
        [
          { url: null, label: '&laquo; Previous', page: null, active: false },
          { url: `${path}?page=1`, label: '1', page: 1, active: true },
          { url: `${path}?page=2`, label: '2', page: 2, active: false },
          { url: `${path}?page=2`, label: 'Next &raquo;', page: 2, active: false },
        ],
      ],
      ['path', path],
      ['per_page', 25],
      ['to', 25],
      ['total', TOTAL],
    ])
    for (const link of body.meta.links)
      assert.deepEqual(Object.keys(link), ['url', 'label', 'page', 'active'])
    assert.deepEqual(namesOf(body), names.slice(0, 25))
  })

  it('shows each monitor as it is shown alone', async () => {
    const { data } = await list('?per_page=2')
    for (const monitor of data)
      assert.deepEqual((await api.get(`/monitors/${monitor.id}`)).body.data, monitor)
  })

  it('pages with these edges', async () => {
    const table: [query: string, expected: object][] = [
      ['?page=2', { current_page: 2, from: 26, to: 30, last_page: 2, per_page: 25 }],
      ['?per_page=30', { current_page: 1, from: 1, to: 30, last_page: 1, per_page: 30 }],
      ['?per_page=29&page=2', { current_page: 2, from: 30, to: 30, last_page: 2, per_page: 29 }],
      ['?per_page=1&page=30', { current_page: 30, from: 30, to: 30, last_page: 30, per_page: 1 }],
      ['?per_page=100', { current_page: 1, from: 1, to: 30, last_page: 1, per_page: 100 }],
      ['?page=3', { current_page: 3, from: null, to: null, last_page: 2, per_page: 25 }],
      ['?page=2147483647', { current_page: 2_147_483_647, from: null, to: null, last_page: 2, per_page: 25 }],
      ['?type=ssl', { current_page: 1, from: null, to: null, last_page: 1, per_page: 25, total: 0 }],
      ['?type=ssl&page=2', { current_page: 2, from: null, to: null, last_page: 1, per_page: 25, total: 0 }],
      ['?page=01&per_page=025', { current_page: 1, per_page: 25 }],
    ]
    for (const [query, expected] of table) {
      const { data, meta } = await list(query)
      for (const [key, value] of Object.entries(expected)) assert.equal(meta[key], value, `${query} ${key}`)
      assert.equal(data.length, meta.from === null ? 0 : meta.to - meta.from + 1, query)
      assert.deepEqual(
        namesOf({ data }),
        meta.from === null ? [] : names.slice(meta.from - 1, meta.to),
        query,
      )
    }
  })

  it('points from a page beyond the last to the one before it, and nowhere on', async () => {
    const { links, meta } = await list('?page=9')
    assert.deepEqual(links, {
      first: `${path}?page=1`,
      last: `${path}?page=2`,
      prev: `${path}?page=8`,
      next: null,
    })
    assert.ok(meta.links.every(({ active }: Link) => !active))
    assert.deepEqual(
      meta.links.map(({ page }: Link) => page),
      [8, 1, 2, null],
    )
  })

  it('has one page of nothing for an empty list', async () => {
    const team = await service.createTeam()
    const body = await list('', apiClient(service, team.id, 'viewer'))
    assert.deepEqual(body.data, [])
    assert.deepEqual(body.links, { first: `${path}?page=1`, last: `${path}?page=1`, prev: null, next: null })
    const { links, ...meta } = body.meta
    assert.deepEqual(meta, {
      current_page: 1,
      from: null,
      last_page: 1,
      path,
      per_page: 25,
      to: null,
      total: 0,
    })
    assert.deepEqual(
      links.map(({ label, active }: Link) => [label, active]),
      [
        ['&laquo; Previous', false],
        ['1', true],
        ['Next &raquo;', false],
      ],
    )
  })

  it('shows a window of page numbers: two at each end, three on each side', async () => {
    const windows: [page: number, shown: string][] = [
      [1, '1 2 3 4 ... 29 30'],
      [2, '1 2 3 4 5 ... 29 30'],
      [6, '1 2 3 4 5 6 7 8 9 ... 29 30'],
      [7, '1 2 ... 4 5 6 7 8 9 10 ... 29 30'],
      [15, '1 2 ... 12 13 14 15 16 17 18 ... 29 30'],
      [25, '1 2 ... 22 23 24 25 26 27 28 29 30'],
      [30, '1 2 ... 27 28 29 30'],
    ]
    for (const [page, shown] of windows) {
      const { links } = (await list(`?per_page=1&page=${page}`)).meta
      const numbers: Link[] = links.slice(1, -1)
      assert.equal(numbers.map(({ label }) => label).join(' '), shown)
      for (const { url, label, page: number, active } of numbers) {
        if (label === '...') assert.deepEqual([url, number, active], [null, null, false])
        else {
          assert.equal(url, `${path}?per_page=1&page=${label}`)
          assert.deepEqual([number, active], [Number(label), Number(label) === page])
        }
      }
    }
  })

  it('carries filters and a page size over in every link', async () => {
    const { links, meta } = await list('?per_page=10&type=http&status=pending&page=2&unknown=1')
    const urls = [...Object.values(links), ...meta.links.map(({ url }: Link) => url)].filter(
      (url) => url !== null,
    )
    assert.equal(urls.length, 4 + 5)
    for (const url of urls as string[]) {
      const { origin, pathname, searchParams } = new URL(url)
      assert.equal(origin + pathname, path)
      const { page, ...carried } = Object.fromEntries(searchParams)
      assert.match(page ?? '', /^[123]$/)
      assert.deepEqual(carried, { per_page: '10', type: 'http', status: 'pending' })
    }
    const sentDefault = await list('?per_page=25')
    assert.equal(new URL(sentDefault.links.next).searchParams.get('per_page'), '25')
    const unsent = await list('')
    assert.equal(new URL(unsent.links.next).searchParams.has('per_page'), false)
  })

  it('visits every monitor once by following links.next to its end', async () => {
    const seen: string[] = []
    let url: string | null = `${path}?per_page=7&type=http`
    for (let pages = 1; url !== null; pages++) {
      assert.ok(pages <= 5)
      const body = await list(new URL(url).search)
      seen.push(...namesOf(body))
      url = body.links.next
    }
    assert.deepEqual(seen, names)
  })

  it('refuses query values that are not what they should be', async () => {
    const bad = {
      page: [
        '0',
        '-1',
        '1.5',
        'abc',
        '1e1',
        '%2B1',
        '0x1',
        '2147483648',
        '99999999999999999999',
        '%201',
        '١',
        'null',
      ],
      per_page: ['0', '101', '-1', '10.0', 'all', '1e1', '%00'],
      status: ['UP', 'paused', 'up,down', '0'],
      type: ['HTTP', 'no-such-type', 'http,ssl'],
    }
    for (const [field, values] of Object.entries(bad)) {
      for (const value of values) {
        const answer = await api.get(`/monitors?${field}=${value}`)
        assert.equal(answer.status, 422, `${field}=${value} gave ${answer.status}`)
        assertInvalid(answer, [field])
      }
    }
    assertInvalid(await api.get('/monitors?page=0&per_page=0&status=x&type=x'), [
      'page',
      'per_page',
      'status',
      'type',
    ])
  })

  it('takes an empty value as absent, the last of repeated ones, and ignores unknown parameters', async () => {
    const table: [query: string, page: number, perPage: number, total: number][] = [
      ['?page=&per_page=&status=&type=', 1, 25, TOTAL],
      ['?page', 1, 25, TOTAL],
      ['?page=2&page=1', 1, 25, TOTAL],
      ['?page=x&page=2', 2, 25, TOTAL],
      ['?per_page=0&per_page=5', 1, 5, TOTAL],
      ['?type=ssl&type=http', 1, 25, TOTAL],
      ['?type=http&type=ssl', 1, 25, 0],
      ['?page=2&page=', 1, 25, TOTAL],
      ['?search=x&PAGE=0&page[]=0&filter[type]=x', 1, 25, TOTAL],
      ['/?page=2', 2, 25, TOTAL],
      ['?', 1, 25, TOTAL],
      ['?%70age=2', 2, 25, TOTAL],
    ]
    for (const [query, page, perPage, total] of table) {
      const { meta } = await list(query)
      assert.deepEqual([meta.current_page, meta.per_page, meta.total], [page, perPage, total], query)
    }
  })

  it('knows each path with a slash at its end, too', async () => {
    const id = (await list('?per_page=1')).data[0].id
    for (const path of ['/monitors', `/monitors/${id}`, `/monitors/${id}/checks`, '/incidents', '/team']) {
      const [plain, slashed] = [await api.get(path), await api.get(`${path}/`)]
      assert.equal(slashed.status, 200, path)
      assert.deepEqual(slashed.body, plain.body)
    }
  })

  it('puts monitors in name order whatever their case, equal names by id', async () => {
    const team = await service.createTeam()
    const asOwner = apiClient(service, team.id)
    const made = 'zz,Zulu,#1,beta 2,10,alpha,2,Alpha,éclair,Beta,Éclair,ALPHA'.split(',')
    const expected = '#1,10,2,alpha,Alpha,ALPHA,Beta,beta 2,Zulu,zz,éclair,Éclair'.split(',')
    for (const name of made) await asOwner.post('/monitors', { ...MONITORS.http, name })
    assert.deepEqual(namesOf(await list('', asOwner)), expected)
  })

  it('filters by type and by status, and by both', async () => {
    const team = await service.createTeam()
    const asOwner = apiClient(service, team.id)
    const statuses = CheckStatus.options
    const { db } = service.services
    for (const type of MONITOR_TYPES) {
      for (const status of statuses) {
        const { id } = (await asOwner.post('/monitors', { ...MONITORS[type], name: `${type} ${status}` }))
          .body.data
        await db.query.updateTable('monitor_state').set({ status }).where('monitor_id', '=', id).execute()
      }
    }
    for (const type of MONITOR_TYPES) {
      const found = await list(`?type=${type}`, asOwner)
      assert.deepEqual(
        namesOf(found),
        [...statuses].sort().map((status) => `${type} ${status}`),
      )
      assert.equal(found.meta.total, statuses.length)
    }
    for (const status of statuses) {
      const found = await list(`?per_page=100&status=${status}`, asOwner)
      assert.deepEqual(
        namesOf(found),
        [...MONITOR_TYPES].sort().map((type) => `${type} ${status}`),
      )
    }
    assert.deepEqual(namesOf(await list('?status=down&type=tcp', asOwner)), ['tcp down'])
  })

  it('shows a viewer all of it', async () => {
    const { id } = (await api.get('/team')).body.data
    const seen = await list('', apiClient(service, id, 'viewer'))
    assert.deepEqual(seen, await list(''))
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readReportSearch } from '../../dashboard/data/history-search.ts'
import { periodQueryOf } from '../../dashboard/data/lists/period-search.ts'
import { readMaintenanceSearch, readNewWindowSearch } from '../../dashboard/data/maintenance-search.ts'
import { wayBack } from '../../dashboard/data/way-back.ts'
import { plainUrlOf } from '../../dashboard/forms/target.ts'
import { AUDIT_LIST } from '../../src/core/lists/audit-list.ts'
import { DELIVERY_LIST } from '../../src/core/lists/delivery-list.ts'
import { EXPIRY_LIST } from '../../src/core/lists/expiry-list.ts'
import { INCIDENT_LIST } from '../../src/core/lists/incident-list.ts'
import type { List } from '../../src/core/lists/list.ts'
import { MONITOR_LIST } from '../../src/core/lists/monitor-list.ts'
import { changed, countUsed, readSearch } from '../../src/core/lists/search.ts'
import { SERVER_LIST } from '../../src/core/lists/server-list.ts'
import { SITE_LIST } from '../../src/core/lists/site-list.ts'
import { completeUrl } from '../../src/core/monitors/target.ts'

type Search = Record<string, unknown>

const searchOf = (list: List) => (given: Search) => readSearch(list, given)

describe("reading a screen's state from its address", () => {
  const cases: [read: (given: Search) => object, given: Search, kept: Search][] = [
    [searchOf(MONITOR_LIST), { order: 'bogus' }, {}],
    [
      searchOf(MONITOR_LIST),
      { order: 'desc', sort: 'name', page: 2, status: 'down', type: 'http', search: 'shop' },
      { order: 'desc', sort: 'name', page: 2, status: 'down', type: 'http', search: 'shop' },
    ],
    [searchOf(MONITOR_LIST), { sort: 'x', page: 0, status: 'bad', type: 5, search: '' }, {}],
    [searchOf(EXPIRY_LIST), { search: 1, of: 'domain' }, { search: '1', of: 'domain' }],
    [searchOf(EXPIRY_LIST), { search: '', of: 'key' }, {}],
    [searchOf(AUDIT_LIST), { page: 2 }, { page: 2 }],
    [searchOf(AUDIT_LIST), { page: 'x', person: 'me', kind: 'x', from: '2026-11-31' }, {}],
    [
      searchOf(AUDIT_LIST),
      { person: '3', kind: 'contact', to: '2026-11-30', search: 5 },
      { person: 3, kind: 'contact', to: '2026-11-30', search: '5' },
    ],
    [readReportSearch, { range: 'forever', region: 1, failed: 'yes' }, { region: '1' }],
    [readReportSearch, { range: '24h', failed: true }, { range: '24h', failed: true }],
    [
      readReportSearch,
      { from: 1_800_000_000, to: 1_800_003_600, line: 'before' },
      { from: 1_800_000_000, to: 1_800_003_600, line: 'before' },
    ],
    [readReportSearch, { from: 1_800_000_000, line: 'after' }, {}],
    [readReportSearch, { from: 1_800_000_000, to: 1_800_000_299 }, {}],
    [readReportSearch, { from: '1800000000', to: 1_800_003_600 }, {}],
    [searchOf(INCIDENT_LIST), { page: -1, state: 'bogus' }, {}],
    [searchOf(INCIDENT_LIST), { page: 3, state: 'open' }, { page: 3, state: 'open' }],
    [
      searchOf(INCIDENT_LIST),
      { search: 503, kind: 'server', server: 4, from: '2026-11-01', to: '2026-11-30' },
      { search: '503', kind: 'server', server: 4, from: '2026-11-01', to: '2026-11-30' },
    ],
    [
      searchOf(INCIDENT_LIST),
      { search: '', kind: 'person', monitor: 'x', from: '2026-11-31', to: '2026-1-1' },
      {},
    ],
    [readMaintenanceSearch, { view: 'calendar', month: '2027-03' }, { view: 'calendar', month: '2027-03' }],
    [readMaintenanceSearch, { view: 'calendar', month: '2027-13' }, { view: 'calendar' }],
    [readMaintenanceSearch, { view: 'year', month: '2027-03' }, {}],
    [readNewWindowSearch, { monitor: 5 }, { monitor: 5 }],
    [readNewWindowSearch, { monitor: 'all' }, {}],
    [readNewWindowSearch, { server: 7, monitor: 'x' }, { server: 7 }],
    [readNewWindowSearch, { site: 9 }, { site: 9 }],
    [searchOf(DELIVERY_LIST), { page: 'x', contact: 'me', state: 'lost' }, {}],
    [searchOf(DELIVERY_LIST), { contact: 4, state: 'failed' }, { contact: 4, state: 'failed' }],
    [searchOf(DELIVERY_LIST), { server_incident: 4, site: '9' }, { site: 9 }],
    [
      searchOf(SERVER_LIST),
      { page: 2, search: 5, status: 'down', sort: 'cpu', order: 'asc', tags: 'team, Env:Prod', group: 'env' },
      {
        page: 2,
        search: '5',
        status: 'down',
        sort: 'cpu',
        order: 'asc',
        tags: 'env:prod,team',
        group: 'env',
      },
    ],
    [searchOf(SERVER_LIST), { page: 0, search: '', status: 'bad', sort: 'x', order: 1, group: 'A b' }, {}],
    [
      searchOf(SITE_LIST),
      { search: 1, status: 'paused', tags: 2027 },
      { search: '1', status: 'paused', tags: '2027' },
    ],
    [searchOf(SITE_LIST), { search: 'x'.repeat(256), status: 'gone', tags: ',' }, {}],
  ]
  for (const [read, given, kept] of cases) {
    it(`keeps ${JSON.stringify(kept)} of ${JSON.stringify(given)}`, () => {
      // As the router lays it over the address.
      const laid: Search = { ...given, ...read(given) }
      assert.deepEqual(JSON.parse(JSON.stringify(laid)), kept)
    })
  }
})

describe('a search', () => {
  it('starts at the first page after a change, and holds what is set alone', () => {
    assert.deepEqual(changed<Search>({ type: undefined })({ page: 3, status: 'up', type: 'http' }), {
      status: 'up',
    })
    assert.deepEqual(changed<Search>({ page: 4 })({ page: 3, status: 'up' }), { page: 4, status: 'up' })
  })

  it('counts the fields in use: those that several filters share once, and none that stand elsewhere', () => {
    assert.equal(countUsed(INCIDENT_LIST, { search: 'x', state: 'open', server: 4, from: 'a', to: 'b' }), 2)
    assert.equal(
      countUsed(MONITOR_LIST, { status: 'up', tags: 'env', group: 'env', sort: 'name', page: 2 }),
      3,
    )
  })
})

describe('the days in the address of the list of incidents', () => {
  it('are whole days of the reader, the last one included', () => {
    const query = periodQueryOf({ state: 'open', from: '2026-11-21', to: '2026-11-21' })
    assert.equal(query.state, 'open')
    assert.equal(query.from, new Date(2026, 10, 21).toISOString())
    assert.equal(query.to, new Date(2026, 10, 22).toISOString())
    assert.deepEqual(periodQueryOf({}), { from: undefined, to: undefined })
  })
})

describe('the way back from the sign-in page', () => {
  const cases: [href: string | undefined, way: string][] = [
    ['/teams/1/monitors?status=down', '/teams/1/monitors?status=down'],
    [undefined, '/'],
    ['', '/'],
    ['/sign-in', '/'],
    ['/sign-in?to=%2Fteams%2F1', '/teams/1'],
    ['/sign-in?to=%2Fsign-in%3Fto%3D%252Fteams%252F1%253Frange%253D7d', '/teams/1?range=7d'],
    ['/sign-in?to=https%3A%2F%2Fevil.example', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['/sign-info', '/sign-info'],
  ]
  for (const [href, way] of cases) {
    it(`leads from ${href} to ${way}`, () => assert.equal(wayBack(href), way))
  }
})

describe('a target without a scheme', () => {
  const cases: [typed: string, url: string, plain: string | null][] = [
    ['example.com/status', 'https://example.com/status', null],
    ['192.0.2.7', 'https://192.0.2.7', 'http://192.0.2.7'],
    ['192.0.2.7:8080/up', 'https://192.0.2.7:8080/up', 'http://192.0.2.7:8080/up'],
    ['[2001:db8::7]', 'https://[2001:db8::7]', 'http://[2001:db8::7]'],
    ['localhost:3000', 'https://localhost:3000', 'http://localhost:3000'],
    ['http://192.0.2.7', 'http://192.0.2.7', null],
  ]
  for (const [typed, url, plain] of cases) {
    it(`such as ${typed} is taken as ${url}${plain ? `, and ${plain} is offered` : ''}`, () => {
      assert.equal(completeUrl('http', typed), url)
      assert.equal(plainUrlOf('http', url), plain)
      assert.equal(plainUrlOf('ssl', url), null, 'a certificate is what that is about')
    })
  }
})

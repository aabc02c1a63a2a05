import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ServerSearch } from '../../../dashboard/data/servers/server-search.ts'
import { PER_PAGE, pageOf, serversFound } from '../../../dashboard/screens/servers/server-list.ts'
import type { ServerRow } from '../../../src/core/servers/shown-server.ts'

const AT = '2027-01-01T00:00:00.000000Z'

function server(name: string, rest: Partial<ServerRow> = {}): ServerRow {
  return {
    id: name.charCodeAt(0),
    name,
    host_name: null,
    status: 'up',
    is_active: true,
    status_since: AT,
    last_report_at: AT,
    cpu_percent: null,
    memory_used_percent: null,
    fullest: null,
    load_per_cpu: null,
    causes: [],
    tags: [],
    ...rest,
  }
}

const SERVERS = [
  server('apple', { cpu_percent: 20, fullest: { mount: '/', used_percent: 50 } }),
  server('Banana', { status: 'degraded', host_name: 'fruit-2.example.com', cpu_percent: 90 }),
  server('cherry', { status: 'down', load_per_cpu: 3 }),
  server('date', { is_active: false, status: 'down', cpu_percent: 0 }),
  server('elder', { status: 'pending', last_report_at: null }),
]

describe('the list of servers', () => {
  it('counts as people do', () => {
    const names = ['grow-10', 'grow-2', 'Grow-1', 'grow-100', 'eta', 'Ähre', 'zeta']
    const rows = names.map((name, id) => server(name, { id }))
    const inOrder = (search: ServerSearch) => serversFound(rows, search).map(({ name }) => name)
    const expected = ['Ähre', 'eta', 'Grow-1', 'grow-2', 'grow-10', 'grow-100', 'zeta']
    assert.deepEqual(inOrder({ sort: 'name' }), expected)
    assert.deepEqual(inOrder({ sort: 'name', order: 'desc' }), expected.toReversed())
    assert.deepEqual(inOrder({}), expected)
  })

  const cases: [search: ServerSearch, names: string][] = [
    [{}, 'cherry Banana elder apple date'],
    [{ sort: 'name' }, 'apple Banana cherry date elder'],
    [{ sort: 'name', order: 'desc' }, 'elder date cherry Banana apple'],
    [{ sort: 'cpu' }, 'Banana apple date cherry elder'],
    [{ sort: 'cpu', order: 'asc' }, 'date apple Banana cherry elder'],
    [{ sort: 'disk' }, 'apple Banana cherry date elder'],
    [{ sort: 'load' }, 'cherry apple Banana date elder'],
    [{ sort: 'last_report_at' }, 'apple Banana cherry date elder'],
    [{ status: 'down' }, 'cherry'],
    [{ status: 'paused' }, 'date'],
    [{ search: 'AN fruit' }, 'Banana'],
    [{ search: 'nothing' }, ''],
  ]
  for (const [search, names] of cases) {
    it(`of ${JSON.stringify(search)}: ${names || 'none'}`, () => {
      assert.equal(
        serversFound(SERVERS, search)
          .map(({ name }) => name)
          .join(' '),
        names,
      )
    })
  }

  it('comes in pages, and has the last one for an address behind its end', () => {
    const rows = Array.from({ length: PER_PAGE + 1 }, (_, index) => index)
    assert.deepEqual(pageOf(rows, 9), {
      rows: [PER_PAGE],
      meta: { current_page: 2, last_page: 2, from: PER_PAGE + 1, to: PER_PAGE + 1, total: PER_PAGE + 1 },
    })
    assert.deepEqual(pageOf([], undefined).meta, {
      current_page: 1,
      last_page: 1,
      from: null,
      to: null,
      total: 0,
    })
  })
})

import assert from 'node:assert/strict'
import type { EventEmitter } from 'node:events'
import { after, before, describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { list } from '../../../src/core/lists/list.ts'
import { integerParameter } from '../../../src/core/lists/parameter.ts'
import { countUsed, isFiltered, readSearch } from '../../../src/core/lists/search.ts'
import { SERVER_LIST } from '../../../src/core/lists/server-list.ts'
import { DEFAULT_PLANS } from '../../../src/core/teams/plan.ts'
import type { Actor } from '../../../src/operations/implementation.ts'
import { listServers } from '../../../src/operations/servers/servers.ts'
import type { Services } from '../../../src/operations/services.ts'
import { type Database, openDatabase } from '../../../src/postgres/database.ts'
import type { FilterConditions } from '../../../src/store/lists/conditions.ts'
import { findListed, type SubjectList } from '../../../src/store/lists/subject-list.ts'
import { SERVER_ROWS } from '../../../src/store/servers/server-rows.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { ago } from '../../support/records/rows.ts'
import { addServers, type NewServer } from '../../support/records/servers.ts'
import { addTeam } from '../../support/records/teams.ts'

const AT = ago(1_000)
const figures = (latest: object, machine: object = { cpus: 2 }) => ({
  last_report_at: AT,
  latest: JSON.stringify(latest),
  machine: JSON.stringify(machine),
})

const SERVERS: NewServer[] = [
  {
    name: 'apple',
    tags: ['env:prod'],
    state: { status: 'up', ...figures({ cpu_percent: 20, 'file_system_used_percent:/': 50 }) },
  },
  {
    name: 'Banana',
    tags: ['env:dev', 'team'],
    state: {
      status: 'degraded',
      ...figures(
        { cpu_percent: 90, load_5: 1, memory_total_bytes: 4, memory_available_bytes: 1 },
        { cpus: 2, host_name: 'fruit-2.example.com' },
      ),
    },
  },
  {
    name: 'cherry',
    tags: ['env:prod'],
    state: { status: 'down', ...figures({ load_5: 6, 'file_system_used_percent:/a': 9 }) },
  },
  {
    name: 'date',
    is_active: false,
    state: {
      status: 'down',
      ...figures({ cpu_percent: 0, memory_total_bytes: 4, memory_available_bytes: 3 }),
    },
  },
  { name: 'elder', tags: ['env:dev'], state: { status: 'pending' } },
]

/** A filter that no list has: entry, field and condition stand here, and nowhere else. */
const INVENTED = list({
  filters: { ...SERVER_LIST.filters, letters: { schema: integerParameter(1) } },
  sorts: SERVER_LIST.sorts,
})
const INVENTED_ROWS: SubjectList<typeof INVENTED> = {
  ...SERVER_ROWS,
  list: INVENTED,
  conditions: { ...SERVER_ROWS.conditions, letters: (count) => sql`length(s.name) = ${count}` },
}
// @ts-expect-error -- a filter without a condition in SQL does not compile
export const FORGOTTEN: FilterConditions<typeof INVENTED> = SERVER_ROWS.conditions

describe('a list of subjects', () => {
  let database: TestDatabase
  let team: number
  let names: Map<number, string>
  before(async () => {
    database = await openTestDatabase()
    team = await addTeam(database.db)
    names = await addNamed(team, SERVERS)
    await addNamed(await addTeam(database.db), SERVERS)
  })
  after(() => database.close())

  async function addNamed(team_id: number, servers: NewServer[]) {
    const added = await addServers(database.db, servers.length, (index) => ({ ...servers[index], team_id }))
    return new Map(added.map(({ id }, index) => [id, String(servers[index]?.name)]))
  }
  const ask = (query: Record<string, string>, teamId = team) =>
    findListed(database.db, SERVER_ROWS, teamId, SERVER_LIST.query.parse(query))
  const inOrder = async (query: Record<string, string>) =>
    (await ask(query)).ids.map((id) => names.get(id)).join(' ')

  it('has what was asked for, in its order, the worst first and what is unknown last', async () => {
    const cases: [query: Record<string, string>, names: string][] = [
      [{}, 'cherry Banana elder apple date'],
      [{ order: 'desc' }, 'date apple elder Banana cherry'],
      [{ sort: 'name' }, 'apple Banana cherry date elder'],
      [{ sort: 'name', order: 'desc' }, 'elder date cherry Banana apple'],
      [{ sort: 'cpu' }, 'Banana apple date cherry elder'],
      [{ sort: 'cpu', order: 'asc' }, 'date apple Banana cherry elder'],
      [{ sort: 'memory' }, 'Banana date apple cherry elder'],
      [{ sort: 'disk' }, 'apple cherry Banana date elder'],
      [{ sort: 'load' }, 'cherry Banana apple date elder'],
      [{ sort: 'last_report_at' }, 'apple Banana cherry date elder'],
      [{ status: 'down' }, 'cherry'],
      [{ status: 'paused' }, 'date'],
      [{ search: 'AN  fruit' }, 'Banana'],
      [{ search: 'nothing' }, ''],
      [{ search: '%' }, ''],
      [{ search: '' }, 'cherry Banana elder apple date'],
      [{ tags: 'env' }, 'cherry Banana elder apple'],
      [{ tags: 'env:dev,team' }, 'Banana'],
      [{ group: 'env' }, 'Banana elder cherry apple date'],
      [{ group: 'env', tags: 'env:prod', sort: 'name' }, 'apple cherry'],
    ]
    for (const [query, expected] of cases) assert.equal(await inOrder(query), expected, JSON.stringify(query))
  })

  it('counts as people do', async () => {
    const counted = [
      'grow-10',
      'grow-2',
      'Grow-1',
      'grow-100',
      'eta',
      'Ähre',
      'zeta',
      'grow-010b',
      `grow-${'9'.repeat(20)}`,
    ]
    const teamId = await addTeam(database.db)
    const known = await addNamed(
      teamId,
      counted.map((name) => ({ name })),
    )
    const byCollator = counted.toSorted(
      new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare,
    )
    for (const order of ['asc', 'desc'] as const) {
      const { ids } = await ask({ sort: 'name', order }, teamId)
      assert.deepEqual(
        ids.map((id) => known.get(id)),
        order === 'asc' ? byCollator : byCollator.toReversed(),
      )
    }
  })

  it('has the groups of all pages, each with its worst status', async () => {
    const { ids, total, groups } = await ask({ group: 'env', per_page: '1' })
    assert.deepEqual([ids.length, total], [1, 5])
    assert.deepEqual(groups, [
      { tag: 'env:dev', count: 2, worst: 'degraded', worst_count: 1 },
      { tag: 'env:prod', count: 2, worst: 'down', worst_count: 1 },
      { tag: null, count: 1, worst: 'paused', worst_count: 1 },
    ])
    assert.deepEqual((await ask({ group: 'env', search: 'nothing' })).groups, [])
    assert.equal((await ask({})).groups, null)
  })

  it('comes in pages, of which one behind the end is empty', async () => {
    const pages = await Promise.all(
      ['1', '2', '3', '4'].map((page) => ask({ sort: 'name', per_page: '2', page })),
    )
    assert.deepEqual(
      pages.map(({ ids, total }) => [ids.map((id) => names.get(id)), total]),
      [
        [['apple', 'Banana'], 5],
        [['cherry', 'date'], 5],
        [['elder'], 5],
        [[], 5],
      ],
    )
  })

  it('takes a filter that is an entry and a condition through address, count, query and SQL', async () => {
    const address = readSearch(INVENTED, { letters: '6', page: '1' })
    assert.deepEqual([address.letters, address.page], [6, 1])
    assert.equal(readSearch(INVENTED, { letters: 'six' }).letters, undefined)
    assert.equal(countUsed(INVENTED, address), 1)
    assert.ok(isFiltered(INVENTED, address))
    const query = INVENTED.query.parse({ letters: '6', sort: 'name' })
    const { ids, total } = await findListed(database.db, INVENTED_ROWS, team, query)
    assert.deepEqual([ids.map((id) => names.get(id)), total], [['Banana', 'cherry'], 2])
    assert.equal(INVENTED.query.safeParse({ letters: 'six' }).success, false)
  })

  it('reads no more rows than a page has, whatever the team has', async (t) => {
    const teamId = await addTeam(database.db)
    await addNamed(
      teamId,
      Array.from({ length: 300 }, (_, index) => ({ name: `server ${index}` })),
    )
    const asked = {
      actor: { teamId, plan: 'business' } as Actor,
      query: SERVER_LIST.query.parse({ per_page: '10', page: '7', sort: 'name' }),
    } as Parameters<typeof listServers.perform>[1]
    const { read, given } = await countRows(t, database.db, (db) =>
      listServers.perform({ db, plans: DEFAULT_PLANS, siteUrl: 'https://upbeat.example' } as Services, asked),
    )
    const body = given.body as { data: { name: string }[]; meta: { total: number } }
    assert.deepEqual(
      body.data.map(({ name }) => name),
      Array.from({ length: 10 }, (_, index) => `server ${60 + index}`),
    )
    assert.equal(body.meta.total, 300)
    // The rows, the page and the number of servers.
    assert.equal(read, 10 + 1 + 1)
  })
})

/** How many rows the work gets from the database, over connections that nothing else uses. */
async function countRows<T>(
  t: TestContext,
  { connection }: Database,
  work: (db: Database) => Promise<T>,
): Promise<{ read: number; given: T }> {
  const db = openDatabase({ ...connection }, () => {})
  t.after(() => db.close())
  let read = 0
  db.pool.on('connect', (client) => {
    ;(client as unknown as { connection: EventEmitter }).connection.on('dataRow', () => read++)
  })
  return { given: await work(db), read }
}

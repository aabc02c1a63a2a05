import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import Papa from 'papaparse'
import { DAY_MS } from '../../src/core/history/history-span.ts'
import { AUDIT_LIST } from '../../src/core/lists/audit-list.ts'
import { DELIVERY_LIST } from '../../src/core/lists/delivery-list.ts'
import { EXPIRY_LIST } from '../../src/core/lists/expiry-list.ts'
import { INCIDENT_LIST } from '../../src/core/lists/incident-list.ts'
import type { FilterName, List } from '../../src/core/lists/list.ts'
import { MONITOR_LIST } from '../../src/core/lists/monitor-list.ts'
import { countUsed, readSearch } from '../../src/core/lists/search.ts'
import { SERVER_LIST } from '../../src/core/lists/server-list.ts'
import { SITE_LIST } from '../../src/core/lists/site-list.ts'
import { CSV_LISTS, type CsvList } from '../../src/core/reports/csv-list.ts'
import { ACKNOWLEDGED_STEP } from '../../src/store/on-call/acknowledged-deliveries.ts'
import { createDemoTeam } from '../support/browser/demo-team.ts'
import { PASSWORD } from '../support/browser/people.ts'
import { addContacts, addDeliveries } from '../support/records/alerting.ts'
import { addIncident } from '../support/records/history.ts'
import { addMonitor } from '../support/records/monitors.ts'
import { addRow, ago, changeRows } from '../support/records/rows.ts'
import { addServer } from '../support/records/servers.ts'
import { addSite } from '../support/records/sites.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import { type SignedIn, signIn } from '../support/services/signed-in.ts'
import { openBrowser } from '../support/sign-in/cookie-browser.ts'

type Sample = {
  /** As a query says it; an address of the dashboard says the same unless `address` is something else. */
  says: string | number
  address?: string | number | null
  /** The rows that it leaves, by the column of the file that tells them apart. */
  leaves: string[]
  /** A value that is refused, and dropped from an address. */
  wrong: string
}
type Case<L extends List> = {
  list: L
  path: string
  csv: CsvList
  column: string
  /** The rows without any filter. */
  all: string[]
  samples: { [Name in FilterName<L>]: Sample }
}
const casesOf = <L extends List>(of: Case<L>) => of as unknown as Case<List>

const OLD = new Date('2026-05-01T10:00:00Z')
const NEW = new Date('2026-05-09T10:00:00Z')

describe('each filter of each list', () => {
  let owner: SignedIn
  let cases: Case<List>[]

  before(async () => {
    const service = await apiService()
    const { db } = service.services
    owner = await signIn(service, (await service.createTeam()).id)
    const team_id = owner.teamId
    const shop = await addMonitor(db, {
      team_id,
      name: 'shop',
      tags: ['env:prod'],
      state: { status: 'down' },
    })
    await addMonitor(db, { team_id, name: 'wire', type: 'tcp', state: { status: 'up' } })
    const web = await addServer(db, { team_id, name: 'web-2', tags: ['env:prod'], state: { status: 'down' } })
    await addServer(db, { team_id, name: 'web-10', is_active: false })
    const home = await addSite(db, {
      team_id,
      name: 'home',
      url: 'https://home.example/',
      tags: ['env:prod'],
    })
    await changeRows(db, 'site_areas', { site_id: home.id, area: 'home_page' }, { status: 'down' })
    await addSite(db, { team_id, name: 'blog' })
    const domain = { memory: '{"expires_at": "2027-04-01T00:00:00.000000Z"}' }
    await changeRows(db, 'site_areas', { site_id: home.id, area: 'domain' }, domain)
    await changeRows(db, 'monitor_state', { monitor_id: shop.id }, { ssl_expires_at: NEW })
    await db.query.deleteFrom('audit_entries').where('team_id', '=', team_id).execute()
    const { id: ada } = await db.query
      .selectFrom('users')
      .select('id')
      .where('email', '=', owner.email)
      .executeTakeFirstOrThrow()
    const line = { team_id, door: 'dashboard' as const }
    await addRow(db, 'audit_entries', {
      ...{ ...line, at: OLD, action: 'updateMonitor', subject: 'shop', fields: ['name'] },
    })
    await addRow(db, 'audit_entries', {
      ...{ ...line, at: NEW, user_id: ada, actor_name: 'Ada', action: 'updateSite', subject: 'home' },
      fields: ['check_interval_minutes'],
    })
    const ofShop = await addIncident(db, {
      ...{ team_id, monitor_id: shop.id, cause: 'refused', started_at: OLD, resolved_at: OLD },
    })
    const ofServer = await addIncident(db, {
      ...{ team_id, server_id: web.id, about: 'silent', cause: 'silent', started_at: NEW },
    })
    const ofSite = await addIncident(db, {
      ...{ team_id, site_id: home.id, about: 'home_page', cause: 'broken', started_at: NEW },
    })
    const [contact] = await addContacts(db, [{ team_id }])
    const [ofA] = await addDeliveries(db, [
      {
        team_id,
        contact_name: 'a',
        created_at: OLD,
        kind: 'monitor',
        subject_id: shop.id,
        team_incident_id: ofShop,
        contact_id: contact ?? 0,
        state: 'sent',
      },
      {
        team_id,
        contact_name: 'b',
        kind: 'server',
        subject_id: web.id,
        team_incident_id: ofServer,
        state: 'failed',
      },
      {
        team_id,
        contact_name: 'c',
        kind: 'site',
        subject_id: home.id,
        team_incident_id: ofSite,
        state: 'failed',
      },
    ])
    const status: Sample = { says: 'down', leaves: [], wrong: 'asleep' }
    const tags: Sample = { says: 'env:prod', leaves: [], wrong: 'A b' }
    const ids = (id: number | string, leaves: string): Sample => ({
      says: String(id),
      leaves: [leaves],
      wrong: '1,x',
    })
    const day = { says: '2026-05-05T00:00:00Z', address: '2026-05-05', wrong: '2026-02-30' }
    const one = (id: number, leaves: string): Sample => ({ says: id, leaves: [leaves], wrong: 'x' })
    cases = [
      casesOf<typeof MONITOR_LIST>({
        ...{
          list: MONITOR_LIST,
          path: '/monitor-rows',
          csv: 'monitors',
          column: 'name',
          all: ['shop', 'wire'],
        },
        samples: {
          search: { says: 'SHO', leaves: ['shop'], wrong: 'x'.repeat(256) },
          status: { ...status, leaves: ['shop'] },
          type: { says: 'tcp', leaves: ['wire'], wrong: 'gopher' },
          tags: { ...tags, leaves: ['shop'] },
          ids: ids(shop.id, 'shop'),
        },
      }),
      casesOf<typeof SERVER_LIST>({
        ...{ list: SERVER_LIST, path: '/servers', csv: 'servers', column: 'name', all: ['web-2', 'web-10'] },
        samples: {
          search: { says: 'WEB-1', leaves: ['web-10'], wrong: 'x'.repeat(256) },
          status: { ...status, leaves: ['web-2'] },
          tags: { ...tags, leaves: ['web-2'] },
          ids: ids(web.id, 'web-2'),
        },
      }),
      casesOf<typeof SITE_LIST>({
        ...{ list: SITE_LIST, path: '/sites', csv: 'sites', column: 'name', all: ['blog', 'home'] },
        samples: {
          search: { says: 'HOME.example', leaves: ['home'], wrong: 'x'.repeat(256) },
          status: { ...status, leaves: ['home'] },
          tags: { ...tags, leaves: ['home'] },
          ids: ids(home.id, 'home'),
        },
      }),
      casesOf<typeof INCIDENT_LIST>({
        ...{ list: INCIDENT_LIST, path: '/incident-rows', csv: 'incidents', column: 'subject' },
        all: ['web-2', 'home', 'shop'],
        samples: {
          search: { says: 'REFUSED', leaves: ['shop'], wrong: 'x'.repeat(256) },
          state: { says: 'resolved', leaves: ['shop'], wrong: 'asleep' },
          kind: { says: 'site', leaves: ['home'], wrong: 'person' },
          monitor: one(shop.id, 'shop'),
          server: one(web.id, 'web-2'),
          site: one(home.id, 'home'),
          from: { ...day, leaves: ['web-2', 'home'] },
          to: { ...day, leaves: ['shop'] },
          ids: ids(`server-${ofServer}`, 'web-2'),
        },
      }),
      casesOf<typeof DELIVERY_LIST>({
        ...{
          list: DELIVERY_LIST,
          path: '/deliveries',
          csv: 'deliveries',
          column: 'contact',
          all: ['c', 'b', 'a'],
        },
        samples: {
          contact: one(contact ?? 0, 'a'),
          state: { says: 'sent', leaves: ['a'], wrong: 'lost' },
          monitor: one(shop.id, 'a'),
          server: one(web.id, 'b'),
          site: one(home.id, 'c'),
          monitor_incident: { ...one(ofShop, 'a'), address: null },
          server_incident: { ...one(ofServer, 'b'), address: null },
          site_incident: { ...one(ofSite, 'c'), address: null },
          from: { ...day, leaves: ['c', 'b'] },
          to: { ...day, leaves: ['a'] },
          ids: { ...ids(ofA ?? 0, 'a'), address: null },
        },
      }),
      casesOf<typeof EXPIRY_LIST>({
        ...{ list: EXPIRY_LIST, path: '/expiries', csv: 'expiries', column: 'name', all: ['shop', 'home'] },
        samples: {
          search: { says: 'SHO', leaves: ['shop'], wrong: 'x'.repeat(256) },
          of: { says: 'domain', leaves: ['home'], wrong: 'key' },
        },
      }),
      casesOf<typeof AUDIT_LIST>({
        ...{ list: AUDIT_LIST, path: '/audit-log', csv: 'audit-log', column: 'subject' },
        all: ['home', 'shop'],
        samples: {
          search: { says: 'INTERVAL ada', leaves: ['home'], wrong: 'x'.repeat(256) },
          person: one(ada, 'home'),
          kind: { says: 'site', leaves: ['home'], wrong: 'person-like' },
          from: { ...day, leaves: ['home'] },
          to: { ...day, leaves: ['shop'] },
        },
      }),
    ]
  })

  const fileOf = async (of: Case<List>, query: string) => {
    const { status, body } = await owner.send('GET', `/csv/${of.csv}${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    const { data } = Papa.parse<Record<string, string>>(String(body), { header: true, skipEmptyLines: true })
    return data.map((row) => String(row[of.column])).sort()
  }
  const everyFilter = () =>
    cases.flatMap((of) => Object.entries(of.samples).map(([name, sample]) => ({ of, name, sample })))

  it('leaves its rows in the list and in the file', async () => {
    for (const of of cases) assert.deepEqual(await fileOf(of, ''), of.all.toSorted(), of.path)
    for (const { of, name, sample } of everyFilter()) {
      const query = `?${new URLSearchParams({ [name]: String(sample.says) })}`
      assert.ok(sample.leaves.length < of.all.length, `${of.path} ${name} leaves some rows out`)
      assert.deepEqual(await fileOf(of, query), sample.leaves.toSorted(), `${of.path} ${name}`)
      const { data, meta } = await owner.ask('GET', `${of.path}${query}`)
      assert.deepEqual(
        [data.length, meta.total],
        [sample.leaves.length, sample.leaves.length],
        `${of.path} ${name}`,
      )
      assert.ok(
        meta.links.every(({ url }: { url: string | null }) => !url || new URL(url).searchParams.has(name)),
      )
    }
  })

  it('is kept in an address and counted, unless its field stands elsewhere', () => {
    for (const { of, name, sample } of everyFilter()) {
      const said = sample.address === undefined ? sample.says : sample.address
      const search = readSearch(of.list, { [name]: sample.address ?? sample.says })
      assert.deepEqual(
        JSON.parse(JSON.stringify(search)),
        said === null ? {} : { [name]: said },
        `${of.path} ${name}`,
      )
      const isCounted = said !== null && of.list.filters[name]?.field !== null
      assert.equal(countUsed(of.list, search), Number(isCounted), `${of.path} ${name}`)
    }
  })

  it('refuses what it cannot read in the list and in the file, and drops it from an address', async () => {
    for (const { of, name, sample } of everyFilter()) {
      const query = `?${new URLSearchParams({ [name]: String(sample.wrong) })}`
      assertInvalid(await owner.send('GET', `${of.path}${query}`), [name])
      assertInvalid(await owner.send('GET', `/csv/${of.csv}${query}`), [name])
      assert.equal(
        (readSearch(of.list, { [name]: sample.wrong }) as Record<string, unknown>)[name],
        undefined,
      )
    }
  })

  it('is there for servers and sites as for monitors, with the limits of the plan', async () => {
    const { data, groups, meta } = await owner.ask('GET', '/servers?group=env&per_page=1')
    assert.deepEqual([data.length, meta.total, meta.last_page, meta.servers], [1, 2, 2, 2])
    assert.deepEqual(
      groups.map(({ tag }: { tag: string | null }) => tag),
      ['env:prod', null],
    )
    const sites = await owner.ask('GET', '/sites?page=2&per_page=1')
    assert.deepEqual([sites.data[0].name, sites.meta.sites, sites.groups], ['home', 2, null])
  })
})

describe('each column of each file', () => {
  it('has a value in some row, in a team whose screens all have something to show', async () => {
    const service = await apiService()
    const { id, owner, monitors } = await createDemoTeam(service, 2)
    const browser = openBrowser(service.url)
    await browser.send('POST', '/auth/sign-in', { email: owner.email, password: PASSWORD })
    // The screens of the demo have no place for these.
    const { db } = service.services
    const changes = [{ field: 'role', before: 'viewer', after: 'admin' }]
    await changeRows(db, 'audit_entries', { team_id: id }, { changes: JSON.stringify(changes) })
    await changeRows(db, 'deliveries', { team_id: id }, { step: ACKNOWLEDGED_STEP })
    const checkout = monitors.get('Checkout') ?? 0
    await changeRows(
      db,
      'checks',
      { monitor_id: checkout, status: 'up' },
      { error_message: 'one of two failed' },
    )
    const [first, today] = [30, 0].map((days) =>
      ago(days * DAY_MS)
        .toISOString()
        .slice(0, 10),
    )
    const queries: Partial<Record<CsvList, string>> = {
      checks: `?monitor=${checkout}`,
      report: `?from=${first}&to=${today}&zone=UTC`,
    }
    const empty: string[] = []
    for (const list of CSV_LISTS) {
      const { status, body } = await browser.send('GET', `/app/teams/${id}/csv/${list}${queries[list] ?? ''}`)
      assert.equal(status, 200, JSON.stringify(body))
      const [columns = [], ...rows] = Papa.parse<string[]>(String(body), { skipEmptyLines: true }).data
      assert.ok(rows.length > 0, `${list} has rows`)
      const valueless = columns.filter((_, index) => rows.every((row) => row[index] === ''))
      empty.push(...valueless.map((column) => `${list}: ${column}`))
    }
    assert.deepEqual(empty, [], 'does the SQL have it, and the demo team?')
  })
})

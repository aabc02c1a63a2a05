// npm test leaves this out: it records looks at every area, with all that follows each (seconds of a core).
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type CheckResult, resultWithout } from '../../../../src/core/monitors/check.ts'
import type { AreaLook } from '../../../../src/core/sites/area-look.ts'
import type { DnsLook } from '../../../../src/core/sites/dns/records.ts'
import { HOME_LOOKS } from '../../../../src/core/sites/home-page.ts'
import type { FoundLook, SiteRecorder } from '../../../../src/engine/sites/site-finding.ts'
import { createSiteRecorder } from '../../../../src/engine/sites/site-recorder.ts'
import { stopJudgingAreas } from '../../../../src/store/sites/site-changes.ts'
import { openTestDatabase, type TestDatabase } from '../../../support/postgres/database.ts'
import { addContacts } from '../../../support/records/alerting.ts'
import { addProber } from '../../../support/records/probing.ts'
import { changeRows, type Given } from '../../../support/records/rows.ts'
import { addSite } from '../../../support/records/sites.ts'
import { addTeam } from '../../../support/records/teams.ts'

const MINUTE_MS = 60_000
const DOWN = resultWithout('down', 'HTTP 503')
const UP: CheckResult = { ...DOWN, status: 'up', errorMessage: null, responseTimeMs: 20, httpStatusCode: 200 }
const HOME_DOWN: FoundLook = { area: 'home_page', looks: Array.from({ length: HOME_LOOKS }, () => DOWN) }
const HOME_UP: FoundLook = { area: 'home_page', looks: [UP] }
const CERTIFICATE = {
  ...{ subject: 'shop', issuer: 'An Authority', names: ['shop'] },
  ...{ expires_at: '2100-01-01T00:00:00.000Z', fingerprint: 'a'.repeat(64) },
}
const mail = (...mx: string[]): FoundLook => ({
  area: 'dns',
  host: 'example.com',
  look: { kind: 'answered', sets: { mx, a: [] }, disagreeing: [], silent: [], alias: null } as DnsLook,
})

describe('the recorder of sites', () => {
  let database: TestDatabase
  let recorder: SiteRecorder
  let teamId: number
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createSiteRecorder(database.db, (error) => troubles.push(error))
    teamId = await addTeam(database.db)
    await addContacts(database.db, [{ team_id: teamId }])
  })
  after(async () => {
    await recorder.close()
    await database.close()
    assert.deepEqual(troubles, [])
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await database.db.pool.query(text, values)).rows
  const newSite = (columns: Given<'sites'> = {}) => addSite(database.db, { team_id: teamId, ...columns })
  /** Each test has its own: a file may wait for others of its group for minutes. */
  let now = 0
  beforeEach(() => {
    now = Date.now()
  })
  const minutesAgo = (minutes: number) => new Date(now - minutes * MINUTE_MS)
  const record = async (siteId: number, found: FoundLook, lookedAt = new Date(), changes = {}) =>
    (await recorder.recordLook({ siteId, revision: 0, membership: null, lookedAt, found, ...changes })).kind
  const areaOf = async (siteId: number, area: string) =>
    (await query('SELECT * FROM site_areas WHERE site_id = $1 AND area = $2', [siteId, area]))[0]
  const toldOf = async (siteId: number) =>
    (
      await query("SELECT event, alert FROM deliveries WHERE kind = 'site' AND subject_id = $1 ORDER BY id", [
        siteId,
      ])
    ).map(({ event, alert }) => `${event} ${alert.area}: ${alert.cause}`)

  it('opens an incident and tells of it, and of its end, with how long it took', async () => {
    const { id } = await newSite()
    assert.equal(await record(id, HOME_UP, minutesAgo(9)), 'recorded')
    assert.equal(await record(id, HOME_DOWN, minutesAgo(8)), 'recorded')
    assert.equal(await record(id, HOME_DOWN, minutesAgo(7)), 'recorded')
    assert.equal(await record(id, HOME_UP, minutesAgo(3)), 'recorded')
    assert.deepEqual(await toldOf(id), ['site.down Home page: HTTP 503', 'site.recovery Home page: HTTP 503'])
    const [incident, ...more] = await query(
      "SELECT * FROM team_incidents WHERE kind = 'site' AND subject_id = $1",
      [id],
    )
    assert.deepEqual([incident.about, incident.cause, more], ['home_page', 'HTTP 503', []])
    assert.equal(incident.resolved_at - incident.started_at, 5 * MINUTE_MS)
    const [, recovery] = await query(
      "SELECT * FROM deliveries WHERE kind = 'site' AND subject_id = $1 ORDER BY id",
      [id],
    )
    assert.deepEqual(
      [recovery.alert.downSeconds, recovery.alert.target, recovery.team_incident_id],
      [300, 'https://example.com/', incident.id],
    )
    const area = await areaOf(id, 'home_page')
    assert.deepEqual([area.status, area.told_status, area.memory.response_time_ms], ['up', null, 20])
    assert.ok(area.next_look_at > new Date() && area.next_look_at <= new Date(Date.now() + MINUTE_MS))
  })

  it('tells which areas are in trouble still', async () => {
    const { id } = await newSite()
    const refused: FoundLook = {
      area: 'certificate',
      look: { kind: 'refused', reason: 'certificate expired', chain: [] },
    }
    await record(id, refused, minutesAgo(9))
    await Promise.all([record(id, HOME_DOWN, minutesAgo(2)), record(id, refused, minutesAgo(2))])
    await record(id, HOME_UP, minutesAgo(1))
    const [{ alert }] = await query(
      `SELECT alert FROM deliveries WHERE kind = 'site' AND subject_id = $1 AND event = 'site.recovery'`,
      [id],
    )
    assert.deepEqual(alert.still, ['Certificate'])
  })

  it('believes a look that finds a certificate refused once a second one agrees, and says when that is', async () => {
    const { id } = await newSite()
    const refused: FoundLook = {
      area: 'certificate',
      look: { kind: 'refused', reason: 'certificate is self-signed (CN=shop)', chain: [] },
    }
    const valid: FoundLook = { area: 'certificate', look: { kind: 'valid', chain: [CERTIFICATE] } }
    await record(id, valid, minutesAgo(60))
    await record(id, refused, minutesAgo(1))
    const first = await areaOf(id, 'certificate')
    assert.deepEqual([first.status, first.doubt], ['up', 'certificate is self-signed (CN=shop)'])
    assert.deepEqual(first.doubted_at, minutesAgo(1))
    assert.deepEqual(first.next_look_at, minutesAgo(-4))
    assert.deepEqual(first.memory.chain, [CERTIFICATE])
    await record(id, valid, minutesAgo(0.5))
    assert.deepEqual([(await areaOf(id, 'certificate')).doubt, await toldOf(id)], [null, []])

    const other = (await newSite()).id
    for (const minutes of [16, 11, 10]) await record(other, refused, minutesAgo(minutes))
    const down = await areaOf(other, 'certificate')
    assert.deepEqual([down.status, down.doubt], ['down', null])
    assert.ok(down.next_look_at <= new Date(Date.now() + MINUTE_MS), 'every minute while it is down')
    await record(other, valid, minutesAgo(9))
    assert.deepEqual(await toldOf(other), [
      'site.down Certificate: certificate is self-signed (CN=shop)',
      'site.recovery Certificate: certificate is self-signed (CN=shop)',
    ])
    await stopJudgingAreas(database.db.query, id, ['certificate'], new Date())
  })

  it('drops what is stale: another revision, an earlier look, an ended membership, a site that is gone', async () => {
    const { id } = await newSite()
    const living = await addProber(database.db)
    assert.equal(await record(id, HOME_UP, minutesAgo(1), { membership: living }), 'recorded')
    const cases: [string, Date, object][] = [
      ['another revision', new Date(), { revision: 1 }],
      ['an earlier look', minutesAgo(2), {}],
      ['the same look again', minutesAgo(1), {}],
      ['an ended membership', new Date(), { membership: living + 1_000 }],
    ]
    for (const [what, at, changes] of cases)
      assert.equal(await record(id, HOME_DOWN, at, changes), 'stale', what)
    await changeRows(database.db, 'sites', { id }, { is_active: false })
    assert.equal(await record(id, HOME_DOWN), 'stale', 'a paused site')
    assert.deepEqual(await toldOf(id), [])
    assert.equal((await areaOf(id, 'home_page')).status, 'up')
  })

  it('tells a changed MX with before and after once the next look has seen it, and keeps both sets', async () => {
    const { id } = await newSite()
    for (const [minutes, set] of [
      [20, '10 a.example'],
      [15, '10 a.example'],
      [10, '10 b.example'],
      [5, '10 b.example'],
      [0, '10 b.example'],
    ] as const)
      assert.equal(await record(id, mail(set), minutesAgo(minutes)), 'recorded')
    assert.deepEqual(await toldOf(id), ['site.degraded DNS: MX changed from 10 a.example to 10 b.example'])
    const sets = await query(
      `SELECT records FROM site_dns_sets WHERE site_id = $1 AND type = 'mx' ORDER BY first_seen_at`,
      [id],
    )
    assert.deepEqual(
      sets.map(({ records }) => records),
      [['10 a.example'], ['10 b.example']],
    )
    assert.equal((await areaOf(id, 'dns')).status, 'up')
  })

  it('tells nothing of an area that is snoozed, and what still holds afterwards', async () => {
    const { id } = await newSite()
    const snooze = (until: Date | null) =>
      changeRows(database.db, 'site_areas', { site_id: id, area: 'home_page' }, { snoozed_until: until })
    await snooze(new Date(Date.now() + MINUTE_MS))
    await record(id, HOME_DOWN, minutesAgo(2))
    assert.deepEqual(await toldOf(id), [])
    await snooze(null)
    await record(id, HOME_DOWN, minutesAgo(1))
    assert.deepEqual(await toldOf(id), ['site.down Home page: HTTP 503'])
  })

  it('tells of an area anew that fails after its judging was stopped, as by a pause', async () => {
    const { id } = await newSite()
    await record(id, HOME_DOWN, minutesAgo(3))
    await stopJudgingAreas(database.db.query, id, ['home_page'], minutesAgo(2))
    await record(id, HOME_DOWN, minutesAgo(1))
    await record(id, HOME_UP, minutesAgo(0))
    assert.deepEqual(await toldOf(id), [
      'site.down Home page: HTTP 503',
      'site.down Home page: HTTP 503',
      'site.recovery Home page: HTTP 503',
    ])
  })

  it('writes what a crawl found in the transaction of its review, or nothing at all', async () => {
    const { id } = await newSite()
    const findings = {
      open: { lines: ['/a on /b: HTTP 404', '/c on /b: HTTP 404'], more: 1 },
      fixed: { lines: [], more: 0 },
    }
    const digest: AreaLook<object> = {
      ...{ status: 'degraded', cause: '3 links are broken', memory: {}, warning: '3 new', findings },
    }
    const fine = { status: 'up', cause: null, memory: {}, warning: null } as const
    await assert.rejects(
      record(id, {
        area: 'links',
        review: async (client) => {
          await client.query(`UPDATE sites SET name = 'changed' WHERE id = $1`, [id])
          throw Object.assign(new Error('a row that does not fit'), { code: '23514' })
        },
      }),
      /does not fit/,
    )
    troubles.length = 0
    const [{ name }] = await query('SELECT name FROM sites WHERE id = $1', [id])
    assert.equal(name, 'Shop')
    await record(
      id,
      {
        area: 'links',
        review: async () => ({
          links: digest,
          mixed_content: fine,
          sitemap: { ...digest, warning: '1 new' },
        }),
      },
      minutesAgo(2),
    )
    assert.equal((await areaOf(id, 'links')).status, 'degraded')
    const both = 'Links: 3 new; Sitemap: 1 new'
    assert.deepEqual(await toldOf(id), [`site.degraded Links: ${both}`])
    const [{ alert }] = await query("SELECT alert FROM deliveries WHERE kind = 'site' AND subject_id = $1", [
      id,
    ])
    assert.deepEqual(alert.areas, ['Links', 'Sitemap'])
    assert.equal(alert.findings.open.lines.length, 4)
    assert.equal(alert.findings.open.more, 2)
    const [links, mixed] = await Promise.all([areaOf(id, 'links'), areaOf(id, 'mixed_content')])
    assert.deepEqual(mixed.next_look_at, links.next_look_at)

    await record(id, { area: 'links', review: async () => ({ links: fine, sitemap: digest }) }, minutesAgo(1))
    await record(id, { area: 'links', review: async () => ({ links: digest, sitemap: fine }) })
    assert.deepEqual((await toldOf(id)).slice(1), [
      'site.degraded Links: Links: all fixed; Sitemap: 3 new',
      'site.degraded Links: Links: 3 new; Sitemap: all fixed',
    ])
    await record(
      id,
      { area: 'links', review: async () => ({ links: fine, sitemap: fine }) },
      new Date(Date.now() + 1_000),
    )
    assert.deepEqual((await toldOf(id)).slice(3), ['site.recovery Links: 3 links are broken'])
  })
})

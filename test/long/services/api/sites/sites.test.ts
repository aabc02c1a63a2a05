// npm test leaves this out: it sends every setting of sites, right and wrong (hundreds of requests, seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Delivery } from '../../../../../src/core/alerting/delivery-log.ts'
import type { SiteArea } from '../../../../../src/core/sites/area.ts'
import {
  DnsSet,
  Expiry,
  SiteDetail,
  SiteIncident,
  SiteRow,
} from '../../../../../src/core/sites/shown-site.ts'
import { SiteFinding } from '../../../../../src/core/sites/site-finding.ts'
import { setPlan } from '../../../../../src/operations/accounts/operator-accounts.ts'
import { addDeliveries } from '../../../../support/records/alerting.ts'
import { addIncident } from '../../../../support/records/history.ts'
import { addMonitor } from '../../../../support/records/monitors.ts'
import { addRow, addRows, ago, changeRows, countRows } from '../../../../support/records/rows.ts'
import { addFinding } from '../../../../support/records/sites.ts'
import { CONTACTS } from '../../../../support/services/api-bodies.ts'
import { assertInvalid, assertProblem } from '../../../../support/services/api-problems.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { type People, peopleOf, type Team } from '../../../../support/services/people.ts'

const PATH = '/sites'
const URL_OF_SHOP = 'https://shop.example.com/'
const DAY_MS = 86_400_000

describe('sites', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  const data = async ({ id, owner }: Team, method: string, path: string, body?: object) =>
    SiteDetail.parse(await owner.data(id, method, `${PATH}${path}`, body))
  const create = (team: Team, body: object = {}) =>
    data(team, 'POST', '', { name: 'Shop', url: URL_OF_SHOP, ...body })
  const listed = async (team: Team): Promise<SiteRow[]> =>
    (await team.viewer.data(team.id, 'GET', PATH)).map((row: unknown) => SiteRow.parse(row))
  const contactOf = async ({ id, owner }: Team, body: object = {}): Promise<number> =>
    (await owner.data(id, 'POST', '/notification-contacts', { ...CONTACTS.slack, ...body })).id
  const hold = (site_id: number, area: SiteArea, state: object) =>
    changeRows(service.services.db, 'site_areas', { site_id, area }, state)
  const areaOf = ({ areas }: SiteRow, named: SiteArea) => {
    const found = areas.find(({ area }) => area === named)
    assert.ok(found)
    return found
  }
  const revisionOf = async (id: number) =>
    (
      await service.services.db.query
        .selectFrom('sites')
        .select('revision')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).revision

  it('come back as they were sent, and every area is due at once', async () => {
    const team = await people.team()
    const settings = {
      ...{ name: 'Shop', url: URL_OF_SHOP, is_active: true, home_interval_seconds: 30, max_pages: 7 },
      ...{ checks_foreign_links: false, ignored_patterns: ['*/cart*'], domain_expires_on: '2027-02-03' },
      ...{ areas_off: ['sitemap'], contact_ids: [await contactOf(team)] },
    }
    const made = await create(team, settings)
    assert.deepEqual(made.settings, settings)
    assert.deepEqual(
      made.areas.map(({ area, status, next_look_at }) => [area, status, next_look_at !== null]),
      [
        ...['home_page', 'certificate', 'dns', 'domain', 'links', 'mixed_content'].map((area) => [
          area,
          'pending',
          true,
        ]),
        ['sitemap', 'pending', false],
      ],
    )
    assert.deepEqual(made.domain, {
      name: 'example.com',
      expires_on: '2027-02-03',
      source: 'Entered by hand.',
    })
    assert.deepEqual(await data(team, 'GET', `/${made.id}`), made)
    assert.deepEqual(await listed(team), [SiteRow.parse(made)])
    const changed = { ...settings, name: 'Other', contact_ids: [], areas_off: [] }
    assert.deepEqual((await data(team, 'PATCH', `/${made.id}`, changed)).settings, changed)
    assert.deepEqual((await data(team, 'PATCH', `/${made.id}`, {})).settings, changed)
  })

  it('have as defaults what the plan allows', async () => {
    const team = await people.team()
    assert.equal((await create(team)).settings.home_interval_seconds, 60)
    await setPlan(service.services, team.id, 'free')
    await team.owner.data(team.id, 'DELETE', `${PATH}/${(await listed(team))[0]?.id}`)
    const { settings } = await create(team)
    assert.deepEqual([settings.home_interval_seconds, settings.max_pages], [300, 100])
    const { status, body } = await team.owner.ask(team.id, 'POST', PATH, { name: 'b', url: URL_OF_SHOP })
    assert.deepEqual([status, body.title, body.plan, body.max_sites], [402, 'Plan limit reached', 'free', 1])
    const list = await team.viewer.ask(team.id, 'GET', PATH)
    const limits = { max_sites: 1, max_crawl_pages: 100, min_home_interval_seconds: 300 }
    assert.partialDeepStrictEqual(list.body.meta, { sites: 1, plan: 'free', ...limits, total: 1 })
    const more = { max_pages: 101, home_interval_seconds: 299 }
    const refused = await team.owner.ask(team.id, 'PATCH', `${PATH}/${(await listed(team))[0]?.id}`, more)
    assertInvalid(refused, ['max_pages', 'home_interval_seconds'])
    assert.deepEqual(refused.body.errors.max_pages, [
      'max_pages must be at most 100 on the free plan, got 101',
    ])
  })

  it('that had more on a larger plan can still be changed', async () => {
    const team = await people.team()
    const { id } = await create(team)
    await setPlan(service.services, team.id, 'free')
    const sent = { name: 'Other', max_pages: 5_000, home_interval_seconds: 60 }
    assert.equal((await data(team, 'PATCH', `/${id}`, sent)).name, 'Other')
  })

  for (const [what, fields, body] of [
    ['no scheme', ['url'], { url: 'shop.example.com' }],
    ['another scheme', ['url'], { url: 'ftp://shop.example.com/' }],
    ['credentials', ['url'], { url: 'https://a:b@shop.example.com/' }],
    ['a fragment', ['url'], { url: 'https://shop.example.com/#top' }],
    ['spaces', ['url'], { url: 'https://shop.example.com/a b' }],
    ['a host that is none', ['url'], { url: 'https://a%b/' }],
    ['an unknown area', ['areas_off.0'], { areas_off: ['weather'] }],
    ['a day that is none', ['domain_expires_on'], { domain_expires_on: '2027-02-30' }],
    ['a contact of nobody', ['contact_ids.0'], { contact_ids: [2_147_483_647] }],
    [
      'nothing to look at',
      ['areas_off'],
      { areas_off: ['home_page', 'certificate', 'dns', 'domain', 'links', 'mixed_content', 'sitemap'] },
    ],
  ] as const) {
    it(`are refused with ${what}, new and changed`, async () => {
      const team = await people.team()
      const whole = { name: 'Shop', url: URL_OF_SHOP, ...body }
      assertInvalid(await team.owner.ask(team.id, 'POST', PATH, whole), [...fields])
      const { id } = await create(team)
      assertInvalid(await team.owner.ask(team.id, 'PATCH', `${PATH}/${id}`, body), [...fields])
    })
  }

  it('are of one team, and changed by those who may', async () => {
    const [team, other] = [await people.team(), await people.team()]
    const { id } = await create(team)
    const finding = await addFinding(service.services.db, id)
    for (const path of [`/${id}`, `/${id}/findings`, `/${id}/dns`])
      assertProblem(await other.owner.ask(other.id, 'GET', `${PATH}${path}`), 404)
    const ignore = `/site-findings/${finding}/ignore`
    assertProblem(await other.owner.ask(other.id, 'POST', ignore, { reason: 'x' }), 404)
    assertProblem(await team.viewer.ask(team.id, 'POST', ignore, { reason: 'x' }), 403)
    assertProblem(await team.viewer.ask(team.id, 'POST', `${PATH}/${id}/looks`, { area: 'dns' }), 403)
  })

  it('at another address begin anew, without an alert', async () => {
    const team = await people.team()
    const { db } = service.services
    const { id } = await create(team)
    await hold(id, 'dns', { status: 'down', cause: 'gone', memory: '{"since": "x"}', looked_at: ago(1) })
    await addIncident(db, {
      ...{ team_id: team.id, site_id: id, about: 'dns', started_at: ago(1_000), cause: 'gone' },
    })
    await addFinding(db, id)
    await addRow(db, 'site_dns_sets', {
      ...{
        site_id: id,
        type: 'mx',
        records: ['a'],
        set_hash: Buffer.of(1),
        first_seen_at: ago(1),
        last_seen_at: ago(1),
      },
    })
    const before = await revisionOf(id)
    await data(team, 'PATCH', `/${id}`, { name: 'Same place' })
    assert.equal(await revisionOf(id), before)
    const moved = await data(team, 'PATCH', `/${id}`, { url: 'https://other.example.com/' })
    assert.equal(await revisionOf(id), before + 1)
    const { status, cause, looked_at } = areaOf(moved, 'dns')
    assert.deepEqual([status, cause, looked_at], ['pending', null, null])
    const [incident] = await team.viewer.data(team.id, 'GET', `/site-incidents?site=${id}`)
    assert.notEqual(SiteIncident.parse(incident).resolved_at, null)
    assert.equal(await countRows(db, 'site_findings', { site_id: id }), 0)
    assert.equal(await countRows(db, 'site_dns_sets', { site_id: id }), 0)
  })

  it('that are paused, and areas that are off, are judged no longer', async () => {
    const team = await people.team()
    const { id } = await create(team)
    await hold(id, 'dns', { status: 'down' })
    await hold(id, 'domain', { status: 'degraded', next_look_at: new Date(Date.now() + DAY_MS) })
    const off = await data(team, 'PATCH', `/${id}`, { areas_off: ['dns'] })
    assert.deepEqual([areaOf(off, 'dns').status, off.status], ['pending', 'degraded'])
    const paused = await data(team, 'PATCH', `/${id}`, { is_active: false })
    assert.deepEqual([paused.status, areaOf(paused, 'domain').next_look_at], ['pending', null])
    const back = await data(team, 'PATCH', `/${id}`, { is_active: true })
    assert.ok(Date.parse(areaOf(back, 'domain').next_look_at ?? '') <= Date.now() + 1_000)
  })

  it('are looked at now when asked; a crawl looks at several areas', async () => {
    const team = await people.team()
    const { id } = await create(team, { areas_off: ['dns'] })
    const far = new Date(Date.now() + DAY_MS)
    for (const area of ['links', 'certificate'] as const) await hold(id, area, { next_look_at: far })
    const looked = await data(team, 'POST', `/${id}/looks`, { area: 'mixed_content' })
    for (const area of ['links', 'mixed_content', 'sitemap'] as const)
      assert.ok(Date.parse(areaOf(looked, area).next_look_at ?? '') < far.getTime(), area)
    assert.equal(Date.parse(areaOf(looked, 'certificate').next_look_at ?? ''), far.getTime())
    assertInvalid(await team.owner.ask(team.id, 'POST', `${PATH}/${id}/looks`, { area: 'dns' }), ['area'])
  })

  it('are silent about an area for a while, with a reason', async () => {
    const team = await people.team()
    const { id } = await create(team)
    const far = new Date(Date.now() + DAY_MS)
    await hold(id, 'domain', { status: 'degraded', next_look_at: far })
    const snooze = (until: string | null, reason?: string) =>
      team.owner.ask(team.id, 'POST', `${PATH}/${id}/snooze`, {
        ...{ area: 'domain', until },
        ...(reason && { reason }),
      })
    const until = new Date(Date.now() + DAY_MS).toISOString()
    const silent = SiteDetail.parse((await snooze(until, 'being moved')).body.data)
    const { snooze_reason, snoozed_until } = areaOf(silent, 'domain')
    assert.deepEqual([snooze_reason, Date.parse(snoozed_until ?? '')], ['being moved', Date.parse(until)])
    assert.equal(silent.status, 'pending')
    const loud = SiteDetail.parse((await snooze(null)).body.data)
    assert.deepEqual([areaOf(loud, 'domain').snoozed_until, loud.status], [null, 'degraded'])
    const nextLook = (site: SiteRow) => Date.parse(areaOf(site, 'domain').next_look_at ?? '')
    assert.equal(nextLook(silent), far.getTime())
    assert.ok(nextLook(loud) < far.getTime(), 'the end of a snooze makes the area due')
    assertInvalid(await snooze(new Date(Date.now() - DAY_MS).toISOString()), ['until'])
    assertInvalid(await snooze(new Date(Date.now() + 400 * DAY_MS).toISOString()), ['until'])
  })

  it('list faults, which are ignored with a reason and heeded again', async () => {
    const team = await people.team()
    const { db } = service.services
    const { id } = await create(team)
    const broken = await addFinding(db, id)
    await addFinding(db, id, { kind: 'unjudged', confirmed_at: null })
    await addFinding(db, id, { fixed_at: ago(31 * DAY_MS) })
    await addFinding(db, id, { confirmed_at: null })
    const found = (await team.viewer.data(team.id, 'GET', `${PATH}/${id}/findings`)).map((one: unknown) =>
      SiteFinding.parse(one),
    )
    assert.equal(found.length, 3)
    assert.equal((await listed(team))[0]?.broken_links, 1)
    const ignore = `/site-findings/${broken}/ignore`
    assertInvalid(await team.owner.ask(team.id, 'POST', ignore, { reason: ' ' }), ['reason'])
    const ignored = SiteFinding.parse(
      await team.owner.data(team.id, 'POST', ignore, { reason: 'known to be gone' }),
    )
    assert.equal(ignored.ignored_reason, 'known to be gone')
    assert.deepEqual(ignored.sources, [{ page: 'https://example.com/', label: 'Old offers' }])
    assert.equal((await listed(team))[0]?.broken_links, 0)
    assert.equal(SiteFinding.parse(await team.owner.data(team.id, 'DELETE', ignore)).ignored_at, null)
    const audit = await team.owner.data(team.id, 'GET', '/audit-log')
    const lines = audit.filter(({ action }: { action: string }) => action.endsWith('SiteFinding'))
    assert.deepEqual(
      lines.map(({ action, subject }: { action: string; subject: string }) => [action, subject]),
      ['unignoreSiteFinding', 'ignoreSiteFinding'].map((action) => [action, ignored.address]),
    )
  })

  it('show what ends soonest, of sites and monitors', async () => {
    const team = await people.team()
    const { db } = service.services
    const { id } = await create(team)
    const chain = [
      {
        ...{ subject: 'shop.example.com', issuer: 'R11', names: ['shop.example.com'], fingerprint: 'ab' },
        expires_at: '2027-03-01T00:00:00.000000Z',
      },
    ]
    await hold(id, 'certificate', { memory: JSON.stringify({ chain }) })
    await hold(id, 'domain', { memory: '{"expires_at": "2027-04-01T00:00:00.000000Z"}' })
    const monitor = await addMonitor(db, { team_id: team.id, name: 'Mail' })
    await changeRows(
      db,
      'monitor_state',
      { monitor_id: monitor.id },
      { ssl_expires_at: new Date('2027-02-01T00:00:00Z') },
    )
    assert.deepEqual((await data(team, 'GET', `/${id}`)).chain, chain)
    const expiries: Expiry[] = (await team.viewer.data(team.id, 'GET', '/expiries')).map((one: unknown) =>
      Expiry.parse(one),
    )
    assert.deepEqual(
      expiries.map(({ of, subject, subject_id, at }) => [of, subject, subject_id, at.slice(0, 10)]),
      [
        ['certificate', 'monitor', monitor.id, '2027-02-01'],
        ['certificate', 'site', id, '2027-03-01'],
        ['domain', 'site', id, '2027-04-01'],
      ],
    )
  })

  it('list DNS records as they were sighted, and count a crawl', async () => {
    const team = await people.team()
    const { db } = service.services
    const { id } = await create(team)
    await addRows(db, 'site_dns_sets', [
      {
        site_id: id,
        type: 'mx',
        records: ['a'],
        set_hash: Buffer.of(1),
        first_seen_at: ago(9_000),
        last_seen_at: ago(5_000),
      },
      {
        site_id: id,
        type: 'mx',
        records: ['b'],
        set_hash: Buffer.of(2),
        first_seen_at: ago(5_000),
        last_seen_at: ago(10),
      },
    ])
    const sets: DnsSet[] = (await team.viewer.data(team.id, 'GET', `${PATH}/${id}/dns`)).map((one: unknown) =>
      DnsSet.parse(one),
    )
    assert.deepEqual(
      sets.map(({ records }) => records),
      [['b'], ['a']],
    )
    const crawl = await addRow(db, 'site_crawls', {
      ...{ site_id: id, started_at: ago(1_000), ended_at: null, cut_short: null, by_hand: true },
    })
    const address = (hash: number, is_page: boolean, outcome: string | null) => ({
      ...{
        crawl_id: crawl.id,
        address_hash: Buffer.of(hash),
        address: `https://e.com/${hash}`,
        host: 'e.com',
      },
      ...{ is_page, depth: 0, outcome },
    })
    await addRows(db, 'site_crawl_addresses', [
      address(1, true, '{}'),
      address(2, true, null),
      address(3, true, null),
      address(4, false, '{}'),
    ])
    const shown = (await data(team, 'GET', `/${id}`)).crawl
    assert.deepEqual(
      [shown?.pages_done, shown?.pages_waiting, shown?.links_done, shown?.links_waiting, shown?.by_hand],
      [1, 2, 1, 0, true],
    )
  })

  it('have contacts as servers do: joined when asked to, counted, and detached', async () => {
    const team = await people.team()
    const contact = await contactOf(team)
    const { id } = await create(team, { contact_ids: [contact] })
    const bare = await create(team)
    const joined = await contactOf(team, { attach_to_existing: true })
    assert.deepEqual((await data(team, 'GET', `/${id}`)).settings.contact_ids, [contact, joined])
    assert.deepEqual((await data(team, 'GET', `/${bare.id}`)).settings.contact_ids, [])
    const countOf = async (one: number) =>
      (await team.viewer.data(team.id, 'GET', '/contact-summaries')).find(
        (summary: { id: number }) => summary.id === one,
      ).sites_count
    assert.deepEqual([await countOf(contact), await countOf(joined)], [1, 1])
    const server = await team.owner.data(team.id, 'POST', '/servers', { name: 'Web', contact_ids: [contact] })
    const attachments = `/notification-contacts/${contact}/attachments`
    assert.deepEqual(await team.viewer.data(team.id, 'GET', attachments), [
      { subject: 'site', id, name: 'Shop' },
      { subject: 'server', id: server.id, name: 'Web' },
    ])
    const other = await people.team()
    assertProblem(await other.owner.ask(other.id, 'GET', attachments), 404)
    await team.owner.data(team.id, 'DELETE', `${PATH}/${id}`)
    assertProblem(await team.viewer.ask(team.id, 'GET', `${PATH}/${id}`), 404)
    assert.equal(await countOf(contact), 0)
  })

  it('are named in the delivery log, which lists the alerts of a site or of one incident', async () => {
    const team = await people.team()
    const { db } = service.services
    const [{ id }, other] = [await create(team), await create(team, { name: 'Blog' })]
    const incident = await addIncident(db, {
      ...{ team_id: team.id, site_id: id, about: 'dns', started_at: ago(1_000), cause: 'gone' },
    })
    const sent = { team_id: team.id, kind: 'site' as const, state: 'sent' as const, finished_at: new Date() }
    const [down, warning] = await addDeliveries(db, [
      { ...sent, event: 'site.down', subject_id: id, team_incident_id: incident },
      { ...sent, event: 'site.degraded', subject_id: id },
      { ...sent, event: 'site.degraded', subject_id: other.id },
    ])
    const namesOf = async (query: string) =>
      (await team.viewer.data(team.id, 'GET', `/deliveries?${query}`)).map((one: Delivery) => [
        one.id,
        one.site_id,
        one.site_name,
      ])
    assert.deepEqual(await namesOf(`site=${id}`), [
      [warning, id, 'Shop'],
      [down, id, 'Shop'],
    ])
    assert.deepEqual(await namesOf(`site_incident=${incident}`), [[down, id, 'Shop']])
  })
})

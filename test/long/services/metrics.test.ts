// npm test leaves this out: it waits for everything that is counted to happen, in services of its own (seconds).
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { type ExpositionFormat, writeExposition } from '../../../src/core/exposition.ts'
import { LiveStatus } from '../../../src/core/monitors/status.ts'
import { SiteArea } from '../../../src/core/sites/area.ts'
import { type ParsedFamily, parseExposition, seriesValue } from '../../support/documents/exposition.ts'
import { fullTally } from '../../support/documents/full-tally.ts'
import { PROMETHEUS_EXAMPLES, readGrafanaDashboards } from '../../support/documents/prometheus-examples.ts'
import { attemptsOf } from '../../support/records/delivery-log.ts'
import { keepWindowsOpen } from '../../support/records/rate-limit-windows.ts'
import { addRow, changeRows } from '../../support/records/rows.ts'
import { addServer, addServers } from '../../support/records/servers.ts'
import { addSite } from '../../support/records/sites.ts'
import { suiteScope } from '../../support/scope.ts'
import { replyWith, startReceiver } from '../../support/servers/receivers.ts'
import { type SwitchTarget, startSwitchTarget } from '../../support/servers/switch-target.ts'
import type { AskedService, TestTeam } from '../../support/services/asked-service.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

describe('metrics', () => {
  const scope = suiteScope()
  let service: AskedService
  let client: TeamClient
  let team: TestTeam
  let target: SwitchTarget

  before(async () => {
    service = await startServiceHere()
    scope.after(() => service.close())
    target = await startSwitchTarget(scope)
    client = await teamClient(service)
    team = await service.createTeam()
  })

  async function scrape(path = '/metrics', token?: string, format: ExpositionFormat = 'prometheus') {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(format === 'openmetrics' && { accept: 'application/openmetrics-text; version=1.0.0' }),
    }
    const response = await fetch(service.url + path, { headers })
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return { response, text, families: parseExposition(text, format) }
  }

  const read = async (name: string, labels?: Record<string, string>) =>
    seriesValue((await scrape()).families, name, labels)
  const untilRead = (name: string, labels: Record<string, string>, atLeast = 1) =>
    until(`${name} is ${atLeast}`, async () => ((await read(name, labels)) ?? 0) >= atLeast)

  describe('of a process', () => {
    // Before anybody scrapes: what waits to be sent is counted every five seconds only.
    before(async () => {
      for (const status of [500, 400]) {
        const receiver = await startReceiver(scope, replyWith(status))
        const contact = await client.webhook(receiver)
        const { id } = await client.monitor({
          url: 'http://127.0.0.1:1/',
          notification_contact_ids: [contact.id],
        })
        await until('an attempt', async () => (await attemptsOf(service, id)).length > 0)
      }
    })

    it('count checks in their threads, what is written, and what is sent', async () => {
      const receiver = await startReceiver(scope, replyWith(204))
      const contact = await client.webhook(receiver)
      const monitor = await client.monitor({ url: target.url, notification_contact_ids: [contact.id] })
      await client.untilStatus(monitor.id, 'up')
      target.status = 503
      await client.untilStatus(monitor.id, 'down')
      for (const status of ['up', 'down']) await untilRead('upbeat_checks_total', { type: 'http', status })
      await untilRead('upbeat_delivery_attempts_total', { channel: 'webhook', outcome: 'sent' })
      await untilRead('upbeat_scheduled_monitors', {})
      await untilRead('upbeat_check_duration_seconds_count', { type: 'http' }, 2)
      await untilRead('upbeat_event_loop_delay_seconds_count', { thread: 'checking' })
      await untilRead('upbeat_event_loop_delay_seconds_count', { thread: 'main' })
      // The database may have been too slow for the scrapes so far.
      await untilRead('upbeat_database_up', {})
      const { families } = await scrape()
      const checks = families.get('upbeat_checks_total')?.samples ?? []
      const made = checks.reduce((sum, { value }) => sum + value, 0)
      assert.equal(seriesValue(families, 'upbeat_check_lateness_seconds_count'), made)
      assert.ok((seriesValue(families, 'upbeat_record_duration_seconds_count') ?? 0) > 0)
      assert.equal(seriesValue(families, 'upbeat_leading'), 1)
      assert.equal(seriesValue(families, 'upbeat_checking_threads'), 1)
      target.status = 200
      await client.untilStatus(monitor.id, 'up')
    })

    it('count attempts that are to be repeated, and those that are refused', async () => {
      for (const outcome of ['retry', 'rejected']) {
        await untilRead('upbeat_delivery_attempts_total', { channel: 'webhook', outcome })
      }
      await until(
        'what is to be repeated waits',
        async () => ((await read('upbeat_deliveries_pending')) ?? 0) > 0,
      )
    })

    it('count pings, missed deadlines and refusals', async () => {
      const job = await client.monitor({ type: 'heartbeat', check_interval_seconds: 1 })
      const ping = (suffix: string) => fetch(`${service.url}/ping/${job.heartbeat_token}${suffix}`)
      for (const suffix of ['/start', '/log', '/1', '']) await ping(suffix)
      for (const kind of ['start', 'log', 'fail', 'success']) {
        assert.equal(await read('upbeat_pings_total', { kind }), 1)
      }
      await untilRead('upbeat_checks_total', { type: 'heartbeat', status: 'down' })
      await keepWindowsOpen(service)
      for (let count = 0; count < 60; count++) await ping('/log')
      assert.ok(((await read('upbeat_rate_limit_refusals_total', { limit: 'heartbeat' })) ?? 0) > 0)
    })

    it('count looks at sites', async () => {
      const areas_off = SiteArea.options.filter((area) => area !== 'home_page')
      await addSite(service.services.db, { team_id: client.teamId, url: target.url, areas_off })
      await untilRead('upbeat_site_looks_total', { area: 'home_page', status: 'up' })
      await untilRead('upbeat_sites', { status: 'up' })
    })

    it('count reports of servers, and readings that are not kept', async () => {
      const { token } = await addServer(service.services.db)
      const body = 'mem,hostname=vm total=8,available=6\nweather,hostname=vm rain=1,wind=2'
      await fetch(`${service.url}/server/${token}/write`, { method: 'POST', body })
      const source = 'influx'
      assert.equal(await read('upbeat_server_reports_total', { source, fate: 'recorded' }), 1)
      assert.equal(await read('upbeat_server_readings_dropped_total', { source }), 2)
    })

    it('count requests by operation, and name no path, token or id', async () => {
      const { body } = await service.call(team.owner, 'GET', '/monitors')
      assert.deepEqual(body.data, [])
      await service.call(team.owner, 'GET', '/monitors/999999')
      await service.call(null, 'GET', '/monitors')
      await service.call(team.viewer, 'POST', '/monitors', {})
      await fetch(`${service.url}/no/such/path-of-mine`)
      await fetch(`${service.url}/api/v1/openapi.json`)
      await fetch(`${service.url}/mcp`, { method: 'POST' })
      const { families } = await scrape()
      const requests = (operation: string, status: number) =>
        seriesValue(families, 'upbeat_http_requests_total', { operation, status: String(status) }) ?? 0
      for (const [operation, status] of [
        ['listMonitors', 200],
        ['getMonitor', 404],
        ['listMonitors', 401],
        ['createMonitor', 403],
        ['ping', 204],
        ['ping', 429],
        ['other', 404],
        ['openApi', 200],
        ['mcp', 401],
      ] as const) {
        assert.ok(requests(operation, status) > 0, `${operation} ${status}`)
      }
      const samples = [...families.values()].flatMap((family) => family.samples)
      const said = samples.flatMap(({ labels }) => Object.values(labels))
      assert.deepEqual(
        said.filter((value) => /path-of-mine|999999|upb_/.test(value)),
        [],
      )
      const limit = { operation: 'listMonitors' }
      assert.ok((seriesValue(families, 'upbeat_http_request_duration_seconds_count', limit) ?? 0) >= 2)
    })

    it('tell how all monitors are, and of the machine', async () => {
      const began = performance.now()
      const families = await until('a scrape with what the database says', async () => {
        const scraped = await scrape()
        return scraped.families.has('upbeat_monitors') && scraped.families
      })
      const startedAt = Date.now() / 1_000 - process.uptime()
      const tookSeconds = (performance.now() - began) / 1_000
      const { rows } = await service.services.db.pool.query(
        'SELECT count(*) AS count FROM monitors WHERE deleted_at IS NULL',
      )
      const told = families.get('upbeat_monitors')?.samples ?? []
      assert.equal(told.length, LiveStatus.options.length)
      assert.ok(told.reduce((sum, { value }) => sum + value, 0) <= rows[0].count)
      for (const name of [
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
        'upbeat_build_info',
      ]) {
        assert.ok((seriesValue(families, name) ?? 0) > 0, name)
      }
      // Both take two looks at the clock, between which the machine may stand still.
      const toldStart = seriesValue(families, 'process_start_time_seconds') ?? 0
      assert.ok(Math.abs(toldStart - startedAt) <= tookSeconds + 1, `${toldStart} for ${startedAt}`)
    })

    it('are not for who stands behind a proxy, without a token of the operator', async () => {
      const headers = { 'x-forwarded-for': '127.0.0.1' }
      assert.equal((await fetch(`${service.url}/metrics`, { headers })).status, 403)
    })
  })

  describe('of a team', () => {
    const PATH = '/api/v1/metrics'
    const ids: Record<string, number> = {}
    const NAME = 'Shop "A" \\ ü'

    before(async () => {
      const create = async (name: string, settings: object) => {
        const body = { name, type: 'http', url: target.url, check_interval_minutes: 60, ...settings }
        ids[name] = (await service.call(team.owner, 'POST', '/monitors', body)).body.data.id
      }
      await create(NAME, {})
      await create('Broken', { url: 'http://127.0.0.1:1/' })
      await create('Paused', { is_active: false })
      await create('Job', { type: 'heartbeat' })
      // Not by scraping: what a scrape adds up is kept for a minute.
      await until('two of them are checked', async () => {
        const { rowCount } = await service.services.db.pool.query(
          `SELECT FROM monitor_state WHERE monitor_id = ANY($1) AND status <> 'pending'`,
          [Object.values(ids)],
        )
        return rowCount === 2
      })
    })

    const of = (families: Map<string, ParsedFamily>, name: string, monitor: string) =>
      seriesValue(families, `upbeat_monitor_${name}`, { id: String(ids[monitor]) })

    it('tell how each monitor is, to a viewer too, and of no other team', async () => {
      const { families } = await scrape(PATH, team.viewer)
      const table: [name: string, up: number | null, active: number, status: string][] = [
        [NAME, 1, 1, 'up'],
        ['Broken', 0, 1, 'down'],
        ['Paused', null, 0, 'paused'],
        ['Job', null, 1, 'pending'],
      ]
      for (const [name, up, active, status] of table) {
        assert.deepEqual([of(families, 'up', name), of(families, 'active', name)], [up, active], name)
        const states = (families.get('upbeat_monitor_status')?.samples ?? []).filter(
          ({ labels }) => labels.id === String(ids[name]),
        )
        assert.deepEqual(
          states.filter(({ value }) => value === 1).map(({ labels }) => labels),
          [{ id: String(ids[name]), name, type: name === 'Job' ? 'heartbeat' : 'http', status }],
        )
        assert.equal(states.length, LiveStatus.options.length)
      }
      assert.equal(seriesValue(families, 'upbeat_team_monitors'), 4)
      const samples = [...families.values()].flatMap((family) => family.samples)
      const known = new Set([...Object.values(ids).map(String), undefined])
      assert.ok(samples.every(({ labels }) => known.has(labels.id)))
    })

    it('tell how each server is, and the figures of its newest report', async () => {
      const { db } = service.services
      const state = (reportedMinutesAgo: number, status: 'up' | 'maintenance') => ({
        status,
        last_report_at: new Date(Date.now() - reportedMinutesAgo * 60_000),
        latest: JSON.stringify({
          ...{ cpu_percent: 25, load_1: 1.5, memory_total_bytes: 2_000, memory_available_bytes: 500 },
          ...{ 'file_system_used_percent:/': 50, 'file_system_used_percent:/v"ar': 75, uptime_seconds: 60 },
        }),
      })
      const [fresh, old, waiting] = await addServers(db, 3, (index) => ({
        team_id: team.id,
        name: 'Web',
        ...(index < 2 && { state: state(index * 6, index === 0 ? 'up' : 'maintenance') }),
      }))
      const { families } = await scrape(PATH, team.viewer)
      const of = (server: { id: number } | undefined, name: string, more: object = {}) =>
        seriesValue(families, `upbeat_server_${name}`, { id: String(server?.id), ...more })
      const figures = (server: { id: number } | undefined) => [
        ...['up', 'cpu_usage_ratio', 'load1', 'memory_available_bytes', 'memory_size_bytes'].map((name) =>
          of(server, name),
        ),
        ...['/', '/v"ar'].map((mount) => of(server, 'file_system_used_ratio', { mount })),
      ]
      assert.deepEqual(figures(fresh), [1, 0.25, 1.5, 500, 2_000, 0.5, 0.75])
      assert.deepEqual(figures(old), Array(7).fill(null), 'the report is too old')
      assert.deepEqual(figures(waiting), Array(7).fill(null))
      assert.deepEqual(
        [fresh, old, waiting].map((server) =>
          ['up', 'maintenance', 'pending'].map((status) => of(server, 'status', { status })),
        ),
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
      )
      assert.ok(of(old, 'last_report_timestamp_seconds'))
      assert.equal(seriesValue(families, 'upbeat_team_servers'), 3)
    })

    it('tell when each was checked and how, and what is open', async () => {
      const show = async (name: string) =>
        (await service.call(team.admin, 'GET', `/monitors/${ids[name]}`)).body.data
      // An hour may begin for the one or the other just now.
      const { families, shop, broken } = await until('a scrape between two checks', async () => {
        const before = [await show(NAME), await show('Broken')]
        const scraped = await scrape(PATH, team.viewer)
        const [shop, broken] = [await show(NAME), await show('Broken')]
        return isDeepStrictEqual([shop, broken], before) && { ...scraped, shop, broken }
      })
      assert.equal(
        of(families, 'last_check_timestamp_seconds', NAME),
        Date.parse(shop.last_checked_at) / 1_000,
      )
      const [check] = (await service.call(team.admin, 'GET', `/monitors/${shop.id}/checks`)).body.data
      assert.equal(of(families, 'response_time_seconds', NAME), check.response_time_ms / 1_000)
      const since = Date.parse(broken.open_incident.started_at) / 1_000
      assert.equal(of(families, 'incident_start_timestamp_seconds', 'Broken'), since)
      assert.equal(of(families, 'incident_start_timestamp_seconds', NAME), null)
      assert.equal(of(families, 'response_time_seconds', 'Job'), null)
      const expiry = '2027-01-02T03:04:05Z'
      const state = { ssl_expires_at: new Date(expiry) }
      await changeRows(service.services.db, 'monitor_state', { monitor_id: shop.id }, state)
      const later = await scrape(PATH, team.viewer)
      const seconds = Date.parse(expiry) / 1_000
      assert.equal(of(later.families, 'certificate_expiry_timestamp_seconds', NAME), seconds)
      assert.equal(of(later.families, 'uptime_ratio', NAME), 1)
      assert.equal(of(later.families, 'uptime_ratio', 'Paused'), null)
    })

    it('are said in OpenMetrics to who asks for it, and by HEAD', async () => {
      const { response, families } = await scrape(PATH, team.admin, 'openmetrics')
      assert.match(
        response.headers.get('content-type') ?? '',
        /^application\/openmetrics-text; version=1\.0\.0/,
      )
      assert.equal(of(families, 'up', NAME), 1)
      const headers = { authorization: `Bearer ${team.admin}` }
      const head = await fetch(service.url + PATH, { method: 'HEAD', headers })
      assert.deepEqual([head.status, await head.text()], [200, ''])
    })

    it('are refused as everything of the API is, and count towards its limit', async () => {
      const token = await service.createToken(team.id, 'viewer')
      const { response } = await scrape(PATH, token)
      assert.equal(response.headers.get('x-ratelimit-remaining'), '59')
      await keepWindowsOpen(service)
      const refused = await fetch(service.url + PATH)
      assert.equal(refused.status, 401)
      assert.equal(refused.headers.get('content-type'), 'application/problem+json')
      assert.equal((await fetch(service.url + PATH, { method: 'POST' })).status, 405)
      await Promise.all(Array.from({ length: 59 }, () => service.call(token, 'GET', '/team')))
      const headers = { authorization: `Bearer ${token}` }
      assert.equal((await fetch(service.url + PATH, { headers })).status, 429)
    })
  })

  describe('in the examples', () => {
    let ofSites: string

    // Beside the site that is looked at: one that is paused, with the rest of what can be told.
    before(async () => {
      const { db } = service.services
      const { id: site_id } = await addSite(db, { team_id: client.teamId, is_active: false })
      const at = '2027-03-01T00:00:00.000000Z'
      const memories = { certificate: { chain: [{ expires_at: at }] }, domain: { expires_at: at } }
      for (const [area, memory] of Object.entries(memories)) {
        const where = { site_id, area: area as SiteArea }
        await changeRows(db, 'site_areas', where, { memory: JSON.stringify(memory) })
      }
      const times = { started_at: new Date(0), ended_at: new Date(1_000) }
      await addRow(db, 'site_crawls', { site_id, ...times, cut_short: null, by_hand: false })
      ofSites = await service.createToken(client.teamId, 'viewer')
    })

    /** All that could be told: what never happened yet is named by the catalogue. */
    async function toldNames(): Promise<Set<string>> {
      const texts = [
        (await scrape()).families,
        (await scrape('/api/v1/metrics', team.viewer)).families,
        (await scrape('/api/v1/metrics', ofSites)).families,
        parseExposition(writeExposition(fullTally().families(), 'prometheus')),
      ]
      const samples = texts.flatMap((families) => [...families.values()].flatMap((family) => family.samples))
      return new Set(samples.map(({ name }) => name))
    }

    it('every metric exists', async () => {
      const told = await toldNames()
      const rules = await readFile(join(PROMETHEUS_EXAMPLES, 'alerts.yml'), 'utf8')
      const named =
        JSON.stringify([await readGrafanaDashboards(), rules]).match(/\b(upbeat|process|nodejs)_\w+/g) ?? []
      assert.ok(named.length > 50)
      assert.deepEqual(
        [...new Set(named)].filter((name) => !told.has(name)),
        [],
      )
    })

    it('the panels of a dashboard have ids of their own, and do not overlap', async () => {
      for (const { panels } of await readGrafanaDashboards()) {
        assert.deepEqual(
          panels.map(({ id }) => id),
          panels.map((_, index) => index + 1),
        )
        const taken = new Set<string>()
        for (const { gridPos: at, targets } of panels) {
          assert.ok(targets.length > 0 && at.x + at.w <= 24)
          for (let x = at.x; x < at.x + at.w; x++) {
            for (let y = at.y; y < at.y + at.h; y++) {
              assert.ok(!taken.has(`${x} ${y}`))
              taken.add(`${x} ${y}`)
            }
          }
        }
      }
    })
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { PROBE_PATH } from '../../src/contract/probes.ts'
import { PROBE_PROTOCOL } from '../../src/core/remote-probe.ts'
import { nextTickMs, phaseMs } from '../../src/core/schedule.ts'
import { createProbe } from '../../src/operations/probe-tokens.ts'
import { updateTeamConfirmation } from '../../src/store/team-confirmation.ts'
import { runCommand } from '../support/command.ts'
import { type CountingTarget, startCountingTarget } from '../support/counting-target.ts'
import { parseExposition, seriesValue } from '../support/exposition.ts'
import { type RemoteProbe, startRemoteProbe } from '../support/remote-probe.ts'
import { suiteScope } from '../support/scope.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'
import { until } from '../support/until.ts'

const NAMES = ['m0', 'm1', 'm2']
const FAILING = 'm0'
const INTERVAL_MS = 1_000
/** What a region finds that may not reach the target. */
const NO_WAY = 'address 127.0.0.1 is not allowed'
/** Longer than the membership lasts that is not renewed. */
const CUT_MS = 8_000
/** Within seconds, on a machine that is not busy. */
const PATIENCE_MS = 30_000

describe('a remote probe', () => {
  const scope = suiteScope()
  const ids = new Map<string, number>()
  let target: CountingTarget
  let service: TestService
  let client: TeamClient
  let proxy: TcpProxy
  let probe: RemoteProbe
  let token = ''

  before(async () => {
    target = await startCountingTarget(scope)
    service = await startTestService({ ROLES: 'api,scheduler,alerts' })
    scope.after(() => service.close())
    client = await teamClient(service)
    for (const name of NAMES) {
      const settings = { name, url: target.url(name), request_headers: { 'X-Key': 'kept sealed' } }
      ids.set(name, (await client.monitor(settings)).id)
    }
    proxy = await startTcpProxy(scope, Number(new URL(service.url).port))
  })

  const start = (environment: Record<string, string> = {}) =>
    startRemoteProbe(scope, { PROBE_URL: proxy.url, PROBE_TOKEN: token, REGION: 'nyc', ...environment })

  const query = async (text: string, values: unknown[] = []) =>
    (await service.services.db.pool.query(text, values)).rows

  /** When a monitor was checked after a moment, as it is recorded. */
  const recorded = async (name: string, since: number): Promise<{ at: number; region: string | null }[]> =>
    (
      await query(
        'SELECT checked_at, region FROM checks WHERE monitor_id = $1 AND checked_at >= $2 ORDER BY 1',
        [ids.get(name), new Date(since)],
      )
    ).map(({ checked_at, region }) => ({ at: checked_at.getTime(), region }))

  const untilChecked = async (count: number, since = Date.now()) => {
    await until(`${count} checks of each monitor`, async () => {
      const checks = await Promise.all(NAMES.map((name) => recorded(name, since)))
      return checks.every(({ length }) => length >= count)
    })
  }

  /** Each request that the target saw in a while stands in the history, once. */
  async function assertAllRecorded(since: number, end: number) {
    for (const name of NAMES) {
      const asked = (target.asked.get(name) ?? []).filter((at) => at >= since && at < end)
      // It is asked a moment after its check began.
      const at = await until(`${name}: what the target saw`, async () => {
        const times = (await recorded(name, since - INTERVAL_MS)).map((check) => check.at)
        const missing = asked.filter((time) => !times.some((check) => check <= time && time - check < 900))
        return missing.length === 0 && times
      })
      assert.deepEqual([...new Set(at)], at, `${name}: no check twice`)
      const near = at.filter((time) => time >= since && time < end - INTERVAL_MS)
      assert.ok(near.length <= asked.length, `${name}: ${near.length} checks of ${asked.length}`)
    }
    assert.deepEqual([...target.overlaps], [])
  }

  it('checks with a token that the operator makes, and says where it checked from', async () => {
    const created = await runCommand(service.env, ['probe', 'create', '--region', 'nyc', '--name', 'Newark'])
    assert.equal(created.status, 0, created.err)
    token = created.out.trim()
    assert.match(token, /^upbp_[0-9A-Za-z]{46}$/)
    const [row] = await query('SELECT row_to_json(k)::text AS text FROM probe_tokens k')
    assert.ok(!row.text.includes(token), 'only its hash is stored')

    probe = start()
    await untilChecked(2)
    assert.deepEqual([...new Set((await recorded('m1', 0)).map(({ region }) => region))], ['nyc'])
    const fresh = await client.monitor({ name: 'fresh', url: target.url('fresh') })
    await client.untilStatus(fresh.id, 'up')
    await client.data('DELETE', `/monitors/${fresh.id}`)
  })

  it('is counted by the service, and tells its own figures on its own machine', async () => {
    const read = async (url: string, name: string, labels?: Record<string, string>) => {
      const response = await fetch(`${url}/metrics`)
      const text = await response.text()
      assert.equal(response.status, 200, text)
      return seriesValue(parseExposition(text), name, labels)
    }
    const up = { type: 'http', status: 'up' }
    assert.ok(((await read(service.url, 'upbeat_remote_checks_total', up)) ?? 0) >= 2 * NAMES.length)
    assert.equal(await read(service.url, 'upbeat_checks_total', up), 0)
    assert.equal(await read(service.url, 'upbeat_remote_refusals_total'), 0)
    const own = await probe.url()
    assert.ok(((await read(own, 'upbeat_checks_total', up)) ?? 0) >= 2 * NAMES.length)
    assert.equal(await read(own, 'upbeat_service_up'), 1)
    assert.equal(await read(own, 'upbeat_results_dropped_total'), 0)
    // The one that was deleted is gone from its schedule.
    await until('its schedule', async () => (await read(own, 'upbeat_scheduled_monitors')) === NAMES.length)
    const elsewhere = await fetch(`${own}/metrics`, { headers: { 'x-forwarded-for': '192.0.2.1' } })
    assert.equal(elsewhere.status, 403)
  })

  it('goes on through a cut, and what it found then is stored in order, once: one incident', async () => {
    const since = Date.now()
    proxy.set('cut')
    await delay(CUT_MS / 4)
    target.failing.add(FAILING)
    await delay(CUT_MS / 2)
    target.failing.delete(FAILING)
    await delay(CUT_MS / 4)
    const end = Date.now()
    assert.equal((await query('SELECT id FROM probers')).length, 0, 'the service has given it up')
    proxy.set('pass')
    await untilChecked(2)
    await assertAllRecorded(since, end)
    await client.untilStatus(ids.get(FAILING) as number, 'up')
    const incidents = await query('SELECT monitor_id, started_at, resolved_at FROM incidents')
    assert.equal(incidents.length, 1)
    assert.equal(incidents[0].monitor_id, ids.get(FAILING))
    assert.ok(incidents[0].started_at.getTime() >= since && incidents[0].resolved_at.getTime() <= end)
    assert.match(probe.output(), /out of reach/)
    assert.match(probe.output(), /reached again/)
  })

  it('sends again what was stored while the answer was lost, and it is stored once', async () => {
    const since = Date.now()
    proxy.set('swallow')
    await until('lost answers', () => proxy.swallowed >= 4)
    const end = Date.now()
    proxy.set('pass')
    await untilChecked(2)
    await assertAllRecorded(since, end)
  })

  it('goes on while the service is killed and comes back', async () => {
    const since = Date.now()
    await service.letGo()
    await service.signal('SIGKILL')
    await until('checks without the service', () => {
      const asked = target.asked.get('m1') ?? []
      return asked.filter((at) => at > since).length >= 3
    })
    await service.start()
    await service.takeUp()
    const end = Date.now() - INTERVAL_MS
    await untilChecked(2)
    await assertAllRecorded(since, end)
  })

  it('takes turns with another region, and is taken over from when it is killed', async () => {
    const other = await createProbe(service.services, { region: 'lon', name: 'London' })
    const since = Date.now()
    const heir = start({ PROBE_TOKEN: other.token, REGION: 'lon' })
    const regions = async () => (await recorded('m1', since)).map(({ region }) => region).join(' ')
    await until('turns', async () => /lon nyc lon nyc/.test(await regions()))
    assert.doesNotMatch(probe.output(), /the service refused/)
    await probe.end('SIGKILL')
    probe = heir
    await until('all turns of the other one', async () => /lon lon lon$/.test(await regions()))
    assert.deepEqual([...target.overlaps], [])
    assert.equal((await query('SELECT id FROM incidents')).length, 1)
  })

  it('confirms a failure with another region, which remote probes serve, too', async () => {
    const settle = (confirmations: number) =>
      updateTeamConfirmation(service.services.db, client.teamId, { confirmations })
    const texts = async (name: string, status: string) =>
      query(
        'SELECT region, error_message AS text FROM checks WHERE monitor_id = $1 AND status = $2 AND checked_at > $3',
        [ids.get(name), status, since],
      )
    const before = (await query('SELECT id FROM incidents')).length
    const since = new Date()
    await settle(1)
    // It may not reach the target, which London can.
    const blind = start({ PRIVATE_TARGETS: 'deny' })
    const unconfirmed = await until('a failure that is not confirmed', async () =>
      (await texts('m1', 'up')).find(({ text }) => text !== null),
    )
    assert.deepEqual(unconfirmed, {
      region: 'lon',
      text: `not confirmed from lon (seen from nyc): ${NO_WAY}`,
    })
    assert.deepEqual(await texts('m1', 'down'), [])
    assert.equal((await query('SELECT id FROM incidents')).length, before)

    target.failing.add('m1')
    await client.untilStatus(ids.get('m1') as number, 'down')
    const [failed] = await texts('m1', 'down')
    const confirmed = [`${NO_WAY} (confirmed from lon)`, 'HTTP 503 (expected 200) (confirmed from nyc)']
    assert.ok(confirmed.includes(failed?.text), failed?.text)
    target.failing.delete('m1')
    await client.untilStatus(ids.get('m1') as number, 'up')
    assert.equal((await query('SELECT id FROM incidents')).length, before + 1)
    await blind.end('SIGTERM')
    assert.deepEqual(await query('SELECT FROM confirmations'), [])
    await settle(0)
  })

  it('is never trusted with more than its own work', async () => {
    const ask = async (path: string, body: object, bearer = token) => {
      const response = await fetch(service.url + PROBE_PATH + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: response.status, body: JSON.parse(await response.text()) }
    }
    const session = randomUUID()
    const joining = { version: PROBE_PROTOCOL, session, region: 'nyc', host: 'here', pid: 1 }
    for (const [change, status, error] of [
      [{ region: 'lon' }, 403, 'region'],
      [{ version: PROBE_PROTOCOL + 1 }, 409, 'version'],
      [{ session: 'x' }, 422, 'invalid'],
    ] as const) {
      const answer = await ask('/join', { ...joining, ...change })
      assert.deepEqual([answer.status, answer.body.error], [status, error])
    }
    const stranger = await ask('/join', joining, `${token.slice(0, -1)}x`)
    assert.deepEqual([stranger.status, stranger.body.error], [401, 'unauthorized'])

    const [{ holder }] = await query("SELECT holder FROM slots WHERE region = 'lon' LIMIT 1")
    const owner = (await ask('/join', joining)).body.membership
    await until('slots', async () => {
      const renewed = await ask('/renew', { membership: owner })
      return renewed.body.slots.length === 256
    })
    // This one is given none before the other hands some over.
    const { membership } = (await ask('/join', joining)).body
    const all = Array.from({ length: 256 }, (_, slot) => slot)
    assert.deepEqual((await ask('/schedule', { membership, slots: all })).body, { monitors: [] })
    const found = (monitor_id: number, checked_at: Date, under = membership) => ({
      membership: under,
      monitor_id,
      revision: 1,
      checked_at,
      result: {
        status: 'down',
        responseTimeMs: null,
        httpStatusCode: null,
        errorMessage: 'not true',
        phases: null,
        certificate: null,
      },
    })
    const id = ids.get('m1') as number
    const now = Date.now()
    const lies = [
      found(id, new Date(now)),
      found(999_999, new Date(now)),
      found(id, new Date(now + 60_000), holder),
      found(id, new Date(now - 3_600_000), holder),
    ]
    const answer = await ask('/results', { session, first: 1, results: lies })
    assert.deepEqual(
      answer.body.refused.map(({ reason }: { reason: string }) => reason),
      [
        'the monitor was not its own at that time',
        'the monitor was not its own at that time',
        'it lies in the future',
        'it comes too late',
      ],
    )
    const gap = await ask('/results', { session, first: 9, results: lies.slice(0, 1) })
    assert.deepEqual([gap.status, gap.body.error], [409, 'order'])
    assert.deepEqual(await query("SELECT FROM checks WHERE error_message = 'not true'"), [])

    const calls = [{ id, ms: 60_000 }]
    const claim = await ask('/overruns', { membership, action: 'claim', calls })
    assert.deepEqual(claim.body, { answers: [false] })
    const wishes = [{ id, revision: 1, regions: ['lon'] }]
    assert.deepEqual((await ask('/confirmations/ask', { membership, wishes })).body, { asked: [[]] })

    // Of what is its own, too, it delivers what there was to check.
    // Nobody has changed it lately, or asked for a check.
    await query("UPDATE monitors SET changed_at = now() - interval '1 minute' WHERE id = $1", [id])
    const tick = nextTickMs(Date.now(), INTERVAL_MS, phaseMs(id, INTERVAL_MS)) - INTERVAL_MS
    const more = [10, 20, 30].map((afterMs) => found(id, new Date(tick + afterMs), owner))
    for (const one of more) Object.assign(one.result, { status: 'up', errorMessage: null })
    const [{ revision }] = await query('SELECT revision FROM monitors WHERE id = $1', [id])
    const recordable = more.map((one) => ({ ...one, revision }))
    const given = await ask('/results', { session, first: 5, results: recordable })
    assert.deepEqual(given.body, {
      acknowledged: 7,
      refused: [
        { monitor_id: id, reason: 'its tick was checked already' },
        { monitor_id: id, reason: 'its tick was checked already' },
      ],
    })
    for (const own of [owner, membership]) {
      assert.equal((await ask('/leave', { membership: own })).status, 200)
    }
    const gone = await ask('/renew', { membership })
    assert.deepEqual([gone.status, gone.body.error], [410, 'lost'])
  })

  it('ends, and says why, when its region is another one, and soon after its token was revoked', async () => {
    const elsewhere = start({ REGION: 'lon' })
    assert.equal(await elsewhere.end(), 1)
    assert.match(elsewhere.output(), /REGION is lon, and the token .*Newark.* is for nyc/)
    const listed = await runCommand(service.env, ['probe', 'list', '--json'])
    assert.deepEqual(
      listed.data.map(({ region, name, probing }: Record<string, unknown>) => [region, name, probing]),
      [
        ['nyc', 'Newark', 0],
        ['lon', 'London', 1],
      ],
    )
    assert.doesNotMatch(probe.output(), /the service refused/)
    const { id } = listed.data[1]
    assert.equal((await runCommand(service.env, ['probe', 'revoke', String(id)])).status, 0)
    const patience = delay(PATIENCE_MS, 'it goes on', { ref: false })
    assert.equal(await Promise.race([probe.end(), patience]), 1)
    assert.match(probe.output(), /the token .*London.* was revoked/)
    assert.deepEqual(await query('SELECT FROM probers'), [])
  })
})

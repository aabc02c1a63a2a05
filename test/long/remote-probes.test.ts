// npm test leaves this out: it cuts remote probes off, freezes them and waits for real intervals (minutes).
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { PROBE_PATH } from '../../src/contract/remote-probes.ts'
import { PROBE_PROTOCOL } from '../../src/core/probing/remote-probe.ts'
import { nextTickMs, phaseMs } from '../../src/core/probing/schedule.ts'
import { SLOTS } from '../../src/core/probing/slot.ts'
import { createRemoteProbe } from '../../src/operations/probing/remote-probe-tokens.ts'
import { updateTeamConfirmation } from '../../src/store/monitors/team-confirmation.ts'
import { parseExposition, seriesValue } from '../support/documents/exposition.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { suiteScope } from '../support/scope.ts'
import { type CountingTarget, startCountingTarget } from '../support/servers/counting-target.ts'
import { startTcpProxy, type TcpProxy } from '../support/servers/tcp-proxy.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { runCommand } from '../support/services/command.ts'
import { type RemoteProbe, startRemoteProbe } from '../support/services/remote-probe.ts'
import { startTestService, type TestService } from '../support/services/service.ts'
import { startServiceHere } from '../support/services/service-here.ts'
import { type TeamClient, teamClient } from '../support/services/team-client.ts'
import { type StandstillLog, type Standstills, watchStandstills } from '../support/time/standstills.ts'
import { until } from '../support/until.ts'

const NAMES = ['m0', 'm1', 'm2']
const FAILING = 'm0'
const INTERVAL_MS = 1_000
/** A machine that is busy is no target that fails. */
const PATIENT_SECONDS = 60
/** The failure seen from a region that cannot reach the target. */
const NO_WAY = 'address 127.0.0.1 is not allowed'
/** A prober that stands still for this long at the wrong moment checks beside another one, or answers too late. */
const BLINK_MS = 100
/** Others are asked this long before a failed check is recorded, and have time to answer. */
const CONFIRMING_MS = 10_000
/** The probe stopped checking while it was cut off: it stood still, or had lost its membership just before. */
class OffDuty extends Error {}

type Check = { at: number; region: string | null; status: string; text: string | null }

/** Monitors of pages that are counted, and how their checks are looked up. */
async function addMonitors(service: AskedService, client: TeamClient, target: CountingTarget) {
  const ids = new Map<string, number>()
  for (const name of NAMES) {
    const { id } = await client.monitor({
      name,
      url: target.url(name),
      request_headers: { 'X-Key': 'kept sealed' },
      request_timeout_seconds: PATIENT_SECONDS,
    })
    ids.set(name, id)
  }
  const idOf = (name: string) => ids.get(name) as number

  const query = async (text: string, values: unknown[] = []) =>
    (await service.services.db.pool.query(text, values)).rows

  /** The checks of a monitor that began after a moment, as they are recorded. */
  const recorded = async (name: string, since = 0): Promise<Check[]> =>
    (
      await query(
        `SELECT checked_at, region, status, error_message AS text FROM checks
         WHERE monitor_id = $1 AND checked_at >= $2 ORDER BY 1`,
        [idOf(name), new Date(since)],
      )
    ).map(({ checked_at, ...check }) => ({ at: checked_at.getTime(), ...check }))

  const untilChecked = async (count: number, since = Date.now()) => {
    await until(`${count} checks of each monitor`, async () => {
      const checks = await Promise.all(NAMES.map((name) => recorded(name, since)))
      return checks.every(({ length }) => length >= count)
    })
  }

  return { idOf, query, recorded, untilChecked }
}

const ONE_BY_ONE = { concurrency: 1 }

// Each of both has a service of its own, and waits for most of its time.
describe('remote probes', { concurrency: true }, () => {
  describe('that lose their way to the service', ONE_BY_ONE, () => {
    const scope = suiteScope()
    let target: CountingTarget
    let service: TestService
    let client: TeamClient
    let monitors: Awaited<ReturnType<typeof addMonitors>>
    let proxy: TcpProxy
    let probe: RemoteProbe
    let standstills: StandstillLog

    before(async () => {
      target = await startCountingTarget(scope)
      standstills = watchStandstills(scope).logOfProcess()
      service = await startTestService({ ROLES: 'api,scheduler,alerts' })
      scope.after(() => service.close())
      client = await teamClient(service)
      monitors = await addMonitors(service, client, target)
      proxy = await startTcpProxy(scope, Number(new URL(service.url).port))
    })

    const asked = (name: string) => target.asked.get(name) ?? []

    /**
     * Without a membership, and while it cannot join again, the probe checks nothing. It says so itself: how long it may have
     * stood still before it must ask is its own affair.
     */
    const isOnDuty = async () => (await fetch(`${await probe.url()}/health`)).ok

    async function assertOnDuty() {
      if (!(await isOnDuty())) throw new OffDuty()
    }

    /** Until the service has heard of the probe: one that lost its membership has another one, though nothing to check yet. */
    const untilRenewed = async () => {
      const lastLease = async () => (await monitors.query('SELECT max(expires_at) AS at FROM probers'))[0].at
      const before = await lastLease()
      await until('a renewal', async () => (await lastLease()) > before)
    }

    /** Until each page was asked so often after this moment; all but its last request are then over. */
    const untilAsked = async (count: number, names = NAMES) => {
      const before = new Map(names.map((name) => [name, asked(name).length]))
      await until(`${count} requests`, async () => {
        await assertOnDuty()
        return names.every((name) => asked(name).length >= (before.get(name) ?? 0) + count)
      })
    }

    /**
     * Cuts the probe off from the service for as long as something takes; again, where it went off duty meanwhile. A machine
     * that never lets it run for so long ends the test in the end, and is named.
     */
    async function cutOff<T>(how: { part(): unknown; join(): unknown; meanwhile(): Promise<T> }): Promise<T> {
      const beganMs = Date.now()
      const offDuty: string[] = []
      while (Date.now() - beganMs < HANG_GUARD_MS) {
        const aloneMs = Date.now()
        await how.part()
        try {
          return await how.meanwhile()
        } catch (error) {
          if (!(error instanceof OffDuty)) throw error
          offDuty.push(
            `after ${Date.now() - aloneMs} ms, standing still ${standstills.longestMs(aloneMs)} ms`,
          )
        } finally {
          target.failing.clear()
          await how.join()
          await untilRenewed()
          await until('the probe to be on duty', isOnDuty)
          await monitors.untilChecked(2)
          await client.untilStatus(monitors.idOf(FAILING), 'up')
        }
      }
      return assert.fail(`the probe went off duty in each cut:\n${offDuty.join('\n')}\n${probe.output()}`)
    }

    /** Requests to the target that are over: the same prober has asked for the same page again. */
    const over = () => new Map(NAMES.map((name) => [name, asked(name).slice(0, -1)]))

    /** Each request that the target saw since a moment stands in the history, once: after the one before, and before it. */
    async function assertAllRecorded(since: number, seen: Map<string, number[]>) {
      for (const [name, times] of seen) {
        const spans = times.map((time, i) => ({ after: times[i - 1] ?? 0, time }))
        const wanted = spans.filter(({ time }) => time >= since)
        assert.ok(wanted.length > 0)
        const checksOf = async () => {
          const checks = await monitors.recorded(name)
          return wanted.map(({ after, time }) => checks.filter(({ at }) => at > after && at <= time))
        }
        const found = await until(`${name}: what the target saw`, async () => {
          const checks = await checksOf()
          return checks.every(({ length }) => length > 0) && checks
        })
        // A check that a busy machine could not judge is repeated at once.
        const judged = found.map((checks) => checks.filter(({ status }) => status !== 'pending'))
        assert.deepEqual(
          judged.filter(({ length }) => length > 1),
          [],
          `${name}: no check twice`,
        )
      }
      // A check that ends because its monitor was changed may be over only here, not yet at the target.
      assert.deepEqual(
        target.overlaps.filter(({ path }) => NAMES.includes(path)),
        [],
      )
    }

    it('check with a token that the operator makes, and say where they checked from', async () => {
      const created = await runCommand(service.env, [
        'probe',
        'create',
        '--region',
        'nyc',
        '--name',
        'Newark',
      ])
      assert.equal(created.status, 0, created.err)
      const token = created.out.trim()
      assert.match(token, /^upbp_[0-9A-Za-z]{46}$/)
      const [row] = await monitors.query('SELECT row_to_json(k)::text AS text FROM probe_tokens k')
      assert.ok(!row.text.includes(token), 'only its hash is stored')

      const settings = { PROBE_URL: proxy.url, PROBE_TOKEN: token, REGION: 'nyc' }
      probe = startRemoteProbe(scope, { ...settings, ...standstills.environment })
      await monitors.untilChecked(2)
      const checks = await monitors.recorded('m1')
      assert.deepEqual([...new Set(checks.map(({ region }) => region))], ['nyc'])
      const fresh = await client.monitor({
        name: 'fresh',
        url: target.url('fresh'),
        request_timeout_seconds: PATIENT_SECONDS,
      })
      await client.untilStatus(fresh.id, 'up')
      await client.data('DELETE', `/monitors/${fresh.id}`)
    })

    it('try again as the monitor wants, and are believed each time', async () => {
      const name = 'patient'
      target.failing.add(name)
      const { id } = await client.monitor({
        name,
        url: target.url(name),
        request_timeout_seconds: PATIENT_SECONDS,
        options: { attempts: 3, retry_seconds: 1 },
      })
      const down = await client.untilStatus(id, 'down')
      assert.equal(down.open_incident?.cause, 'HTTP 503 (expected 200)')
      const told = (await client.checks(id)).map(({ status, error_message: message, region }) => [
        status,
        message,
        region,
      ])
      for (const number of [1, 2])
        assert.ok(
          told.some((one) =>
            isDeepStrictEqual(one, ['pending', `HTTP 503 (expected 200), attempt ${number} of 3`, 'nyc']),
          ),
          JSON.stringify(told),
        )
      await client.data('PATCH', `/monitors/${id}`, { options: { attempts: null, inverted: true } })
      await client.untilStatus(id, 'up')
      await client.data('DELETE', `/monitors/${id}`)
      target.failing.delete(name)
    })

    it('are judged by the time of each check, and of several together in the order of all assertions', async () => {
      const name = 'slow'
      // No answer takes so long.
      const never = { comparison: 'greater_than', target: 3_600_000, severity: 'degraded' }
      const each = { source: 'response_time_ms', ...never }
      const together = { source: 'response_time_p95_ms', property: '2', ...never }
      const { id } = await client.monitor({
        name,
        url: target.url(name),
        request_timeout_seconds: PATIENT_SECONDS,
        options: { attempts: 3, retry_seconds: 1, assertions: [each] },
      })
      await client.untilStatus(id, 'degraded')
      const words = /^response took [\d,]+ ms \(expected more than 3,600,000\)(?:, attempt (\d) of 3)?$/
      const judged = (await client.checks(id))
        .reverse()
        .filter(({ error_message }) => words.test(error_message ?? ''))
      assert.deepEqual(
        judged
          .slice(0, 3)
          .map(({ status, error_message, region }) => [status, words.exec(error_message ?? '')?.[1], region]),
        [
          ['pending', '1', 'nyc'],
          ['pending', '2', 'nyc'],
          ['degraded', undefined, 'nyc'],
        ],
      )
      const untilSaid = (cause: RegExp) =>
        until(`a check with ${cause}`, async () =>
          (await client.checks(id)).slice(0, 1).some(({ error_message }) => cause.test(error_message ?? '')),
        )
      const change = (assertions: object[]) =>
        client.data('PATCH', `/monitors/${id}`, { options: { attempts: null, assertions } })
      await change([together, each])
      await untilSaid(/^95th percentile of the last 2 checks is /)
      await change([each, together])
      await untilSaid(/^response took /)
      await client.data('DELETE', `/monitors/${id}`)
    })

    it('are counted by the service, and tell their own figures on their own machine', async () => {
      const read = async (url: string, name: string, labels?: Record<string, string>) => {
        const response = await fetch(`${url}/metrics`)
        const text = await response.text()
        assert.equal(response.status, 200, text)
        return seriesValue(parseExposition(text), name, labels)
      }
      const up = { type: 'http', status: 'up' }
      const own = await probe.url()
      for (const [url, name] of [
        [service.url, 'upbeat_remote_checks_total'],
        [own, 'upbeat_checks_total'],
      ] as const) {
        await until(`${name} of ${url}`, async () => ((await read(url, name, up)) ?? 0) >= 2 * NAMES.length)
      }
      assert.equal(await read(service.url, 'upbeat_checks_total', up), 0)
      assert.equal(await read(service.url, 'upbeat_remote_refusals_total'), 0)
      await until('the service to be reached', async () => (await read(own, 'upbeat_service_up')) === 1)
      assert.equal(await read(own, 'upbeat_results_dropped_total'), 0)
      // The one that was deleted is gone from its schedule.
      await until('its schedule', async () => (await read(own, 'upbeat_scheduled_monitors')) === NAMES.length)
      const elsewhere = await fetch(`${own}/metrics`, { headers: { 'x-forwarded-for': '192.0.2.1' } })
      assert.equal(elsewhere.status, 403)
    })

    it('go on through a cut, and what they found then is stored in order, once: one incident', async () => {
      const { since, seen, end } = await cutOff({
        part: () => proxy.set('cut'),
        async meanwhile() {
          const since = Date.now()
          await untilAsked(2)
          target.failing.add(FAILING)
          await untilAsked(2, [FAILING])
          target.failing.delete(FAILING)
          await untilAsked(2)
          await until('the service to give it up', async () => {
            const probers = await monitors.query('SELECT id FROM probers')
            return probers.length === 0
          })
          return { since, seen: over(), end: Date.now() }
        },
        join: () => proxy.set('pass'),
      })
      await assertAllRecorded(since, seen)
      const incidents = await monitors.query(
        'SELECT subject_id AS monitor_id, resolved_at FROM team_incidents WHERE started_at >= $1',
        [new Date(since)],
      )
      assert.equal(incidents.length, 1)
      assert.equal(incidents[0].monitor_id, monitors.idOf(FAILING))
      assert.ok(incidents[0].resolved_at.getTime() <= end)
      assert.match(probe.output(), /out of reach/)
      assert.match(probe.output(), /reached again/)
    })

    it('send again what was stored while the answer was lost, and it is stored once', async () => {
      const { since, seen } = await cutOff({
        part: () => proxy.set('swallow'),
        async meanwhile() {
          const since = Date.now()
          const before = proxy.swallowed.length
          const lost = (path: string) =>
            proxy.swallowed.slice(before).filter((one) => one.endsWith(path)).length
          await until('answers to be lost', async () => {
            await assertOnDuty()
            return lost('/results') >= 2 && lost('/renew') >= 2
          })
          await untilAsked(2)
          return { since, seen: over() }
        },
        join: () => proxy.set('pass'),
      })
      await assertAllRecorded(since, seen)
    })

    it('go on while the service is killed and comes back', async () => {
      const { since, seen } = await cutOff({
        async part() {
          await service.letGo()
          await service.signal('SIGKILL')
        },
        async meanwhile() {
          const since = Date.now()
          await untilAsked(3)
          return { since, seen: over() }
        },
        async join() {
          await service.start()
          await service.takeUp()
        },
      })
      await assertAllRecorded(since, seen)
    })
  })

  describe('of several regions', ONE_BY_ONE, () => {
    const scope = suiteScope()
    const tokens = new Map<string, string>()
    let target: CountingTarget
    let service: AskedService
    let client: TeamClient
    let monitors: Awaited<ReturnType<typeof addMonitors>>
    let standstills: Standstills
    let probe: RemoteProbe

    before(async () => {
      target = await startCountingTarget(scope)
      service = await startServiceHere({ ROLES: 'api,scheduler,alerts' })
      scope.after(() => service.close())
      client = await teamClient(service)
      monitors = await addMonitors(service, client, target)
      standstills = watchStandstills(scope, () => monitors.query('SELECT 1'))
      for (const [region, name] of [
        ['nyc', 'Newark'],
        ['lon', 'London'],
      ] as const) {
        tokens.set(region, (await createRemoteProbe(service.services, { region, name })).token)
      }
    })

    const start = (region: string, environment: Record<string, string> = {}) => {
      const settings = { PROBE_URL: service.url, PROBE_TOKEN: tokens.get(region) ?? '', REGION: region }
      return startRemoteProbe(scope, { ...settings, ...environment })
    }

    /** The same, once it has what there is to check; from then on its standstills count. */
    const startWatched = async (region: string, environment: Record<string, string> = {}) => {
      const log = standstills.logOfProcess()
      const started = start(region, { ...log.environment, ...environment })
      await until(`all slots of ${region} to be held`, async () => {
        const held = await monitors.query('SELECT FROM slots WHERE region = $1 AND holder IS NOT NULL', [
          region,
        ])
        return held.length === SLOTS
      })
      log.count()
      return { started, log }
    }

    const probing = async (regions: string[]) => {
      const rows = await monitors.query('SELECT region FROM probers ORDER BY region')
      return isDeepStrictEqual(
        rows.map(({ region }) => region),
        regions,
      )
    }

    it('take turns, and are taken over from when they are killed', async () => {
      const newark = await startWatched('nyc')
      await monitors.untilChecked(2)
      const since = Date.now()
      const { started: heir } = await startWatched('lon')
      const regions = async () => (await monitors.recorded('m1', since)).map(({ region }) => region).join(' ')
      await until('turns', async () => /lon nyc lon nyc/.test(await regions()))
      assert.doesNotMatch(newark.started.output(), /the service refused/)
      newark.log.end()
      await newark.started.end('SIGKILL')
      probe = heir
      await until('the end of its membership', () => probing(['lon']))
      await until('all turns of the other one', async () => /lon lon lon$/.test(await regions()))
      const lostMs = await standstills.until(Date.now())
      const overlaps = target.overlaps.filter(
        ({ earlierMs, atMs }) => lostMs(earlierMs - INTERVAL_MS, atMs) < BLINK_MS,
      )
      assert.deepEqual(overlaps, [])
      assert.deepEqual(await monitors.query('SELECT id FROM team_incidents'), [])
    })

    it('confirm a failure with another region, which they serve, too', async (t) => {
      const settle = (confirmations: number) =>
        updateTeamConfirmation(service.services.db, client.teamId, { confirmations })
      const checks = async (status: string) =>
        (await monitors.recorded('m1', since)).filter((check) => check.status === status)
      const since = Date.now()
      await settle(1)
      // It may not reach the target, which London can.
      const blind = await startWatched('nyc', { PRIVATE_TARGETS: 'deny' })
      // It ends however this test does: the next one has a probe of its own in that region.
      t.after(async () => {
        await settle(0)
        await blind.started.end('SIGTERM')
      })
      const unconfirmed = await until('a failure that is not confirmed', async () =>
        (await checks('up')).find(({ text }) => text !== null),
      )
      assert.deepEqual(
        [unconfirmed.region, unconfirmed.text],
        ['lon', `not confirmed from lon (seen from nyc): ${NO_WAY}`],
      )
      await client.untilStatus(monitors.idOf('m1'), 'up')

      const failingFrom = Date.now()
      target.failing.add('m1')
      await until('a failure', async () => (await checks('down')).some(({ at }) => at > failingFrom))
      await client.untilStatus(monitors.idOf('m1'), 'down')
      const failures = await checks('down')
      target.failing.delete('m1')
      await client.untilStatus(monitors.idOf('m1'), 'up')
      const lostMs = await standstills.until(Date.now())
      // A region that is asked but starved is not waited for: the failure is then neither confirmed nor contradicted.
      const blamed = failures.filter(({ at }) => lostMs(at - INTERVAL_MS, at + CONFIRMING_MS) < BLINK_MS)
      const [failed] = blamed.filter(({ at }) => at > failingFrom)
      const confirmed = [`${NO_WAY} (confirmed from lon)`, 'HTTP 503 (expected 200) (confirmed from nyc)']
      if (failed) assert.ok(confirmed.includes(failed.text ?? ''), failed.text ?? '')
      assert.deepEqual(
        blamed.filter(({ at }) => at <= failingFrom),
        [],
      )
      // Where London was starved, the other monitors, too, were down for what Newark saw alone.
      const outages = await Promise.all(
        NAMES.map(async (name) => outagesIn(await monitors.recorded(name, since))),
      )
      const incidents = await monitors.query('SELECT id FROM team_incidents')
      // Regions whose results come late are judged in the order in which they come, which the checks do not show.
      if (lostMs(since, Date.now()) < BLINK_MS)
        assert.equal(
          incidents.length,
          outages.reduce((all, one) => all + one),
        )
      blind.log.end()
      await blind.started.end('SIGTERM')
      await until('nothing to be asked for', async () => {
        const asked = await monitors.query('SELECT FROM confirmations')
        return asked.length === 0
      })
      await until('its end', () => probing(['lon']))
      await settle(0)
    })

    it('are never trusted with more than their own work', async () => {
      const token = () => tokens.get('nyc') ?? ''
      const ask = async (path: string, body: object, bearer = token()) => {
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
      const stranger = await ask(
        '/join',
        joining,
        token().replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
      )
      assert.deepEqual([stranger.status, stranger.body.error], [401, 'unauthorized'])

      const [{ holder }] = await monitors.query("SELECT holder FROM slots WHERE region = 'lon' LIMIT 1")
      // No process renews the membership that this test joins with, however long the test takes.
      const keep = () =>
        monitors.query(`UPDATE probers SET expires_at = now() + interval '1 hour' WHERE region = 'nyc'`)
      const owner = (await ask('/join', joining)).body.membership
      await keep()
      await until('slots', async () => {
        const held = await monitors.query('SELECT FROM slots WHERE holder = $1', [owner])
        return held.length === SLOTS
      })
      assert.equal((await ask('/renew', { membership: owner })).body.slots.length, SLOTS)
      // This one is given none before the other hands some over.
      const { membership } = (await ask('/join', joining)).body
      await keep()
      const all = Array.from({ length: SLOTS }, (_, slot) => slot)
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
      const id = monitors.idOf('m1')
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
      assert.deepEqual(await monitors.query("SELECT FROM checks WHERE error_message = 'not true'"), [])

      const calls = [{ id, ms: 60_000 }]
      const claim = await ask('/overruns', { membership, action: 'claim', calls })
      assert.deepEqual(claim.body, { answers: [false] })
      const wishes = [{ id, revision: 1, regions: ['lon'] }]
      assert.deepEqual((await ask('/confirmations/ask', { membership, wishes })).body, { asked: [[]] })

      // It delivers what there was to check of what is its own, too.
      // The monitor has not been changed lately, and no check was requested.
      await monitors.query("UPDATE monitors SET changed_at = now() - interval '1 minute' WHERE id = $1", [id])
      const tick = nextTickMs(Date.now(), INTERVAL_MS, phaseMs(id, INTERVAL_MS)) - INTERVAL_MS
      const more = [10, 20, 30].map((afterMs) => found(id, new Date(tick + afterMs), owner))
      for (const one of more) Object.assign(one.result, { status: 'up', errorMessage: null })
      const [{ revision }] = await monitors.query('SELECT revision FROM monitors WHERE id = $1', [id])
      const recordable = more.map((one) => ({ ...one, revision }))
      const given = await ask('/results', { session, first: 5, results: recordable })
      // London goes on. A result counts as sent twice where a check of the same millisecond is there already.
      const londons = new Set(
        (await monitors.recorded('m1', tick)).filter(({ region }) => region === 'lon').map(({ at }) => at),
      )
      const judged = more.filter(({ checked_at }) => !londons.has(checked_at.getTime()))
      assert.deepEqual(given.body, {
        acknowledged: 7,
        refused: judged.slice(1).map(() => ({ monitor_id: id, reason: 'its tick was checked already' })),
      })
      for (const own of [owner, membership]) {
        assert.equal((await ask('/leave', { membership: own })).status, 200)
      }
      const gone = await ask('/renew', { membership })
      assert.deepEqual([gone.status, gone.body.error], [410, 'lost'])
    })

    it('end, and say why, when their region is another one, and once their token was revoked', async () => {
      const elsewhere = start('lon', { PROBE_TOKEN: tokens.get('nyc') ?? '' })
      assert.equal(await elsewhere.end(), 1)
      assert.match(elsewhere.output(), /REGION is lon, and the token .*Newark.* is for nyc/)
      await until('London to probe alone', () => probing(['lon']))
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
      assert.equal(await probe.end(), 1)
      assert.match(probe.output(), /the token .*London.* was revoked/)
      assert.deepEqual(await monitors.query('SELECT FROM probers'), [])
    })
  })
})

/** How often it was down, by its checks, however many each time. */
function outagesIn(checks: Check[]): number {
  const judged = checks.filter(({ status }) => status !== 'pending')
  return judged.filter(({ status }, i) => status === 'down' && judged[i - 1]?.status !== 'down').length
}

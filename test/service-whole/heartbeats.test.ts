import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { deadline } from '../../src/core/monitors/heartbeat.ts'
import type { Monitor } from '../../src/core/monitors/monitor.ts'
import { startSteadyJob } from '../support/probing/steady-job.ts'
import { deliveriesOf } from '../support/records/delivery-log.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { documentedAsk } from '../support/services/documented.ts'
import type { Sent } from '../support/services/http.ts'
import { type TeamClient, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

const HOUR_SECONDS = 3_600

describe('heartbeats', { concurrency: true }, () => {
  let service: AskedService
  let client: TeamClient

  before(async () => {
    service = await wholeService()
    client = await teamClient(service)
  })

  const heartbeat = (seconds: number) =>
    client.monitor({ name: 'Backup', type: 'heartbeat', check_interval_seconds: seconds })

  async function ping({ heartbeat_url }: Monitor, suffix = '', sent: Sent = {}) {
    const path = new URL(heartbeat_url ?? '').pathname
    const { status, text } = await documentedAsk(`${service.url}${path}${suffix}`, sent)
    return { status, body: text }
  }

  const PINGED = { status: 204, body: '' }

  it('a new heartbeat is pending, has a token and its URL, and no URL of its own', async () => {
    const monitor = await client.monitor({ type: 'heartbeat', url: 'not a url', check_interval_seconds: 60 })
    assert.match(
      monitor.heartbeat_token ?? '',
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    assert.ok(monitor.heartbeat_url?.endsWith(`/ping/${monitor.heartbeat_token}`))
    assert.deepEqual([monitor.status, monitor.url, monitor.last_checked_at], ['pending', null, null])
  })

  for (const method of ['POST', 'GET', 'HEAD']) {
    it(`${method} makes it up; the ping is durable and a check when it is answered`, async () => {
      const monitor = await heartbeat(HOUR_SECONDS)
      assert.deepEqual(await ping(monitor, '', { method }), PINGED)
      const [checks, pinged] = [await client.checks(monitor.id), await client.show(monitor.id)]
      assert.deepEqual(checks, [
        {
          checked_at: pinged.last_checked_at,
          status: 'up',
          response_time_ms: null,
          http_status_code: null,
          region: 'lon',
          error_message: null,
        },
      ])
      assert.deepEqual([pinged.status, pinged.open_incident], ['up', null])
    })
  }

  it('another method is refused', async () => {
    assert.equal((await ping(await heartbeat(HOUR_SECONDS), '', { method: 'PUT' })).status, 405)
  })

  it('a missed deadline is down in time, with an incident and an alert; a ping recovers it', async () => {
    const monitor = await heartbeat(HOUR_SECONDS)
    await ping(monitor)
    await client.data('PATCH', `/monitors/${monitor.id}`, { check_interval_seconds: 1 })
    const { open_incident } = await client.untilStatus(monitor.id, 'down')
    assert.equal(open_incident?.cause, 'no ping within 1 s')
    const [check, pinged] = (await client.checks(monitor.id)).slice(-2)
    const late =
      Date.parse(open_incident.started_at) - deadline(new Date(pinged?.checked_at ?? ''), 1).getTime()
    assert.ok(late >= 0, `${-late} ms early`)
    assert.deepEqual(
      [check?.checked_at, check?.status, check?.error_message],
      [open_incident.started_at, 'down', 'no ping within 1 s'],
    )
    await until('another missed deadline', async () => (await client.checks(monitor.id)).length >= 3)
    // The next deadline is not to be missed while we look.
    await client.data('PATCH', `/monitors/${monitor.id}`, { check_interval_seconds: HOUR_SECONDS })
    assert.deepEqual(await ping(monitor), PINGED)
    const recovered = await client.show(monitor.id)
    assert.deepEqual([recovered.status, recovered.open_incident], ['up', null])
    const incidents = await client.incidents(monitor.id)
    assert.deepEqual(
      incidents.map(({ id, resolved }) => [id, resolved]),
      [[open_incident.id, true]],
    )
    assert.deepEqual(
      (await deliveriesOf(service, monitor.id)).map(({ event }) => event),
      ['monitor.down', 'monitor.recovery'],
    )
  })

  it('a job that was never heard of is down an interval after the creation', async () => {
    const monitor = await heartbeat(1)
    const { open_incident } = await client.untilStatus(monitor.id, 'down')
    const late =
      Date.parse(open_incident?.started_at ?? '') - deadline(new Date(monitor.created_at), 1).getTime()
    assert.ok(late >= 0, `${-late} ms early`)
  })

  it('pings in time keep it up', async (t) => {
    const monitor = await heartbeat(1)
    const job = startSteadyJob(t, `${service.url}/ping/${monitor.heartbeat_token}`, 1_000, 250)
    const checks = await until('pings for twice the interval', async () => {
      const checks = await client.checks(monitor.id)
      const pings = checks.filter(({ status }) => status === 'up').map((each) => Date.parse(each.checked_at))
      return Number(pings[0]) - Number(pings.at(-1)) > 2_000 && checks
    })
    job.assertInTime(checks)
  })

  const signals: [suffix: string, status: Monitor['status'], message: string | null][] = [
    ['/0', 'up', null],
    ['/', 'up', null],
    ['/fail', 'down', 'the job reported a failure'],
    ['/1', 'down', 'the job ended with exit status 1'],
    ['/255', 'down', 'the job ended with exit status 255'],
    ['/007', 'down', 'the job ended with exit status 7'],
  ]
  for (const [suffix, status, message] of signals) {
    it(`${suffix} is a check that says ${status}`, async () => {
      const monitor = await heartbeat(HOUR_SECONDS)
      assert.deepEqual(await ping(monitor, suffix), PINGED)
      const [check, ...others] = await client.checks(monitor.id)
      assert.deepEqual([check?.status, check?.error_message, others], [status, message, []])
      const { open_incident, ...pinged } = await client.show(monitor.id)
      assert.deepEqual([pinged.status, open_incident?.cause ?? null], [status, message])
    })
  }

  it('/start and /log judge nothing', async () => {
    const monitor = await heartbeat(HOUR_SECONDS)
    for (const suffix of ['/start', '/log']) assert.deepEqual(await ping(monitor, suffix), PINGED)
    const { status, last_checked_at } = await client.show(monitor.id)
    assert.deepEqual([status, last_checked_at, await client.checks(monitor.id)], ['pending', null, []])
  })

  for (const suffix of ['/256', '/-1', '/1.5', '/stop', '/start/now', '/FAIL', '/1234']) {
    it(`${suffix} is 404 and leaves no trace`, async () => {
      const monitor = await heartbeat(HOUR_SECONDS)
      const { status, body } = await ping(monitor, suffix)
      const problem = { type: 'about:blank', title: 'Not Found', status: 404 }
      assert.deepEqual([status, JSON.parse(body)], [404, problem])
      assert.deepEqual(await client.checks(monitor.id), [])
    })
  }

  it('an unknown, a paused and a deleted token are 404; a resumed one works again', async () => {
    const monitor = await heartbeat(HOUR_SECONDS)
    const statusOf = async (other: Partial<Monitor> = {}) => (await ping({ ...monitor, ...other })).status
    const base = monitor.heartbeat_url?.slice(0, -36)
    assert.equal(await statusOf({ heartbeat_url: `${base}${randomUUID()}` }), 404)
    assert.equal(await statusOf({ heartbeat_url: `${base}nonsense` }), 404)
    assert.equal(
      await statusOf({
        heartbeat_url: monitor.heartbeat_url?.toUpperCase().replace(/.*PING/, `${service.url}/ping`) ?? null,
      }),
      204,
    )
    await client.data('POST', `/monitors/${monitor.id}/toggle`)
    assert.equal(await statusOf(), 404)
    await client.data('POST', `/monitors/${monitor.id}/toggle`)
    assert.equal((await client.show(monitor.id)).status, 'pending')
    assert.equal(await statusOf(), 204)
    await client.ask('DELETE', `/monitors/${monitor.id}`)
    assert.equal(await statusOf(), 404)
  })

  it('keeps the first 100 kB of any body with the ping, and the run it belongs to', async () => {
    const monitor = await heartbeat(HOUR_SECONDS)
    const runId = randomUUID()
    const large = Buffer.alloc(300_000, 'x')
    const sendings: [suffix: string, type: string, body: Buffer][] = [
      [`/start?rid=${runId}`, 'application/x-www-form-urlencoded', Buffer.from('a=1')],
      [`/3?rid=${runId}`, 'no/such-type', large],
      ['?rid=not-a-uuid', 'application/json', Buffer.from('{"broken')],
    ]
    for (const [suffix, type, body] of sendings) {
      const init = { method: 'POST', headers: { 'content-type': type }, body }
      assert.deepEqual(await ping(monitor, suffix, init), PINGED)
    }
    const { rows } = await service.services.db.pool.query(
      `SELECT kind, exit_status, run_id, length(body) AS bytes FROM pings WHERE monitor_id = $1
       ORDER BY received_at`,
      [monitor.id],
    )
    assert.deepEqual(rows, [
      { kind: 'start', exit_status: null, run_id: runId, bytes: 3 },
      { kind: 'fail', exit_status: 3, run_id: runId, bytes: 100_000 },
      { kind: 'success', exit_status: null, run_id: null, bytes: 8 },
    ])
  })

  it('another interval moves the deadline, counted from the last ping', async () => {
    const monitor = await heartbeat(HOUR_SECONDS)
    await ping(monitor)
    const pingedAt = new Date((await client.show(monitor.id)).last_checked_at ?? '')
    await client.data('PATCH', `/monitors/${monitor.id}`, { check_interval_seconds: 1 })
    const { open_incident } = await client.untilStatus(monitor.id, 'down')
    assert.equal(open_incident?.cause, 'no ping within 1 s')
    const late = Date.parse(open_incident.started_at) - deadline(pingedAt, 1).getTime()
    assert.ok(late >= 0, `${-late} ms early`)
    const longer = await until('a deadline that is moved before it is missed', async () => {
      const made = await heartbeat(1)
      await client.data('PATCH', `/monitors/${made.id}`, { check_interval_seconds: HOUR_SECONDS })
      return (await client.checks(made.id)).length === 0 && made
    })
    // Its deadline comes after the one that was moved.
    const clock = await heartbeat(1)
    await client.untilStatus(clock.id, 'down')
    assert.equal((await client.show(longer.id)).status, 'pending')
  })

  it('a resumption restarts the interval', async () => {
    const monitor = await heartbeat(1)
    await client.untilStatus(monitor.id, 'down')
    await client.data('POST', `/monitors/${monitor.id}/toggle`)
    const before = Date.now()
    await client.data('PATCH', `/monitors/${monitor.id}`, { is_active: true })
    const { open_incident } = await client.untilStatus(monitor.id, 'down')
    assert.ok(Date.parse(open_incident?.started_at ?? '') >= before + 1_000)
  })
})

import assert from 'node:assert/strict'
import net from 'node:net'
import { before, describe, it } from 'node:test'
import type { Check } from '../../src/core/check.ts'
import { deliveriesOf } from '../support/deliveries.ts'
import { documentedFetch } from '../support/documented.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startSwitchTarget } from '../support/switch-target.ts'
import { startHttp } from '../support/targets.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'
import { until } from '../support/until.ts'

/** What a ping takes to be sent where the machine is busy. */
const LONGEST_WAY_MS = 300
/** Long enough to stop the service while a check is under way. */
const TIMEOUT_MS = 3_000
const HOUR = { check_interval_minutes: 60, check_interval_seconds: null }

describe('a service that stood still', () => {
  const scope = suiteScope()
  let service: TestService
  let client: TeamClient

  before(async () => {
    service = await startTestService()
    scope.after(() => service.close())
    client = await teamClient(service)
  })

  /** Stops the whole process until then, as a suspended machine or a starved container does. */
  async function standStillUntil(what: string, isOver: () => boolean) {
    process.kill(service.pid, 'SIGSTOP')
    try {
      await until(what, isOver)
    } finally {
      process.kill(service.pid, 'SIGCONT')
    }
  }

  it('judges no target by it, and looks again at once', async (t) => {
    const steady = await startSwitchTarget(t)
    const watched = await client.monitor({ url: steady.url })
    await client.untilStatus(watched.id, 'up')
    let asked = 0
    const target = await startHttp(t, (_, response) => {
      // The first request is never answered.
      if (++asked > 1) response.end()
    })
    const { id } = await client.monitor({
      ...HOUR,
      url: `http://127.0.0.1:${target.port}/`,
      request_timeout_seconds: TIMEOUT_MS / 1_000,
    })
    await until('the check to be under way', () => asked === 1)
    const stoppedAt = Date.now()
    await standStillUntil('its time to be up', () => Date.now() > stoppedAt + TIMEOUT_MS + 300)
    await client.untilStatus(id, 'up')
    const checks = await client.checks(id)
    assert.deepEqual(
      checks.map(({ status, error_message }) => `${status}: ${error_message}`),
      ['up: null', 'pending: this machine was too busy to judge'],
    )
    for (const monitor of [id, watched.id]) {
      assert.deepEqual([await client.incidents(monitor), await deliveriesOf(service, monitor)], [[], []])
    }
  })

  it('takes an answer that came meanwhile for what it is', async (t) => {
    let answer = () => {}
    const target = await startHttp(t, (_, response) => {
      answer = () => response.end()
    })
    const { id } = await client.monitor({
      ...HOUR,
      url: `http://127.0.0.1:${target.port}/`,
      request_timeout_seconds: TIMEOUT_MS / 1_000,
    })
    await until('the check to be under way', () => target.accepted() === 1)
    const stoppedAt = Date.now()
    await standStillUntil('its time to be up', () => {
      if (Date.now() > stoppedAt + 500) answer()
      return Date.now() > stoppedAt + TIMEOUT_MS + 300
    })
    const [check, ...others] = await client.untilChecks(id, 1)
    assert.deepEqual([check?.status, check?.error_message, others], ['up', null, []])
  })

  it('does not find a job late whose ping came in time', async () => {
    const checks = await until('a job that pings in time, however busy this machine is', pingThroughPause)
    assert.deepEqual(
      checks.slice(-3).map(({ status }) => status),
      ['down', 'up', 'up'],
      'late only when the second ping is followed by none',
    )
  })

  /** The checks of a job that pings twice, at last into a pause; null when that was not in time. */
  async function pingThroughPause(): Promise<Check[] | null> {
    const intervalMs = 2_000
    const startedAt = Date.now()
    const monitor = await client.monitor({ type: 'heartbeat', check_interval_seconds: intervalMs / 1_000 })
    const ping = () => documentedFetch(`${service.url}/ping/${monitor.heartbeat_token}`)
    assert.equal((await ping()).status, 204)
    const answeredAt = Date.now()
    await until('the deadline to be near', () => Date.now() > startedAt + intervalMs - 1_000)
    let pinged: Promise<Response> | null = null
    let pingedAt = 0
    await standStillUntil('the deadline to pass', () => {
      pinged ??= ping()
      pingedAt ||= Date.now()
      return Date.now() > answeredAt + intervalMs + 600
    })
    assert.equal((await (pinged as unknown as Promise<Response>)).status, 204)
    await client.untilStatus(monitor.id, 'down')
    return pingedAt < startedAt + intervalMs - LONGEST_WAY_MS ? await client.checks(monitor.id) : null
  }
})

describe('a service without a file descriptor left', () => {
  const scope = suiteScope()
  const LIMIT = 128
  let service: TestService
  let client: TeamClient

  before(async () => {
    service = await startTestService({}, ['/bin/sh', '-c', `ulimit -n ${LIMIT}; exec "$@"`, 'sh'])
    scope.after(() => service.close())
    client = await teamClient(service)
  })

  /** The newest checks of a monitor from the database: the API has no descriptor for us either. */
  async function newestChecks(id: number, since: Date): Promise<Pick<Check, 'status' | 'error_message'>[]> {
    const { rows } = await service.services.db.pool.query(
      'SELECT status, error_message FROM checks WHERE monitor_id = $1 AND checked_at > $2 ORDER BY checked_at',
      [id, since],
    )
    return rows
  }

  it('opens and resolves no incident, and recovers by itself', async (t) => {
    const healthy = await startSwitchTarget(t)
    const failing = await startSwitchTarget(t, 503)
    const up = await client.monitor({ url: healthy.url })
    const down = await client.monitor({ url: failing.url })
    await client.untilStatus(up.id, 'up')
    const { open_incident } = await client.untilStatus(down.id, 'down')

    const began = new Date()
    const release = occupy(t, service, LIMIT)
    for (const { id } of [up, down]) {
      await until(`a check of monitor ${id} without a descriptor`, async () => {
        const checks = await newestChecks(id, began)
        return checks.some(({ error_message }) => error_message === 'out of file descriptors')
      })
    }
    release()
    const released = new Date()
    for (const { id } of [up, down]) {
      await until(`monitor ${id} to be judged again`, async () => {
        const checks = await newestChecks(id, released)
        return checks.some(({ status }) => status !== 'pending')
      })
    }
    const statuses = async (id: number) =>
      new Set((await newestChecks(id, began)).map(({ status }) => status))
    assert.deepEqual(await statuses(up.id), new Set(['pending', 'up']))
    assert.deepEqual(await statuses(down.id), new Set(['pending', 'down']))
    assert.deepEqual([(await client.show(up.id)).status, await client.incidents(up.id)], ['up', []])
    assert.deepEqual(await client.incidents(down.id), [open_incident])

    healthy.status = 503
    failing.status = 200
    await client.untilStatus(up.id, 'down')
    await client.untilStatus(down.id, 'up')
  })
})

/** Takes every descriptor of a service by connecting to it, again and again, until it is released. */
function occupy(scope: Scope, { url }: TestService, count: number): () => void {
  const port = Number(new URL(url).port)
  const open = new Set<net.Socket>()
  let released = false
  const take = () => {
    if (released) return
    const socket = net.connect(port, '127.0.0.1')
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      open.delete(socket)
      setTimeout(take, 50)
    })
  }
  const release = () => {
    released = true
    for (const socket of open) socket.destroy()
  }
  for (let i = 0; i < count; i++) take()
  scope.after(async () => release())
  return release
}

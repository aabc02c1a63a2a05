import assert from 'node:assert/strict'
import { before, describe, it, type TestContext } from 'node:test'
import { messagesOf, untilDelivered } from '../support/records/delivery-log.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'
import { startHttp } from '../support/servers/targets.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { SELDOM, type TeamClient, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

const LIMIT_MS = 150
/** Answers are held for so long while the server is slow, so that they are never within the limit. */
const HELD_MS = 2 * LIMIT_MS

/** A server that holds its answers while it is slow. */
async function startSlowServer(t: TestContext) {
  const server = { isSlow: false, url: '' }
  const { port } = await startHttp(t, (_, response) => {
    setTimeout(() => response.end('ok'), server.isSlow ? HELD_MS : 0)
  })
  server.url = `http://127.0.0.1:${port}/`
  return server
}

describe('a slow monitor', { concurrency: true }, () => {
  let service: AskedService
  let client: TeamClient

  before(async () => {
    service = await wholeService()
    client = await teamClient(service)
  })

  /** A monitor that is up before it has any options, and what is told of it. */
  async function startMonitor(t: TestContext) {
    const server = await startSlowServer(t)
    const receiver = await startReceiver(t, replyWith(204))
    const contact = await client.webhook(receiver)
    const settings = { ...SELDOM, url: server.url, notification_contact_ids: [contact.id] }
    const { id } = await client.monitor(settings)
    await client.untilStatus(id, 'up')
    const told = async () => {
      await untilDelivered(service, id, 1)
      const received = [...messagesOf(receiver).values()].map(([first]) => JSON.parse(first?.body ?? '{}'))
      const { rows } = await service.services.db.pool.query(
        `SELECT event, alert ->> 'cause' AS cause FROM deliveries WHERE kind = 'monitor' AND subject_id = $1`,
        [id],
      )
      assert.deepEqual(
        received.map(({ event }) => event),
        rows.map(({ event }) => event),
      )
      return rows
    }
    return { server, id, told }
  }

  /** Has a fast monitor checked until it is up; returns its status after each check. A busy machine makes more of them slow. */
  async function untilUp(id: number): Promise<string[]> {
    const statuses: string[] = []
    await until(`monitor ${id} to be fast`, async () => {
      await client.checkNow(id)
      statuses.push((await client.show(id)).status)
      return statuses.at(-1) === 'up'
    })
    return statuses
  }

  it('is degraded after its attempts, warns once, and is up after as many checks as it wants', async (t) => {
    const { server, id, told } = await startMonitor(t)
    const slow = {
      ...{ source: 'response_time_ms', comparison: 'less_than' },
      ...{ target: LIMIT_MS, severity: 'degraded' },
    }
    server.isSlow = true
    const options = { attempts: 3, retry_seconds: 1, recovery_checks: 2, assertions: [slow] }
    await client.data('PATCH', `/monitors/${id}`, { options })
    const { open_incident } = await client.untilStatus(id, 'degraded')
    assert.equal(open_incident, null)
    const words = /^response took [\d,]+ ms \(expected less than 150\)(?<attempt>, attempt \d of 3)?$/
    const checks = (await client.checks(id)).reverse().slice(1)
    assert.deepEqual(
      checks.map(({ status, error_message }) => [status, words.exec(error_message ?? '')?.groups?.attempt]),
      [
        ['pending', ', attempt 1 of 3'],
        ['pending', ', attempt 2 of 3'],
        ['degraded', undefined],
      ],
    )
    server.isSlow = false
    const statuses = await untilUp(id)
    assert.equal(statuses.at(-2), 'degraded', 'one fast check is not enough')
    const [{ event, cause }, ...others] = await told()
    assert.equal(event, 'monitor.degraded')
    assert.match(cause, words)
    assert.deepEqual(others, [])
  })

  it('is degraded by the percentile of its last checks, once there are so many, and warns once', async (t) => {
    const { server, id, told } = await startMonitor(t)
    const slow = {
      ...{ source: 'response_time_p95_ms', property: '3', comparison: 'less_than' },
      ...{ target: LIMIT_MS, severity: 'degraded' },
    }
    server.isSlow = true
    await client.data('PATCH', `/monitors/${id}`, { options: { assertions: [slow] } })
    await client.untilChecks(id, 2)
    assert.equal((await client.show(id)).status, 'up')
    await client.checkNow(id)
    assert.equal((await client.show(id)).status, 'degraded')
    server.isSlow = false
    const statuses = await untilUp(id)
    assert.deepEqual(statuses.slice(0, 2), ['degraded', 'degraded'], 'one of the last three was slow')
    const [{ event, cause }, ...others] = await told()
    assert.equal(event, 'monitor.degraded')
    assert.match(cause, /^95th percentile of the last 3 checks is [\d,]+ ms \(expected less than 150\)$/)
    assert.deepEqual(others, [])
  })

  it('is refused a percentile of checks that cannot be, or that its type does not have', async () => {
    const refusedFor = async (type: string, url: string, property: string) => {
      const assertions = [
        { source: 'response_time_p95_ms', property, comparison: 'less_than', target: LIMIT_MS },
      ]
      const body = { ...SELDOM, name: 'Slow', type, url, options: { assertions } }
      const answer = await client.ask('POST', '/monitors', body)
      assert.equal(answer.status, 422, JSON.stringify(answer.body))
      return answer.body.errors
    }
    assert.deepEqual(await refusedFor('http', 'http://127.0.0.1/', '1'), {
      'options.assertions.0.property': [
        'options.assertions.0.property must be the number of checks in digits, 2 to 100, got 1',
      ],
    })
    const { 'options.assertions': why } = await refusedFor('icmp', 'icmp://127.0.0.1', '20')
    assert.equal(why?.length, 1)
  })
})

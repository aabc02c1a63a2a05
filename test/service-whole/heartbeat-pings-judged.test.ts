import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Monitor } from '../../src/core/monitors/monitor.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { documentedAsk } from '../support/services/documented.ts'
import type { Sent } from '../support/services/http.ts'
import { type TeamClient, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'

const SAVED = { source: 'json', property: '$.saved', comparison: 'greater_than', target: 0 }
const QUICK = { source: 'body', comparison: 'not_contains', target: 'slow', severity: 'degraded' }

describe('what a ping must say', { concurrency: true }, () => {
  let service: AskedService
  let client: TeamClient

  before(async () => {
    service = await wholeService()
    client = await teamClient(service)
  })

  const job = (options: object) =>
    client.monitor({ name: 'Backup', type: 'heartbeat', check_interval_seconds: 3_600, options })
  async function ping({ heartbeat_url }: Monitor, suffix: string, body?: string) {
    const sent: Sent = body === undefined ? {} : { method: 'POST', body }
    const path = new URL(heartbeat_url ?? '').pathname
    assert.equal((await documentedAsk(`${service.url}${path}${suffix}`, sent)).status, 204)
  }

  const table: [
    options: object,
    suffix: string,
    body: string | undefined,
    status: string,
    cause: string | null,
  ][] = [
    [{ expect_exit: [0, 3] }, '/3', undefined, 'up', null],
    [{ expect_exit: [0, 3] }, '/0', undefined, 'up', null],
    [{ expect_exit: [0, 3] }, '/1', undefined, 'down', 'the job ended with exit status 1 (expected 0, 3)'],
    [{ expect_exit: [7] }, '/0', undefined, 'down', 'the job ended with exit status 0 (expected 7)'],
    [{ expect_exit: [7] }, '', undefined, 'up', null],
    [{ expect_exit: [7] }, '/fail', undefined, 'down', 'the job reported a failure'],
    [{ body_assertions: [SAVED] }, '', '{"saved": 3}', 'up', null],
    [{ body_assertions: [SAVED] }, '/0', '{"saved": 0}', 'down', '$.saved is 0 (expected more than 0)'],
    [{ body_assertions: [SAVED] }, '', undefined, 'down', '$.saved is missing'],
    [{ body_assertions: [SAVED] }, '/2', '{"saved": 0}', 'down', 'the job ended with exit status 2'],
    [{ body_assertions: [QUICK] }, '', 'slow', 'degraded', 'body is "slow" (expected not to contain "slow")'],
    [
      { body_assertions: [QUICK, { source: 'body', comparison: 'matches', target: '^[0-9]+ files' }] },
      '/0',
      'slow: 12 files',
      'down',
      'body is "slow: 12 files" (expected to match "^[0-9]+ files")',
    ],
  ]
  for (const [options, suffix, body, status, cause] of table) {
    it(`${JSON.stringify(options)} has ${suffix || '/'} with ${body} ${status}`, async () => {
      const monitor = await job(options)
      await ping(monitor, suffix, body)
      const [check] = await client.checks(monitor.id)
      assert.deepEqual([check?.status, check?.error_message], [status, cause])
      const { open_incident } = await client.show(monitor.id)
      assert.equal(open_incident?.cause ?? null, status === 'down' ? cause : null)
    })
  }

  it('is asked of no start and no note', async () => {
    const monitor = await job({ body_assertions: [SAVED] })
    await ping(monitor, '/start', 'nothing')
    await ping(monitor, '/log', 'nothing')
    assert.deepEqual(await client.checks(monitor.id), [])
  })

  const refused: [options: object, field: string, message: RegExp][] = [
    [{ expect_exit: [256] }, 'options.expect_exit.0', /must be at most 255, got 256/],
    [{ expect_exit: [] }, 'options.expect_exit', /must have at least 1 entry/],
    [
      { body_assertions: [{ source: 'status_code', comparison: 'equals', target: 200 }] },
      'options.body_assertions.0.source',
      /is nothing that a monitor of type heartbeat has, got status_code/,
    ],
    [
      { body_assertions: [{ source: 'json', property: '$[', comparison: 'exists' }] },
      'options.body_assertions.0.property',
      /must be a JSONPath/,
    ],
  ]
  for (const [options, field, message] of refused) {
    it(`cannot be ${JSON.stringify(options)}`, async () => {
      const body = { name: 'Job', type: 'heartbeat', check_interval_minutes: 60, options }
      const answer = await client.ask('POST', '/monitors', body)
      assertInvalid(answer, [field])
      assert.match(answer.body.errors[field][0], message)
    })
  }
})

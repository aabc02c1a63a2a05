// npm test leaves this out: it waits for checks and alerts of a service with a setting of its own (seconds).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { OperationId } from '../../../../src/contract/contract.ts'
import { run } from '../../../../src/operations/run.ts'
import { attemptsOf, isLate } from '../../../support/records/delivery-log.ts'
import { addPerson } from '../../../support/records/teams.ts'
import { suiteScope } from '../../../support/scope.ts'
import { replyWith, startReceiver } from '../../../support/servers/receivers.ts'
import { startSwitchTarget } from '../../../support/servers/switch-target.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { startServiceHere } from '../../../support/services/service-here.ts'
import { type TeamClient, teamClient } from '../../../support/services/team-client.ts'
import { until } from '../../../support/until.ts'

const PRIVATE = [
  '127.0.0.1',
  '127.1',
  '10.1.2.3',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '[::1]',
  '[fd00::1]',
  '[::ffff:10.0.0.1]',
  '2130706433',
  'localhost',
  'shop.localhost',
]

describe('PRIVATE_TARGETS=deny', { concurrency: true }, () => {
  const scope = suiteScope()
  let service: AskedService
  let client: TeamClient
  let writer: number

  before(async () => {
    service = await startServiceHere({ PRIVATE_TARGETS: 'deny' })
    scope.after(() => service.close())
    client = await teamClient(service)
    writer = await addPerson(service.services.db)
  })

  /** Writes what the form refuses, as an earlier setting may have let it in: only the dial judges it. */
  async function store(operation: OperationId, fields: object): Promise<{ id: number }> {
    const services = { ...service.services, refuseAddress: () => null }
    const { body } = await run(services, operation, {
      actor: { userId: writer, teamId: client.teamId, role: 'owner', plan: 'business', door: 'dashboard' },
      params: {},
      query: {},
      readBody: async () => fields,
    })
    return (body as { data: { id: number } }).data
  }

  const monitor = { name: 'x', check_interval_minutes: 1, port: 80 }

  it('refuses an address written in a URL, of monitors and of contacts', async () => {
    for (const host of PRIVATE) {
      const asked = [
        ['url', await client.ask('POST', '/monitors', { ...monitor, type: 'http', url: `http://${host}/` })],
        ['url', await client.ask('POST', '/monitors', { ...monitor, type: 'tcp', url: `tcp://${host}` })],
        [
          'config.url',
          await client.ask('POST', '/notification-contacts', {
            name: 'x',
            type: 'webhook',
            config: { url: `https://${host}/hook` },
          }),
        ],
      ] as const
      for (const [field, { status, body }] of asked) {
        assert.equal(status, 422, `${host}: ${JSON.stringify(body)}`)
        assert.deepEqual(Object.keys(body.errors), [field])
        assert.match(body.errors[field][0], /is not allowed/)
      }
    }
  })

  it('a name that leads there is a down check with the reason, and nothing is connected to', async (t) => {
    const target = await startSwitchTarget(t)
    const url = target.url.replace('127.0.0.1', 'localhost')
    for (const type of ['http', 'tcp']) {
      const { id } = await store('createMonitor', { ...monitor, type, url, port: Number(new URL(url).port) })
      const { open_incident } = await client.untilStatus(id, 'down')
      assert.match(open_incident?.cause ?? '', /^address (127\.0\.0\.1|::1) is not allowed$/)
    }
    assert.equal(target.asked, 0)
  })

  it('an alert to a name that leads there is not delivered', async (t) => {
    const receiver = await startReceiver(t, replyWith(204))
    const contact = await store('createContact', {
      name: 'Inside',
      type: 'webhook',
      config: { url: `http://localhost:${receiver.port}/hook` },
    })
    const { id } = await store('createMonitor', {
      ...monitor,
      type: 'http',
      url: 'http://localhost:9/',
      notification_contact_ids: [contact.id],
    })
    const attempt = await until('an attempt', async () =>
      (await attemptsOf(service, id)).find((each) => !isLate(each)),
    )
    assert.notEqual(attempt.outcome, 'sent')
    assert.match(attempt.detail, /address (127\.0\.0\.1|::1) is not allowed/)
    assert.deepEqual(receiver.requests, [])
  })
})

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { createAuthority } from '../support/certificates.ts'
import { deliveriesOf, untilDelivered } from '../support/deliveries.ts'
import { listen, type Receiver, replyWith, startReceiver } from '../support/receivers.ts'
import { suiteScope } from '../support/scope.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'
import { until } from '../support/until.ts'

describe('a certificate that expires soon', { concurrency: true }, () => {
  const scope = suiteScope()
  const authority = createAuthority('Upbeat tests')
  const expiring = () => authority.issue({ validForDays: 3.5 })
  let service: TestService
  let client: TeamClient
  let receiver: Receiver

  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
    scope.after(() => rm(directory, { recursive: true, force: true }))
    const file = join(directory, 'authority.pem')
    await writeFile(file, authority.pem)
    service = await startTestService({ NODE_EXTRA_CA_CERTS: file })
    scope.after(() => service.close())
    client = await teamClient(service)
    receiver = await startReceiver(scope, replyWith(204))
  })

  it('warns once per certificate, opens no incident, and recovers a monitor that was down', async (t) => {
    let status = 200
    const server = https.createServer(expiring(), (_, response) => response.writeHead(status).end())
    const port = await listen(server)
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    const contact = await client.webhook(receiver)
    const { id } = await client.monitor({
      url: `https://127.0.0.1:${port}/`,
      notification_contact_ids: [contact.id],
    })
    const degraded = await client.untilStatus(id, 'degraded')
    assert.deepEqual([degraded.open_incident, degraded.ssl_days_remaining], [null, 3])
    await client.untilChecks(id, 3)
    assert.deepEqual(await client.incidents(id), [])

    status = 503
    await client.untilStatus(id, 'down')
    status = 200
    const recovered = await client.untilStatus(id, 'degraded')
    assert.equal(recovered.open_incident, null)
    const incidents = await client.incidents(id)
    assert.deepEqual(
      incidents.map(({ resolved }) => resolved),
      [true],
    )

    server.setSecureContext(expiring())
    await until('a warning of the renewed certificate', async () => {
      const deliveries = await deliveriesOf(service, id)
      return deliveries.filter(({ event }) => event === 'monitor.degraded').length === 2
    })
    await untilDelivered(service, id, 4)
    const told = receiver.requests.map(({ body }) => JSON.parse(body))
    assert.deepEqual(
      told.filter((payload) => payload.id === id).map(({ event }) => event),
      ['monitor.degraded', 'monitor.down', 'monitor.recovery', 'monitor.degraded'],
    )
  })

  it('warns those who are told of trouble, and nobody else', async (t) => {
    const server = https.createServer(expiring(), (_, response) => response.end())
    const port = await listen(server)
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    const deaf = await client.webhook(receiver, { notify_on_down: false })
    const told = await client.webhook(receiver, { notify_on_recovery: false })
    const { id } = await client.monitor({
      type: 'ssl',
      url: `https://127.0.0.1:${port}/`,
      notification_contact_ids: [deaf.id, told.id],
    })
    await client.untilStatus(id, 'degraded')
    const deliveries = await deliveriesOf(service, id)
    assert.deepEqual(
      deliveries.map(({ contactId, event, incidentId }) => [contactId, event, incidentId]),
      [[told.id, 'monitor.degraded', null]],
    )
  })
})

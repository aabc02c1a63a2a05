import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { createSecureContext, type TlsOptions } from 'node:tls'
import type { Check } from '../../../src/core/monitors/check.ts'
import { deliveriesOf, untilDelivered } from '../../support/records/delivery-log.ts'
import { suiteScope } from '../../support/scope.ts'
import { createAuthority, type Leaf, selfSigned } from '../../support/servers/certificates.ts'
import { listen, type Receiver, replyWith, startReceiver } from '../../support/servers/receivers.ts'
import { startHttps, startTls } from '../../support/servers/targets.ts'
import { startTestService, type TestService } from '../../support/services/service.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

const DAY_MS = 86_400_000

/** In a process of its own: the authorities of NODE_EXTRA_CA_CERTS are read when a process starts. */
export function describeCertificates(): void {
  describe('checks of certificates', { concurrency: true }, () => {
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

    const certificates: {
      name: string
      leaf: Leaf
      days: number
      status: Check['status']
      errorMessage: string | null
    }[] = [
      { name: 'a good certificate is up', leaf: {}, days: 59, status: 'up', errorMessage: null },
      {
        name: 'a certificate that expires soon is degraded, with the days',
        leaf: { validForDays: 7.5 },
        days: 7,
        status: 'degraded',
        errorMessage: 'certificate expires in 7 days',
      },
      {
        name: 'an expired certificate is down, with how long ago and whose it is',
        leaf: { commonName: 'shop.example', validForDays: -3.5 },
        days: -4,
        status: 'down',
        errorMessage: 'certificate expired 3 days ago (CN=shop.example)',
      },
      {
        name: 'a certificate for another host is down',
        leaf: { names: ['shop.example'] },
        days: 59,
        status: 'down',
        errorMessage: 'certificate is for shop.example, not 127.0.0.1',
      },
    ]
    for (const { name, leaf, days, status, errorMessage } of certificates) {
      for (const type of ['ssl', 'http', 'keyword']) {
        it(`${type}: ${name}`, async (t) => {
          const target = await startHttps(t, authority.issue(leaf))
          const url = `https://127.0.0.1:${target.port}/`
          const { id, ssl_expires_at } = await client.monitor({ type, url, expected_keyword: 'OK' })
          assert.equal(ssl_expires_at, null)
          const monitor = await client.untilStatus(id, status)
          const check = await client.untilJudged(id)
          assert.deepEqual([check?.status, check?.error_message], [status, errorMessage])
          assert.equal(monitor.ssl_days_remaining, days)
          const expected = Date.now() + (leaf.validForDays ?? 60) * DAY_MS
          assert.ok(Math.abs(Date.parse(monitor.ssl_expires_at ?? '') - expected) < DAY_MS / 2)
          assert.equal(monitor.open_incident?.cause ?? null, status === 'down' ? errorMessage : null)
        })
      }
    }

    it('a certificate that is not valid yet, or of no known authority, is down', async (t) => {
      const early = await startTls(t, authority.issue({ validFromDays: 2 }))
      const unknown = await startTls(t, selfSigned({ commonName: 'shop.example' }))
      for (const [target, expected] of [
        [early, /^certificate is not valid until \d{4}-\d\d-\d\d \(CN=localhost\)$/],
        [unknown, /^certificate is self-signed \(CN=shop\.example\)$/],
      ] as const) {
        const { id } = await client.monitor({ type: 'ssl', url: `https://127.0.0.1:${target.port}` })
        const monitor = await client.untilStatus(id, 'down')
        assert.match(monitor.open_incident?.cause ?? '', expected)
      }
    })

    it('the warning time of the monitor decides what is soon', async (t) => {
      const target = await startTls(t, authority.issue({ validForDays: 30.5 }))
      const url = `https://127.0.0.1:${target.port}`
      const late = await client.monitor({ type: 'ssl', url, ssl_expiry_warning_days: 30 })
      const soon = await client.monitor({ type: 'ssl', url, ssl_expiry_warning_days: 31 })
      await client.untilStatus(late.id, 'up')
      await client.untilStatus(soon.id, 'degraded')
    })

    describe('of one that expires soon', { concurrency: true }, () => {
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
        const deliveries = await untilDelivered(service, id, 4)
        const told = receiver.requests.map(({ headers, body }) => ({
          ...JSON.parse(body),
          by: headers['webhook-id'],
        }))
        // A message without an answer in time is sent again, with the same id.
        const events = new Map(
          told.filter((payload) => payload.id === id).map(({ by, event }) => [by, event]),
        )
        assert.deepEqual(
          deliveries.map(({ messageId }) => events.get(messageId)),
          ['monitor.degraded', 'monitor.down', 'monitor.recovery', 'monitor.degraded'],
        )
        assert.equal(events.size, deliveries.length)
      })

      it('warns once of each of two that alternate behind one name', async (t) => {
        const contexts = [expiring(), expiring()].map((certificate) => createSecureContext(certificate))
        let shown = 0
        const SNICallback: TlsOptions['SNICallback'] = (_, use) =>
          use(null, contexts[shown++ % contexts.length])
        const target = await startTls(t, { SNICallback })
        const contact = await client.webhook(receiver)
        const { id } = await client.monitor({
          type: 'ssl',
          url: `https://localhost:${target.port}/`,
          notification_contact_ids: [contact.id],
        })
        await client.untilChecks(id, 6)
        const deliveries = await deliveriesOf(service, id)
        assert.deepEqual(
          deliveries.map(({ event }) => event),
          ['monitor.degraded', 'monitor.degraded'],
        )
      })

      it('warns only contacts that get alerts of outages', async (t) => {
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
  })
}

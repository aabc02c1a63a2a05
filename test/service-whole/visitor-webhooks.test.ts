import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { listSubscribers } from '../../src/store/status-pages/subscriber-list.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { ask } from '../support/services/http.ts'
import { peopleOf, type Team } from '../support/services/people.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { storePage } from '../support/status-pages/stored-pages.ts'
import { until } from '../support/until.ts'

/** Forms of addresses in private networks, and of this machine, that URLs take. */
const HOSTS = [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '１２７.0.0.1',
  '127。0。0。1',
  '0.0.0.0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fd00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '10.0.0.1',
  '10.1',
  '100.64.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '192.168.257',
  '198.18.0.1',
  '169.254.169.254',
  '100.100.100.200',
  '224.0.0.1',
  '255.255.255.255',
  'localhost',
  'LocalHost.',
  'shop.localhost',
  'ⓛocalhost',
]

describe('a visitor of a status page, where members may name private addresses', () => {
  let service: AskedService
  let team: Team

  before(async () => {
    service = await wholeService()
    team = await peopleOf(service).team()
  })

  it('cannot have the service send anything into its own network', async (t) => {
    const receiver = await startReceiver(t, replyWith(501))
    const { id, slug } = await storePage(service.services, team.id, { slug: 'seen-by-strangers' })
    const address = `${service.url}/status/${slug}/subscribe`
    await until('the page is served', async () => (await ask(address)).status === 200)
    const wish = (webhook: string, client: number) =>
      ask(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': `198.51.100.${client}`,
        },
        body: new URLSearchParams({ webhook_url: webhook }).toString(),
      })
    for (const [client, host] of HOSTS.entries()) {
      const { status, text } = await wish(`http://${host}:${receiver.port}/job/deploy/build?token=x`, client)
      assert.equal(status, 422, host)
      assert.match(text, /webhook_url/, host)
    }
    const { db, vault } = service.services
    const kept = await listSubscribers(db.query, vault, team.id, { pageId: id }, { limit: 10, offset: 0 })
    assert.deepEqual(kept, [])
    const { rows } = await db.pool.query(
      `SELECT FROM status_notices n JOIN status_subscribers s ON s.id = n.subscriber_id WHERE s.page_id = $1`,
      [id],
    )
    assert.deepEqual(rows, [], 'nothing waits to be sent')
    assert.equal(receiver.requests.length, 0)
    const body = { name: 'Phone', type: 'webpush', config: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } }
    for (const host of ['127.0.0.1:4392', 'localhost', '[::ffff:10.0.0.1]']) {
      const config = { ...body.config, endpoint: `https://${host}/p` }
      const { status, body: answer } = await team.owner.ask(team.id, 'POST', '/notification-contacts', {
        ...body,
        config,
      })
      assert.equal(status, 422, host)
      assert.match(JSON.stringify(answer), /config\.endpoint is refused/)
    }
  })
})

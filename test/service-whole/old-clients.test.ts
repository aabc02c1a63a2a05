import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sendRaw } from '../support/net/raw-http.ts'
import type { AskedService, TestTeam } from '../support/services/asked-service.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

/** HAProxy's `httpchk`, keepalived, old cron tools and small devices speak HTTP/1.0, which knows no Host (RFC 9112, section 3.2). */
describe('a client that sends no Host', () => {
  let service: AskedService
  let team: TestTeam

  before(async () => {
    service = await wholeService()
    team = await service.createTeam()
  })

  async function statusOf(request: string) {
    const { hostname, port } = new URL(service.url)
    const answer = await sendRaw({ host: hostname, port: Number(port) }, request)
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
  }

  it('is answered as others are', async () => {
    const job = { name: 'Job', type: 'heartbeat', check_interval_minutes: 5 }
    const { data } = (await service.call(team.owner, 'POST', '/monitors', job)).body
    // As load balancers ask. A process that stood still says so for a moment.
    await until('it is well', async () => (await statusOf('GET /health HTTP/1.0\r\n\r\n')) === 200)
    const paths: [path: string, status: number][] = [
      ['/health/live', 200],
      ['/metrics', 200],
      [`/ping/${data.heartbeat_token}`, 204],
      ['/ping/unknown', 404],
      ['/badge/unknown/status.svg', 404],
      ['/docs', 200],
      ['/api/v1/monitors', 401],
    ]
    for (const [path, status] of paths) {
      assert.equal(await statusOf(`GET ${path} HTTP/1.0\r\n\r\n`), status, path)
      assert.equal(await statusOf(`GET ${path} HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n`), status, path)
    }
  })

  it('is refused where HTTP/1.1 wants one', async () => {
    assert.equal(await statusOf('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'), 400)
    assert.equal(await statusOf('GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'), 400)
  })
})

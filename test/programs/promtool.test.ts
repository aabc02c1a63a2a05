import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it, test } from 'node:test'
import { writeExposition } from '../../src/core/exposition.ts'
import { fullTally } from '../support/documents/full-tally.ts'
import { PROMETHEUS_EXAMPLES, readGrafanaDashboards } from '../support/documents/prometheus-examples.ts'
import { runProgram } from '../support/programs.ts'
import { changeRows } from '../support/records/rows.ts'
import { suiteScope } from '../support/scope.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { startServiceHere } from '../support/services/service-here.ts'
import { teamClient } from '../support/services/team-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

describe('metrics are clean to promtool', () => {
  const scope = suiteScope()
  let service: AskedService
  let token: string

  before(async () => {
    service = await startServiceHere()
    scope.after(() => service.close())
    const client = await teamClient(service)
    token = await service.createToken(client.teamId, 'viewer')
    const target = await startSwitchTarget(scope)
    const contact = await client.webhook(await startReceiver(scope, replyWith(204)))
    const notified = { notification_contact_ids: [contact.id] }
    const shop = await client.monitor({ name: 'Shop "A" \\ ü', url: target.url })
    const broken = await client.monitor({ name: 'Broken', url: 'http://127.0.0.1:1/', ...notified })
    await client.monitor({ name: 'Paused', url: target.url, is_active: false })
    const job = await client.monitor({ name: 'Job', type: 'heartbeat' })
    for (const suffix of ['/start', '/log', '/1', '']) {
      await fetch(`${service.url}/ping/${job.heartbeat_token}${suffix}`)
    }
    await client.untilStatus(shop.id, 'up')
    await client.untilStatus(broken.id, 'down')
    const state = { ssl_expires_at: new Date() }
    await changeRows(service.services.db, 'monitor_state', { monitor_id: shop.id }, state)
  })

  async function read(path: string): Promise<string> {
    const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(response.status, 200)
    return response.text()
  }

  it('of a process', async () => {
    const awaited = [
      /^upbeat_checks_total\{.*status="down"/m,
      /^upbeat_check_duration_seconds_bucket\{/m,
      /^upbeat_delivery_attempts_total\{.*outcome="sent"/m,
      /^upbeat_http_requests_total\{/m,
      /^upbeat_pings_total\{/m,
    ]
    const text = await until('all of that is counted', async () => {
      const said = await read('/metrics')
      return awaited.every((line) => line.test(said)) && said
    })
    promtool(['check', 'metrics'], text)
  })

  it('of all that a process counts', () => {
    promtool(['check', 'metrics'], writeExposition(fullTally().families(), 'prometheus'))
  })

  it('of a team', async () => {
    const text = await read('/api/v1/metrics')
    assert.match(text, /^upbeat_monitor_up\{.*Shop/m)
    for (const name of [
      'certificate_expiry_timestamp_seconds',
      'incident_start_timestamp_seconds',
      'uptime_ratio',
    ]) {
      assert.match(text, new RegExp(`^upbeat_monitor_${name}\\{`, 'm'))
    }
    promtool(['check', 'metrics'], text)
  })
})

test('promtool takes the configuration, the rules and the queries of the examples', async (context) => {
  promtool(['check', 'config', '--syntax-only', join(PROMETHEUS_EXAMPLES, 'prometheus.yml')])
  promtool(['check', 'rules', join(PROMETHEUS_EXAMPLES, 'alerts.yml')])
  const queries = (await readGrafanaDashboards()).flatMap(({ panels }) =>
    panels.flatMap(({ targets }) => targets),
  )
  const rules = queries.map(({ expr }, index) => ({
    record: `query:${index}`,
    expr: expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$\w+/g, '.*'),
  }))
  assert.ok(rules.length > 0)
  // JSON is YAML.
  const file = join(temporaryFolder(context), 'queries.yml')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }))
  promtool(['check', 'rules', file])
})

/** Prometheus's own judge of its formats, which is to have no complaint. */
function promtool(args: string[], input = ''): void {
  assert.equal(runProgram('promtool', args, { input }).stderr, '')
}

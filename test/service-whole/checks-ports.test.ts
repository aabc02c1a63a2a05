import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { icmpSupport } from '../../src/probes/icmp/support.ts'
import { closedPort, startTcp } from '../support/servers/targets.ts'
import { type TeamClient, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'

describe('checks of ports and hosts', { concurrency: true }, () => {
  let client: TeamClient

  before(async () => {
    client = await teamClient(await wholeService())
  })

  it('tcp: a port that accepts is up, one that refuses is down, and only the host of the URL counts', async (t) => {
    const target = await startTcp(t)
    const open = await client.monitor({ type: 'tcp', url: 'tcp://127.0.0.1:1/path', port: target.port })
    const port = await closedPort(t)
    const closed = await client.monitor({ type: 'tcp', url: 'https://127.0.0.1', port })
    const check = (await client.untilChecks(open.id, 1)).at(-1)
    assert.deepEqual([check?.status, check?.error_message, check?.http_status_code], ['up', null, null])
    assert.ok(Number.isInteger(check?.response_time_ms))
    const monitor = await client.untilStatus(closed.id, 'down')
    assert.equal(monitor.open_incident?.cause, `connection refused by 127.0.0.1:${port}`)
  })

  it('icmp: a host that answers is up; where the kernel allows no ping the check is pending and says why', async () => {
    const { id } = await client.monitor({ type: 'icmp', url: 'icmp://127.0.0.1' })
    const check = await client.untilJudged(id)
    const { v4, reason } = icmpSupport()
    const monitor = await client.show(id)
    if (v4 === 'none') {
      assert.deepEqual([check.status, monitor.status, monitor.open_incident], ['pending', 'pending', null])
      assert.ok(check.error_message && reason?.includes(check.error_message), `${check.error_message}`)
    } else {
      assert.deepEqual([check.status, check.error_message, monitor.status], ['up', null, 'up'])
      assert.ok(Number.isInteger(check.response_time_ms))
    }
  })
})

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Check } from '../../src/core/check.ts'
import { icmpSupport } from '../../src/probes/icmp-support.ts'
import { createAuthority, type Leaf, selfSigned } from '../support/certificates.ts'
import { suiteScope } from '../support/scope.ts'
import { startTestService } from '../support/service.ts'
import { closedPort, startHttps, startTcp, startTls } from '../support/targets.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'

const DAY_MS = 86_400_000

describe('checks of certificates, ports and hosts', { concurrency: true }, () => {
  const scope = suiteScope()
  const authority = createAuthority('Upbeat tests')
  let client: TeamClient

  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
    scope.after(() => rm(directory, { recursive: true, force: true }))
    const file = join(directory, 'authority.pem')
    await writeFile(file, authority.pem)
    const service = await startTestService({ NODE_EXTRA_CA_CERTS: file })
    scope.after(() => service.close())
    client = await teamClient(service)
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

  it('tcp: a port that accepts is up, one that refuses is down, and only the host of the URL counts', async (t) => {
    const target = await startTcp(t)
    const open = await client.monitor({ type: 'tcp', url: 'tcp://127.0.0.1:1/path', port: target.port })
    const port = await closedPort()
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

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startDnsServer } from '../support/servers/dns-server.ts'
import { startHttp, startTcp } from '../support/servers/targets.ts'
import { check, testNetwork, timeoutsFor } from '../support/servers/targets-settings.ts'
import { turnClock } from '../support/time/turned-clock.ts'

describe('a name', () => {
  test('leads to its address, and is sent as Host', async (t) => {
    const hosts: unknown[] = []
    const dns = await startDnsServer(t, { 'shop.example': ['127.0.0.1'] })
    const target = await startHttp(t, (request, response) => {
      hosts.push(request.headers.host)
      response.end()
    })
    const network = testNetwork({ nameServers: [dns.address] })
    const result = await check('http', { url: `http://Shop.Example:${target.port}/` }, { network })
    assert.equal(result.status, 'up')
    assert.deepEqual(hosts, [`shop.example:${target.port}`])
    assert.deepEqual(dns.questions.toSorted(), ['shop.example A', 'shop.example AAAA'])
  })

  test('with one dead address is up by the other', async (t) => {
    const dns = await startDnsServer(t, { 'shop.example': ['::1', '127.0.0.1'] })
    const network = testNetwork({ nameServers: [dns.address] })
    for (const host of ['127.0.0.1', '::1']) {
      const target = await startTcp(t, () => {}, host)
      const result = await check('tcp', { url: 'tcp://shop.example', port: target.port }, { network })
      assert.equal(result.status, 'up', host)
      await target.allClosed()
    }
  })

  test('with many dead addresses is up by the last', async (t) => {
    const dead = Array.from({ length: 29 }, (_, index) => `127.0.9.${index + 1}`)
    const dns = await startDnsServer(t, { 'shop.example': [...dead, '127.0.0.1'] })
    const network = testNetwork({ nameServers: [dns.address] })
    const target = await startTcp(t)
    const result = await check('tcp', { url: 'tcp://shop.example', port: target.port }, { network })
    assert.deepEqual([result.status, result.address], ['up', '127.0.0.1'])
  })

  test('that leads to a private address is refused where those are denied', async (t) => {
    const dns = await startDnsServer(t, { 'inside.example': ['127.0.0.1'] })
    const target = await startTcp(t)
    const network = testNetwork({ nameServers: [dns.address], privateTargets: 'deny' })
    const result = await check('tcp', { url: 'tcp://inside.example', port: target.port }, { network })
    assert.equal(result.status, 'down')
    assert.equal(result.errorMessage, 'address 127.0.0.1 is not allowed')
    assert.equal(target.accepted(), 0)
  })

  test('that leads to a metadata address is refused even where private ones are allowed', async (t) => {
    const dns = await startDnsServer(t, { 'cloud.example': ['169.254.169.254', 'fd00:ec2::254'] })
    const network = testNetwork({ nameServers: [dns.address] })
    const result = await check('http', { url: 'http://cloud.example/' }, { network })
    assert.equal(result.status, 'down')
    assert.equal(result.errorMessage, 'address fd00:ec2::254 is not allowed')
  })

  const failures: {
    name: string
    replies: Parameters<typeof startDnsServer>[1]
    status: 'down' | 'pending'
    message: string
  }[] = [
    { name: 'that does not exist', replies: {}, status: 'down', message: 'name not found: shop.example' },
    {
      name: 'without addresses',
      replies: { 'shop.example': [] },
      status: 'down',
      message: 'no address for shop.example',
    },
    {
      name: 'whose server fails',
      replies: { 'shop.example': 'SERVFAIL' },
      status: 'down',
      message: 'name server failed for shop.example (SERVFAIL)',
    },
    {
      name: 'whose server refuses',
      replies: { 'shop.example': 'REFUSED' },
      status: 'down',
      message: 'name server failed for shop.example (REFUSED)',
    },
    {
      name: 'that our servers fail for, as for everything',
      replies: { 'shop.example': 'SERVFAIL', '': 'SERVFAIL' },
      status: 'pending',
      message: 'our name servers fail for every name (SERVFAIL)',
    },
    {
      name: 'that gets no answer, though the root does',
      replies: { 'shop.example': 'silence' },
      status: 'down',
      message: 'no answer within 1 s (looking up the name)',
    },
    {
      name: 'that gets no answer, as the root gets none',
      replies: { 'shop.example': 'silence', '': 'silence' },
      status: 'pending',
      message: 'no name server of ours answers',
    },
  ]
  for (const { name, replies, status, message } of failures) {
    test(`${name} is ${status}`, async (t) => {
      const clock = turnClock(t)
      const dns = await startDnsServer(t, replies)
      const network = testNetwork({ nameServers: [dns.address], nameServerTimeouts: timeoutsFor(replies) })
      const settings = { url: 'http://shop.example/', request_timeout_seconds: 1 }
      const checking = check('http', settings, { network })
      const isSilent = replies['shop.example'] === 'silence'
      const result = await (isSilent ? clock.passLimit(1_000, checking, dns.rootAnswered()) : checking)
      assert.equal(result.errorMessage, message)
      assert.equal(result.status, status)
    })
  }

  test('is pending when no name server is there', async () => {
    const result = await check('http', { url: 'http://shop.example/' })
    assert.equal(result.status, 'pending')
    assert.equal(result.errorMessage, 'no name server of ours answers')
  })

  test('below .invalid is never found, and no server is asked', async () => {
    const result = await check('http', { url: 'http://host.invalid/' })
    assert.equal(result.status, 'down')
    assert.equal(result.errorMessage, 'name not found: host.invalid')
  })
})

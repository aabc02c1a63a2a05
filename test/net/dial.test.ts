import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { dial } from '../../src/net/dial.ts'
import { resolveTarget } from '../../src/net/resolve.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { resetSocket } from '../support/reset-socket.ts'
import { startDnsServer } from '../support/servers/dns-server.ts'
import { startTcp } from '../support/servers/targets.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'

const never = new AbortController().signal

describe('dialling', () => {
  test('gives a connected socket that survives a reset without a listener', async (t) => {
    const target = await startTcp(t, (socket) => socket.once('data', () => resetSocket(socket)))
    const result = await dial(testNetwork(), { kind: 'check', host: '127.0.0.1', port: target.port }, never)
    assert.ok(result.kind === 'connected')
    assert.equal(result.address, '127.0.0.1')
    result.socket.write('x')
    await new Promise((resolve) => result.socket.once('close', resolve))
    await target.allClosed()
  })

  test('takes an IPv6 literal with or without brackets', async (t) => {
    const target = await startTcp(t, () => {}, '::1')
    for (const host of ['::1', '[::1]']) {
      const result = await dial(testNetwork(), { kind: 'check', host, port: target.port }, never)
      assert.equal(result.kind, 'connected')
      if (result.kind === 'connected') result.socket.destroy()
    }
    await target.allClosed()
  })

  test('starts with IPv6 and leaves only the winner open', async (t) => {
    const target = await startTcp(t, () => {}, '::1')
    const dns = await startDnsServer(t, { 'both.example': ['127.0.0.1', '::1'] })
    const network = testNetwork({ nameServers: [dns.address] })
    const result = await dial(network, { kind: 'check', host: 'both.example', port: target.port }, never)
    assert.equal(result.kind, 'connected')
    if (result.kind !== 'connected') return
    assert.equal(result.address, '::1')
    assert.equal(target.accepted(), 1)
    result.socket.destroy()
    await target.allClosed()
  })

  test('reports the phase in which it was aborted', async (t) => {
    const dns = await startDnsServer(t, { 'slow.example': 'silence' })
    const network = testNetwork({ nameServers: [dns.address] })
    const controller = new AbortController()
    const dialling = dial(network, { kind: 'check', host: 'slow.example', port: 1 }, controller.signal)
    controller.abort()
    const result = await dialling
    assert.equal(result.kind, 'failed')
    assert.equal(result.kind === 'failed' && result.phase, 'looking up the name')
    const aborted = await dial(network, { kind: 'check', host: '127.0.0.1', port: 1 }, controller.signal)
    assert.equal(aborted.kind === 'failed' && aborted.phase, 'connecting')
  })

  test('tells a failure of the target from one of the name', async () => {
    const refused = await dial(testNetwork(), { kind: 'check', host: '127.0.0.1', port: 1 }, never)
    assert.deepEqual(refused, {
      kind: 'failed',
      reason: 'connection refused by 127.0.0.1:1',
      dnsMs: 0,
      phase: 'connecting',
      address: '127.0.0.1',
    })
  })
})

test('a connection says how long our name servers took before it is tried', async (t) => {
  const dns = await startDnsServer(t, { 'shop.example': ['127.0.0.1'] })
  const network = testNetwork({ nameServers: [dns.address] })
  for (const [host, count] of [
    ['shop.example', 1],
    ['127.0.0.1', 0],
  ] as const) {
    const told: number[] = []
    const refused = await dial(network, { kind: 'check', host, port: 1 }, never, (ms) => told.push(ms))
    assert.deepEqual([refused.kind, told.length], ['failed', count])
    assert.ok(told.every((ms) => ms > 0))
  }
})

describe('resolving', () => {
  test('knows localhost and every name below it without asking', async () => {
    for (const host of ['localhost', 'a.b.LOCALHOST.', 'localhost.']) {
      assert.deepEqual(await resolveTarget(testNetwork(), 'check', host, never), {
        kind: 'resolved',
        addresses: ['::1', '127.0.0.1'],
      })
    }
  })

  test('takes mistyped addresses for names that do not exist', async () => {
    for (const host of ['127.1', '0177.0.0.1', '1.2.3.4.5', '0x7f.1', 'host.0x1']) {
      const result = await resolveTarget(testNetwork(), 'check', host, never)
      assert.deepEqual(result, { kind: 'failed', reason: `name not found: ${host}` })
    }
  })

  test('reads the hosts file before it asks anybody', async (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hosts-'))
    t.after(() => fs.rmSync(folder, { recursive: true }))
    const hostsFile = path.join(folder, 'hosts')
    fs.writeFileSync(hostsFile, '127.0.0.5 box.example\n169.254.169.254 cloud.example\n')
    const network = testNetwork({ hostsFile })
    assert.deepEqual(await resolveTarget(network, 'check', 'Box.Example', never), {
      kind: 'resolved',
      addresses: ['127.0.0.5'],
    })
    assert.deepEqual(await resolveTarget(network, 'check', 'cloud.example', never), {
      kind: 'failed',
      reason: 'address 169.254.169.254 is not allowed',
      isRefused: true,
    })
  })

  test('leaves out the addresses that policy refuses', async (t) => {
    const dns = await startDnsServer(t, { 'mixed.example': ['10.0.0.1', '203.0.114.9', 'fe80::1'] })
    const network = testNetwork({ nameServers: [dns.address], privateTargets: 'deny' })
    assert.deepEqual(await resolveTarget(network, 'check', 'mixed.example', never), {
      kind: 'resolved',
      addresses: ['203.0.114.9'],
      name: 'mixed.example',
    })
  })

  test('asks the system only for short names that the name servers do not know', async (t) => {
    const dns = await startDnsServer(t, { 'known.example': ['127.0.0.2'] })
    const asked: string[] = []
    const network = {
      ...testNetwork({ nameServers: [dns.address] }),
      systemLookUp: async (name: string) => {
        asked.push(name)
        return name === 'printer.local' ? ['127.0.0.3'] : []
      },
    }
    const kinds: string[] = []
    for (const host of ['printer.local', 'nobody', 'known.example', 'www.nobody.example']) {
      kinds.push((await resolveTarget(network, 'check', host, never)).kind)
    }
    assert.deepEqual(kinds, ['resolved', 'failed', 'resolved', 'failed'])
    assert.deepEqual(asked, ['printer.local', 'nobody'])
  })

  test('blames a name that alone gets no answer, when there is time to wait for it', async (t) => {
    const dns = await startDnsServer(t, { 'mute.example': 'silence' })
    const nameServerTimeouts = { queryMs: 50, rootMs: HANG_GUARD_MS }
    const network = testNetwork({ nameServers: [dns.address], nameServerTimeouts })
    assert.deepEqual(await resolveTarget(network, 'check', 'mute.example', never), {
      kind: 'failed',
      reason: 'name server did not answer for mute.example',
      name: 'mute.example',
    })
    assert.ok(dns.questions.includes(' NS'))
  })
})

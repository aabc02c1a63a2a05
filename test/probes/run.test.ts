import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { resultWithout } from '../../src/core/monitors/check.ts'
import type { EchoProbe } from '../../src/probes/icmp.ts'
import { createProbes } from '../../src/probes/run.ts'
import { settingsFor, testNetwork } from '../support/servers/targets-settings.ts'

describe('the map of probes', () => {
  test('makes a bug in a probe a pending result and reports it', async () => {
    const bug = new Error('the wrong way round')
    const bugs: unknown[] = []
    const probes = probesWith(
      () => Promise.reject(bug),
      (error) => bugs.push(error),
    )
    const result = await probes.icmp(settingsFor('icmp', {}), new AbortController().signal)
    assert.deepEqual(result, resultWithout('pending', 'internal error: the wrong way round'))
    assert.deepEqual(bugs, [bug])
  })

  test('survives settings that no monitor should have', async () => {
    const bugs: unknown[] = []
    const probes = probesWith(
      () => Promise.reject(new Error('unused')),
      (error) => bugs.push(error),
    )
    const signal = new AbortController().signal
    const tcp = await probes.tcp(settingsFor('tcp', { url: 'nowhere', port: 1 }), signal)
    assert.equal(tcp.status, 'down')
    assert.equal(tcp.errorMessage, 'the URL names no host')
    const http = await probes.http(settingsFor('http', { url: 'no url' }), signal)
    assert.equal(http.status, 'pending')
    assert.equal(bugs.length, 1)
  })

  test('cuts messages of any length', async () => {
    const probes = probesWith(async () => resultWithout('down', '💥'.repeat(2_000)), rethrow)
    const result = await probes.icmp(settingsFor('icmp', {}), new AbortController().signal)
    assert.equal([...(result.errorMessage ?? '')].length, 500)
  })
})

function rethrow(error: unknown): never {
  throw error
}

function probesWith(icmp: EchoProbe, onBug: (error: unknown) => void) {
  return createProbes({ network: testNetwork(), now: () => new Date(), icmp, onBug })
}

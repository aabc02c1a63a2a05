import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ProbeResults } from '../../../src/core/probing/remote-probe.ts'

describe('results of a remote probe', () => {
  const result = {
    status: 'down',
    responseTimeMs: 12,
    httpStatusCode: 503,
    errorMessage: 'HTTP 503 (expected 200)',
    phases: { dnsMs: 0.4, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null },
    certificate: { expiresAt: '2027-01-31T00:00:00.000Z', fingerprint: 'a'.repeat(64) },
  }
  const send = (change: object = {}, top: object = {}) =>
    ProbeResults.safeParse({
      session: '5a3c3a52-21d3-4f0c-a0cf-0a6c5d3bb7a1',
      first: 1,
      results: [
        {
          membership: 1,
          monitor_id: 1,
          revision: 1,
          checked_at: '2026-11-21T12:00:00.000Z',
          result: { ...result, ...change },
        },
      ],
      ...top,
    })

  it('are read as they are written', () => {
    const sent = send()
    assert.ok(sent.success)
    assert.deepEqual(sent.data.results[0]?.checked_at, new Date('2026-11-21T12:00:00.000Z'))
    const again = ProbeResults.safeParse(JSON.parse(JSON.stringify(sent.data)))
    assert.deepEqual(again.data, sent.data)
  })

  it('lose what cannot be shown in what a target said', () => {
    assert.equal(
      send({ errorMessage: 'a\u0000b\nc\ud800' }).data?.results[0]?.result.errorMessage,
      'a b c\ufffd',
    )
  })

  for (const [what, change, top] of [
    ['a status that there is not', { status: 'broken' }, {}],
    ['a time below zero', { responseTimeMs: -1 }, {}],
    ['a status code that there is not', { httpStatusCode: 70_000 }, {}],
    ['a message without end', { errorMessage: 'x'.repeat(10_000) }, {}],
    [
      'a fingerprint that is none',
      { certificate: { expiresAt: '2027-01-31T00:00:00Z', fingerprint: 'x' } },
      {},
    ],
    ['a session that is none', {}, { session: 'x' }],
    ['a number below one', {}, { first: 0 }],
    ['nothing', {}, { results: [] }],
  ] as const) {
    it(`are refused with ${what}`, () => assert.equal(send(change, top).success, false))
  }
})

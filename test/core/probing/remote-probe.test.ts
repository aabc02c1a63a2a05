import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import * as z from 'zod'
import { failingAnswer } from '../../../src/core/probing/failing-answer.ts'
import * as protocol from '../../../src/core/probing/remote-probe.ts'

const { MAX_KEPT_ANSWERS, MAX_RESULTS, MAX_RESULTS_BYTES, PROBE_PROTOCOL, ProbeResults } = protocol

/** The version, and a digest of what its messages hold. */
const SPOKEN = { version: 15, digest: 'f02a7c247053f2fe' }

describe('the protocol of remote probes', () => {
  it('has another version when its messages hold something else, such as another type of monitors', () => {
    const held = Object.entries(protocol).flatMap(([name, message]) =>
      message instanceof z.ZodType
        ? namesIn(z.toJSONSchema(message, { io: 'input', unrepresentable: 'any' }), name)
        : [],
    )
    assert.ok(held.includes('ProbeMonitors.monitors.type=icmp'), held.join('\n'))
    const digest = createHash('sha256').update(held.join()).digest('hex').slice(0, 16)
    assert.deepEqual(
      { version: PROBE_PROTOCOL, digest },
      SPOKEN,
      'raise PROBE_PROTOCOL, unless a probe of the release before takes these messages as well',
    )
  })
})

/** The paths of all fields, and the words that they may hold. */
function namesIn(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, enum: words = [], items, anyOf = [] } = schema as z.core.JSONSchema.JSONSchema
  return [
    path,
    ...words.map((word) => `${path}=${word}`),
    ...[items, ...anyOf].flatMap((part) => namesIn(part, path)),
    ...Object.entries(properties).flatMap(([name, part]) => namesIn(part, `${path}.${name}`)),
  ]
}

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

  const longest = failingAnswer({
    statusLine: '"'.repeat(1_000),
    headers: Array.from({ length: 9 }, () => ({ name: '"'.repeat(90), value: '"'.repeat(900) })),
    body: { kind: 'text', text: '"'.repeat(9_000), isCut: false },
  })

  it('bring the answers that failed, as long as these are within their bounds', () => {
    assert.deepEqual(send({ answer: longest }).data?.results[0]?.result.answer, longest)
    const { body, headers } = longest
    for (const change of [
      { body: { ...body, text: 'x'.repeat(5_000) } },
      { headers: [...headers, { name: 'x', value: 'x'.repeat(1_000) }] },
      { headers: Array.from({ length: 51 }, () => ({ name: 'x', value: '' })) },
    ]) {
      assert.equal(send({ answer: { ...longest, ...change } }).success, false, JSON.stringify(change))
    }
    const cursed = { ...longest, body: { ...body, text: 'a\u001b[2Jb\u202e' } }
    assert.equal(send({ answer: cursed }).data?.results[0]?.result.answer?.body.text, 'a [2Jb\ufffd')
  })

  it('fit into one request, however long each is', () => {
    const one = send({ errorMessage: '"'.repeat(500), note: '"'.repeat(500) }).data?.results[0]
    const results = Array.from({ length: MAX_RESULTS }, (_, index) =>
      index < MAX_KEPT_ANSWERS ? { ...one, result: { ...one?.result, answer: longest } } : one,
    )
    const request = JSON.stringify({ session: '5a3c3a52-21d3-4f0c-a0cf-0a6c5d3bb7a1', first: 1, results })
    assert.ok(Buffer.byteLength(request) < MAX_RESULTS_BYTES, String(Buffer.byteLength(request)))
  })

  it('may say every status that three digits make', () => {
    for (const httpStatusCode of [0, 99, 100, 999])
      assert.equal(send({ httpStatusCode }).data?.results[0]?.result.httpStatusCode, httpStatusCode)
  })

  it('lose what cannot be shown in what a target said', () => {
    assert.equal(
      send({ errorMessage: 'a\u0000b\nc\ud800' }).data?.results[0]?.result.errorMessage,
      'a b c\ufffd',
    )
  })

  for (const [what, change, top] of [
    ['a status that there is not', { status: 'broken' }, {}],
    ['maintenance, which is not for a probe to say', { status: 'maintenance' }, {}],
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

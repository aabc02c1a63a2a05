import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as cause from '../../../src/core/monitors/cause.ts'

const WHOLE_CLASS = Array.from({ length: 100 }, (_, index) => 200 + index)

describe('the wording of a cause', () => {
  const wordings: [text: string, expected: string][] = [
    [cause.unexpectedStatus(503, [200]), 'HTTP 503 (expected 200)'],
    [cause.unexpectedStatus(503, [200, 204]), 'HTTP 503 (expected 200, 204)'],
    [cause.unexpectedStatus(503, [204, 200, 201]), 'HTTP 503 (expected 204, 200, 201)'],
    [cause.unexpectedStatus(500, WHOLE_CLASS), 'HTTP 500 (expected 2xx)'],
    [cause.unexpectedStatus(500, [...WHOLE_CLASS, 304]), 'HTTP 500 (expected 2xx, 304)'],
    [cause.missedPing(90), 'no ping within 90 s'],
    [
      cause.missedRun(new Date('2027-05-04T01:00:00Z'), 'Europe/Berlin', 300),
      'no ping within 300 s of 2027-05-04 03:00 Europe/Berlin',
    ],
    [cause.ranTooLong(3_600), 'the job did not end within 3600 s of its start'],
    [cause.keywordMissing('OK', 18_204), 'keyword "OK" not found in 18,204 bytes'],
    [cause.unexpectedStatus(99, [200]), 'HTTP 099 (expected 200)'],
    [cause.keywordMissing('OK', 999), 'keyword "OK" not found in 999 bytes'],
    [cause.keywordMissing('OK', 2_097_152), 'keyword "OK" not found in 2,097,152 bytes'],
    [
      cause.noAnswer(30, 'connected, waiting for the first byte'),
      'no answer within 30 s (connected, waiting for the first byte)',
    ],
    [cause.connectionFailure('ECONNREFUSED', ['203.0.113.7:443']), 'connection refused by 203.0.113.7:443'],
    [cause.connectionFailure('ECONNRESET', ['a', 'b']), 'connection reset by a and b'],
    [cause.connectionFailure('ETIMEDOUT', ['a', 'b', 'c', 'd']), 'connection to a, b and 2 more timed out'],
    [cause.connectionFailure('EACCES', ['a']), 'cannot connect to a (EACCES)'],
    [cause.addressAndPort('2001:db8::7', 443), '[2001:db8::7]:443'],
    [cause.addressAndPort('203.0.113.7', 443), '203.0.113.7:443'],
    [cause.noRoute(['203.0.113.7']), 'no route to 203.0.113.7'],
    [cause.certificateExpired('3 days', 'CN=example.com'), 'certificate expired 3 days ago (CN=example.com)'],
  ]
  for (const [text, expected] of wordings) test(expected, () => assert.equal(text, expected))

  test('is one line that a database can keep, whatever the target said', () => {
    assert.equal(cause.cutCause('a\u0000b\r\nc\u2028d\ud800e é'), 'a b c d\ufffde é')
  })

  test('is cut at 500 code points, not within one', () => {
    assert.equal(cause.cutCause('x'.repeat(500)), 'x'.repeat(500))
    assert.equal(cause.cutCause('💥'.repeat(500)), '💥'.repeat(500))
    assert.equal(cause.cutCause('💥'.repeat(501)), `${'💥'.repeat(499)}…`)
  })
})

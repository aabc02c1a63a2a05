import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  FailingAnswer,
  failingAnswer,
  MAX_ANSWER_BODY_BYTES,
  type ReceivedAnswer,
  skeletonOf,
} from '../../../src/core/probing/failing-answer.ts'

const received = (changes: Partial<ReceivedAnswer> = {}): ReceivedAnswer => ({
  statusLine: 'HTTP/1.1 503 Service Unavailable',
  headers: [],
  body: { kind: 'empty' },
  ...changes,
})
const textOf = (text: string) => failingAnswer(received({ body: { kind: 'text', text, isCut: false } })).body

describe('an answer that failed', () => {
  it('hides credentials in its headers, and keeps the scheme of a challenge and the name of a cookie', () => {
    const values = {
      'Set-Cookie': 'sid=s3cret; HttpOnly',
      Authorization: 'Bearer s3cret',
      'Proxy-Authorization': 'Basic s3cret',
      'WWW-Authenticate': 'Bearer realm="x", error="s3cret"',
      'X-Api-Key': 's3cret',
      'X-CSRF-Token': 's3cret',
      'Content-Type': 'text/html',
    }
    const headers = Object.entries(values).map(([name, value]) => ({ name, value }))
    assert.deepEqual(
      failingAnswer(received({ headers })).headers.map(({ value }) => value),
      ['sid=********', '********', '********', 'Bearer ********', '********', '********', 'text/html'],
    )
  })

  it('keeps the first 4 kB of its text, and no half of a character', () => {
    const body = textOf(`${'x'.repeat(MAX_ANSWER_BODY_BYTES - 1)}é and more`)
    assert.deepEqual(body, { kind: 'text', text: 'x'.repeat(MAX_ANSWER_BODY_BYTES - 1), is_cut: true })
    assert.deepEqual(textOf('short'), { kind: 'text', text: 'short', is_cut: false })
  })

  it('shows what turns the reading direction, puts a space for controls, and keeps lines and tabs', () => {
    assert.deepEqual(textOf('a\r\nb\tc\u0000\u001b[31m\u202ed\u2066e\ud800'), {
      kind: 'text',
      text: 'a\nb\tc  [31m\ufffdd\ufffde\ufffd',
      is_cut: false,
    })
    const headers = [{ name: 'X-\u0007', value: 'a\nb' }]
    assert.deepEqual(failingAnswer(received({ headers })).headers, [{ name: 'X-', value: 'a b' }])
  })

  it('bounds its headers in number and length, and counts those left out', () => {
    const many = Array.from({ length: 80 }, (_, index) => ({ name: `x-${index}`, value: 'y' }))
    const answer = failingAnswer(received({ headers: many }))
    assert.deepEqual([answer.headers.length, answer.headers_left_out], [50, 30])
    const long = Array.from({ length: 9 }, () => ({ name: 'x', value: 'y'.repeat(60_000) }))
    const bounded = failingAnswer(received({ headers: long, statusLine: 'z'.repeat(60_000) }))
    assert.deepEqual([bounded.headers.length, bounded.headers_left_out], [3, 6])
    for (const one of [answer, bounded])
      assert.deepEqual(FailingAnswer.parse(one), one, 'within its own bounds')
  })

  it('is the same when only numbers and ids in it differ', () => {
    const page = (text: string, statusLine = 'HTTP/1.1 503 x') =>
      skeletonOf(failingAnswer(received({ statusLine, body: { kind: 'text', text, isCut: false } })))
    assert.equal(page('Error at 12:00:01, request 9f8e7d6c5b'), page('Error at 13:59:30, request 00aa11bb22'))
    assert.notEqual(page('Error'), page('Another error'))
    assert.notEqual(page('Error'), page('Error', 'HTTP/1.1 502 x'))
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ANSWER_PAUSE_MS,
  failingAnswer,
  MAX_ANSWER_BODY_BYTES,
  MAX_BATCH_ANSWER_LENGTH,
} from '../../../src/core/probing/failing-answer.ts'
import { answersToWrite } from '../../../src/engine/recording/answers.ts'
import {
  type AnswerRow,
  hashSkeleton,
  type NewestAnswer,
} from '../../../src/store/monitors/failing-answers.ts'

const AT_MS = Date.parse('2026-11-23T12:00:00Z')

const row = (text: string, changes: Partial<AnswerRow> & { afterMs?: number } = {}): AnswerRow => {
  const { afterMs = 0, ...rest } = changes
  return {
    monitorId: 1,
    incidentId: null,
    checkedAt: new Date(AT_MS + afterMs),
    httpStatusCode: 503,
    answer: failingAnswer({
      statusLine: 'HTTP/1.1 503 x',
      headers: [],
      body: { kind: 'text', text, isCut: false },
    }),
    ...rest,
  }
}
const known = ({ monitorId, checkedAt, httpStatusCode, answer }: AnswerRow): Map<number, NewestAnswer> =>
  new Map([[monitorId, { checkedAt, httpStatusCode, skeleton: hashSkeleton(answer) }]])

describe('the answers that a batch writes', () => {
  const before = known(row('sorry'))

  it('are the first one of a monitor, and each that opens an incident', () => {
    assert.equal(answersToWrite([row('sorry')], new Map()).length, 1)
    assert.equal(answersToWrite([row('sorry', { incidentId: 7, afterMs: 1 })], before).length, 1)
  })

  it('leave out one that is the same as before, however late, or older', () => {
    assert.deepEqual(answersToWrite([row('sorry', { afterMs: 10 * ANSWER_PAUSE_MS })], before), [])
    assert.deepEqual(answersToWrite([row('other', { afterMs: -1, httpStatusCode: 500 })], before), [])
  })

  it('take another status at once, and another text after a pause', () => {
    assert.equal(answersToWrite([row('sorry', { afterMs: 1, httpStatusCode: 502 })], before).length, 1)
    assert.deepEqual(answersToWrite([row('other', { afterMs: ANSWER_PAUSE_MS - 1 })], before), [])
    assert.equal(answersToWrite([row('other', { afterMs: ANSWER_PAUSE_MS })], before).length, 1)
  })

  it('have one without an incident of each monitor, the newest', () => {
    const rows = [row('a', { afterMs: 2 }), row('b', { afterMs: 3 }), row('c', { afterMs: 1 })]
    assert.deepEqual(answersToWrite(rows, new Map()), [rows[1]])
  })

  it('are bounded in mass trouble: those that open incidents come first', () => {
    const long = 'x'.repeat(MAX_ANSWER_BODY_BYTES)
    const rows = Array.from({ length: 500 }, (_, index) =>
      row(long, { monitorId: index + 1, incidentId: index < 250 ? null : index }),
    )
    const written = answersToWrite(rows, new Map())
    const most = MAX_BATCH_ANSWER_LENGTH / MAX_ANSWER_BODY_BYTES
    assert.ok(written.length <= most && written.length > most - 5, String(written.length))
    assert.ok(written.slice(0, 250).every(({ incidentId }) => incidentId !== null))
  })
})

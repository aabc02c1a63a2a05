import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type CheckResult, resultWithout } from '../../../../src/core/monitors/check.ts'
import { inverted } from '../../../../src/core/monitors/options/inverted.ts'

const PASSED: CheckResult = {
  ...resultWithout('down', ''),
  status: 'up',
  errorMessage: null,
  responseTimeMs: 12,
  httpStatusCode: 200,
}
const FAILED = {
  ...PASSED,
  status: 'down',
  httpStatusCode: 503,
  errorMessage: 'HTTP 503 (expected 200)',
} as const
const WARNED = { ...PASSED, status: 'degraded', errorMessage: 'certificate expires in 3 days' } as const
const OURS = resultWithout('pending', 'our network seems to be down')

const TABLE: [name: string, result: CheckResult, inverted: CheckResult][] = [
  ['a failure', FAILED, { ...FAILED, status: 'up', errorMessage: null }],
  ['a pass', PASSED, { ...PASSED, status: 'down', errorMessage: 'is up, and should be down' }],
  ['a warning', WARNED, { ...WARNED, status: 'down', errorMessage: 'is up, and should be down' }],
  ['our own trouble', OURS, OURS],
]

for (const [name, result, expected] of TABLE) {
  it(`is told upside down of ${name}`, () => assert.deepEqual(inverted(result), expected))
}

it('keeps no answer and no note, which speak of the check as it was', () => {
  const answer = { headers: [], body: 'x' } as unknown as NonNullable<CheckResult['answer']>
  assert.equal('answer' in inverted({ ...FAILED, answer }), false)
  assert.equal('note' in inverted({ ...PASSED, note: 'not confirmed' }), false)
})

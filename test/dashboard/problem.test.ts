import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem, sayProblem } from '../../dashboard/data/problem.ts'
import { overBound } from '../../src/core/accounts/over-bound.ts'
import { Refusal } from '../../src/core/errors.ts'

test('a limit that says when it works again is told in its own words', () => {
  const sentences = [overBound('inviting-team', 30, 1_500), Refusal.forNow('tooManyRequests', 42).message]
  for (const detail of sentences) {
    assert.equal(sayProblem(new Problem(429, 'Too Many Requests', detail)), detail)
  }
  assert.equal(sentences[1], 'Too many requests: try again in 42 s.')
})

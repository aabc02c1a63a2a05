import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem, sayProblem } from '../../dashboard/data/problem.ts'
import { overBound } from '../../src/core/accounts/over-bound.ts'
import { english } from '../../src/core/language/said.ts'

test('a limit that says when it works again is told in its own words, and another one in ours', () => {
  const title = 'Too Many Requests'
  const said = overBound('inviting-team', 30, 1_500)
  assert.equal(sayProblem(new Problem(429, title, english(said), { said })), english(said))
  assert.match(sayProblem(new Problem(429, title, undefined)), /^Too many requests\. Wait/)
})

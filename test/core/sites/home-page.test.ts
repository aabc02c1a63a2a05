import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { judgeHomePage, needsAnotherLook } from '../../../src/core/sites/home-page.ts'

const UP: CheckResult = {
  ...resultWithout('down', ''),
  status: 'up',
  errorMessage: null,
  responseTimeMs: 12,
  httpStatusCode: 200,
}
const DOWN = resultWithout('down', 'HTTP 503')
const OURS = resultWithout('pending', 'out of file descriptors')

test('a home page is down after three looks in a row that fail, and only then', () => {
  const cases: [CheckResult[], status: string, again: boolean][] = [
    [[UP], 'up', false],
    [[DOWN], 'pending', true],
    [[DOWN, DOWN], 'pending', true],
    [[DOWN, DOWN, DOWN], 'down', false],
    [[DOWN, UP], 'up', false],
    [[DOWN, DOWN, UP], 'up', false],
    [[DOWN, OURS], 'pending', false],
    [[OURS], 'pending', false],
    [[], 'pending', true],
  ]
  for (const [looks, status, again] of cases) {
    const about = looks.map((look) => look.status).join()
    assert.equal(judgeHomePage(looks, {}).status, status, about)
    assert.equal(needsAnotherLook(looks), again, about)
  }
  assert.equal(judgeHomePage([DOWN, DOWN, DOWN], {}).cause, 'HTTP 503')
  assert.deepEqual(judgeHomePage([{ ...UP, status: 'degraded' }], {}).memory, {
    response_time_ms: 12,
    http_status_code: 200,
  })
})

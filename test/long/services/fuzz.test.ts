import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, it } from 'node:test'
import { runFuzz } from '../../fuzz/run.ts'
import { startFuzzed } from '../../fuzz/service.ts'
import { suiteScope } from '../../support/scope.ts'

const REQUESTS = 5_000

describe('requests that are nearly right', () => {
  const scope = suiteScope()

  it(`to every route, ${REQUESTS} of them, are all answered, and by no fault of the service`, async (t) => {
    const service = await startFuzzed(scope)
    scope.after(() => service.close())
    const seed = randomInt(2 ** 31)
    t.diagnostic(`npm run fuzz -- --requests ${REQUESTS} --seed ${seed}`)
    const report = await runFuzz(service, { requests: REQUESTS, seed, note: () => {} }, () => {})
    assert.deepEqual(report.troubles, [])
    const answers = [...report.statuses.values()].reduce((sum, count) => sum + count, 0)
    assert.equal(answers, REQUESTS)
    const taken = [...report.plain].filter(([status]) => status < 400)
    assert.ok(taken.length > 0, 'the service takes the requests that others are made from')
  })
})

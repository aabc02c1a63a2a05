import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Assertion } from '../../src/core/expectations/assertion.ts'
import { judge } from '../../src/core/expectations/evaluate.ts'
import { OutOfTime, withinBound } from '../../src/probes/bounded-evaluation.ts'

const FOR_EVER = () => {
  for (;;);
}

describe('a bounded evaluation', () => {
  it('gives what its work gives', () => {
    assert.equal(
      withinBound(() => 7),
      7,
    )
    assert.throws(
      () =>
        withinBound(() => {
          throw new RangeError('theirs')
        }),
      /theirs/,
    )
  })

  it('ends work that would never end, and says whether that had a core', () => {
    const endedBy = (maxCpuMs: number) => () => withinBound(FOR_EVER, maxCpuMs, 100)
    assert.throws(endedBy(0), (error) => error instanceof OutOfTime && error.spent)
    assert.throws(endedBy(Number.POSITIVE_INFINITY), (error) => error instanceof OutOfTime && !error.spent)
    assert.equal(
      withinBound(() => 'the next one'),
      'the next one',
    )
  })

  it('ends a filter that counts the nodes of every node', () => {
    const body = JSON.stringify(Array.from({ length: 3_000 }, (_, i) => [i, [i]]))
    const property = '$..[?count($..*) > 1]'
    const assertion = Assertion.parse({ source: 'json', property, comparison: 'exists' })
    const answer = {
      statusCode: 200,
      header: () => null,
      body,
      responseTimeMs: 1,
      certificateDays: null,
      answer: null,
    }
    assert.throws(() => withinBound(() => judge([assertion], answer), 0, 50), OutOfTime)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { holdAssertions, readAssertions } from '../../../dashboard/forms/monitors/assertion-draft.ts'
import { Assertions } from '../../../src/core/expectations/assertion.ts'

describe('assertions in a form', () => {
  it('are sent as they came, whatever their targets look like', () => {
    const assertions = [
      { source: 'json', property: '$.a', comparison: 'equals', target: 'ok' },
      { source: 'json', property: '$.a', comparison: 'equals', target: '7' },
      { source: 'json', property: '$.a', comparison: 'equals', target: 7 },
      { source: 'json', property: '$.a', comparison: 'equals', target: 'true' },
      { source: 'json', property: '$.a', comparison: 'equals', target: true },
      { source: 'json', property: '$.a', comparison: 'equals', target: null },
      { source: 'json', comparison: 'count_equals', target: 3 },
      { source: 'json', property: '$.a', comparison: 'one_of', target: ['a', 1, '1'] },
      { source: 'json', property: '$.a', comparison: 'matches', target: '^a' },
      { source: 'header', property: 'x-count', comparison: 'equals', target: '41' },
      { source: 'header', property: 'x-count', comparison: 'at_least', target: 41 },
      { source: 'body', comparison: 'not_empty' },
      { source: 'status_code', comparison: 'one_of', target: [200, 204], severity: 'degraded' },
      { source: 'response_time_ms', comparison: 'less_than', target: 800.5 },
    ]
    const read = readAssertions(holdAssertions(assertions))
    assert.deepEqual(read, assertions)
    assert.ok(Assertions.safeParse(read).success)
  })

  it('leave what is no number to the schema, which refuses it', () => {
    const held = holdAssertions([{ source: 'status_code', comparison: 'less_than', target: 'many' }])
    assert.deepEqual(readAssertions(held), [
      { source: 'status_code', comparison: 'less_than', target: 'many' },
    ])
  })

  it('are null without any', () => {
    assert.equal(readAssertions(holdAssertions(null)), null)
    assert.equal(readAssertions(holdAssertions([])), null)
  })
})

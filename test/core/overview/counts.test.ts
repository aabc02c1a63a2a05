import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SUBJECT_KINDS } from '../../../src/core/maintenance/subject-kind.ts'
import { LiveStatus, type StatusCounts } from '../../../src/core/monitors/status.ts'
import { allCounts, type Counted, countsOf, downOf } from '../../../src/core/overview/counts.ts'

const numbers = (first: number) =>
  Object.fromEntries(LiveStatus.options.map((status, index) => [status, first + index])) as StatusCounts

const counted: Counted = {
  counts: numbers(1),
  servers: { counts: numbers(100) },
  sites: { counts: numbers(10_000) },
  incidents_open: 7,
}

describe('what a team has', () => {
  for (const status of LiveStatus.options) {
    it(`is counted once for each kind, and together, where it is ${status}`, () => {
      const each = SUBJECT_KINDS.map((kind) => countsOf(counted, kind)[status])
      assert.equal(new Set(each).size, SUBJECT_KINDS.length, 'each kind has its own')
      assert.equal(
        allCounts(counted)[status],
        each.reduce((sum, count) => sum + count, 0),
      )
    })
  }

  it('is down whatever its kind, and however many incidents it has', () => {
    assert.equal(downOf(counted), 10_101)
    assert.equal(downOf({ ...counted, incidents_open: 0 }), 10_101)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { said } from '../../../src/core/language/said.ts'
import { DEFAULT_THRESHOLDS, type ThresholdKind } from '../../../src/core/servers/condition.ts'
import { serverFaults } from '../../../src/core/servers/server-faults.ts'

/** [condition, enter, leave, whether that is refused] */
const LEVELS: [ThresholdKind, number, number, boolean][] = [
  ['disk_space', 90, 85, false],
  ['disk_space', 90, 90, false],
  ['disk_space', 90, 90.1, true],
  ['cpu', 50, 60, true],
  ['temperature', 80, 85, true],
  ['memory', 10, 15, false],
  ['memory', 10, 10, false],
  ['memory', 10, 9, true],
  ['disk_full_soon', 24, 36, false],
  ['disk_full_soon', 24, 12, true],
]

describe('the level to leave a condition at', () => {
  it('is right in all defaults', () => {
    assert.deepEqual(serverFaults({ thresholds: DEFAULT_THRESHOLDS }), [])
  })

  for (const [kind, enter, leave, isRefused] of LEVELS) {
    it(`${leave} is ${isRefused ? 'refused' : 'right'} where ${kind} begins at ${enter}`, () => {
      const thresholds = { [kind]: { is_on: true, warns_only: false, minutes: 5, enter, leave } }
      const fields = serverFaults({ thresholds }).map(({ field }) => field)
      assert.deepEqual(fields, isRefused ? [`thresholds.${kind}.leave`] : [])
    })
  }

  it('is named with what it takes and what it got', () => {
    const memory = { ...DEFAULT_THRESHOLDS.memory, leave: 5 }
    assert.deepEqual(serverFaults({ thresholds: { memory } }), [
      {
        field: 'thresholds.memory.leave',
        message: said('must be at least enter, {enter}, got {got}', { enter: 10, got: 5 }),
      },
    ])
  })
})

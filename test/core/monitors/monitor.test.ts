import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MonitorPatch } from '../../../src/core/monitors/monitor.ts'
import { intervalSecondsOf } from '../../../src/core/probing/schedule.ts'

test('exact seconds override the minutes', () => {
  assert.equal(intervalSecondsOf({ check_interval_minutes: 5, check_interval_seconds: null }), 300)
  assert.equal(intervalSecondsOf({ check_interval_minutes: 5, check_interval_seconds: 90_000 }), 90_000)
})

test('a change that says nothing of a setting has no default for it', () => {
  assert.deepEqual(MonitorPatch.parse({}), {})
})

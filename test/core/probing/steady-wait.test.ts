import assert from 'node:assert/strict'
import { test } from 'node:test'
import { steadyWaitMs } from '../../../src/core/probing/steady-wait.ts'

test('what is up as before waits half a second for others, and a quarter of a short interval', () => {
  const waits = [1, 1.5, 2, 20, 3_600].map(steadyWaitMs)
  assert.deepEqual(waits, [250, 375, 500, 500, 500])
})

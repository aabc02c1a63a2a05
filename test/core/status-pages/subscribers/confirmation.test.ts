import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextConfirmationSeconds } from '../../../../src/core/status-pages/subscribers/confirmation.ts'

/** The times of all tries, in seconds, if each one fails at once. */
function tries(random: number, retryAfterSeconds: number | null = null): number[] {
  const times = [0]
  for (;;) {
    const at = times.at(-1) as number
    const delay = nextConfirmationSeconds(times.length, at, retryAfterSeconds, random)
    if (delay === null) return times
    times.push(at + delay)
  }
}

test('a webhook that has not agreed is asked three times within ten minutes', () => {
  assert.deepEqual(tries(0), [0, 30, 270])
  for (const random of [0, 0.5, 0.999]) {
    const last = tries(random).at(-1) as number
    assert.equal(tries(random).length, 3)
    assert.ok(last <= 600, `${last}`)
  }
})

test('its wish to be left alone is respected, and makes it no longer than ten minutes', () => {
  assert.deepEqual(tries(0, 100), [0, 100, 340])
  assert.deepEqual(tries(0, 400), [0, 400])
  assert.deepEqual(tries(0, 601), [0])
  assert.equal(nextConfirmationSeconds(1, 580, null, 0), null, 'a process that stood still asks no later')
})

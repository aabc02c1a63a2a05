import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopInTime } from '../../src/roles/stop.ts'
import { turnClock } from '../support/time/turned-clock.ts'

const PROMISED_MS = 5_000
const NEVER = new Promise<void>(() => {})

test('a service that closes has stopped in order', async () => {
  assert.equal(await stopInTime({ close: async () => {}, delayedBy: () => null }), true)
})

test('a service that does not close is given up within five seconds', async (t) => {
  const clock = turnClock(t)
  const isInOrder = await clock.passUntil(stopInTime({ close: () => NEVER, delayedBy: () => null }))
  assert.equal(isInOrder, false)
  assert.ok(clock.passedMs < PROMISED_MS, `${clock.passedMs} ms`)
})

test('time in which others take over, or the database ends, does not count, but has a bound, too', async (t) => {
  const clock = turnClock(t)
  const closed = Promise.withResolvers<void>()
  let delayedBy: 'other processes' | null = 'other processes'
  const stopping = stopInTime({ close: () => closed.promise, delayedBy: () => delayedBy })
  await clock.pass(2 * PROMISED_MS)
  delayedBy = null
  await clock.pass(PROMISED_MS / 2)
  closed.resolve()
  assert.equal(await stopping, true)
  const stuck = stopInTime({ close: () => NEVER, delayedBy: () => 'the database' })
  assert.equal(await clock.passUntil(stuck), false)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { startDeadline } from '../../src/net/deadline.ts'
import { createLoopWatch } from '../../src/net/loop-watch.ts'
import { standStill } from '../support/stand-still.ts'
import { CALM_LOOP } from '../support/targets-settings.ts'
import { turnClock } from '../support/turned-clock.ts'

const never = new AbortController().signal
const watch = () => createLoopWatch(() => performance.now())

describe('a deadline', () => {
  test('expires when its time is up', async () => {
    const deadline = startDeadline(50, never, CALM_LOOP)
    assert.equal(deadline.end(), null)
    await once(deadline.signal, 'abort')
    assert.equal(deadline.end(), 'expired')
    deadline.stop()
  })

  test('ends early when the caller aborts', () => {
    const caller = new AbortController()
    const deadline = startDeadline(60_000, caller.signal, watch())
    caller.abort()
    assert.equal(deadline.signal.aborted, true)
    assert.equal(deadline.end(), 'cancelled')
    deadline.stop()
    const late = startDeadline(60_000, caller.signal, watch())
    assert.equal(late.end(), 'cancelled')
    late.stop()
  })

  test('says stalled when our own loop stood still, at its end or before', async () => {
    for (const limitMs of [20, 320]) {
      const deadline = startDeadline(limitMs, never, watch())
      standStill(300)
      await once(deadline.signal, 'abort')
      assert.equal(deadline.end(), 'stalled')
      deadline.stop()
    }
  })

  test('lets an answer that is already here be read first', async () => {
    const deadline = startDeadline(10, never, watch())
    const answer = new Promise((resolve) => setTimeout(() => setImmediate(resolve, 'answer'), 10))
    standStill(30)
    const first = await Promise.race([answer, once(deadline.signal, 'abort')])
    deadline.stop()
    assert.equal(first, 'answer')
  })

  test('does nothing more once stopped', async (t) => {
    const clock = turnClock(t)
    const deadline = startDeadline(10, never, watch())
    deadline.stop()
    deadline.stop()
    await clock.pass(1_000)
    assert.equal(deadline.end(), null)
    assert.equal(deadline.signal.aborted, false)
  })
})

describe('the watch over the event loop', () => {
  test('counts what happened since a watcher started, for each of them', () => {
    let now = 0
    const loop = createLoopWatch(() => now)
    const first = loop.start()
    now = 520
    assert.equal(first(), 500)
    const second = loop.start()
    assert.equal(second(), 0)
    now = 620
    assert.equal(first(), 600)
    assert.equal(second(), 100)
    loop.stop()
    loop.stop()
  })

  test('overlooks ordinary lateness', () => {
    let now = 0
    const loop = createLoopWatch(() => now)
    const stalledMs = loop.start()
    now = 39
    assert.equal(stalledMs(), 0)
    loop.stop()
  })
})

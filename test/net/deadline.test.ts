import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { startDeadline } from '../../src/net/deadline.ts'
import { createLoopWatch, type LoopWatch } from '../../src/net/loop-watch.ts'

const never = new AbortController().signal
const watch = () => createLoopWatch(() => performance.now())
/** Sees no stall, however busy the machine that runs the tests. */
const steady: LoopWatch = { start: () => () => 0, stop() {} }

/** Stands for a collection of garbage, or for another process that took our core. */
function stall(ms: number) {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('a deadline', () => {
  test('expires when its time is up', async () => {
    const deadline = startDeadline(100, never, steady)
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
    for (const waitMs of [0, 50]) {
      const deadline = startDeadline(500, never, watch())
      setTimeout(stall, waitMs, waitMs === 0 ? 300 : 600)
      await once(deadline.signal, 'abort')
      assert.equal(deadline.end(), 'stalled')
      deadline.stop()
    }
  })

  test('lets an answer that is already here be read first', async () => {
    const deadline = startDeadline(100, never, watch())
    const answer = new Promise((resolve) => setTimeout(() => setImmediate(resolve, 'answer'), 100))
    stall(150)
    const first = await Promise.race([answer, once(deadline.signal, 'abort')])
    deadline.stop()
    assert.equal(first, 'answer')
  })

  test('does nothing more once stopped', async () => {
    const deadline = startDeadline(10, never, watch())
    deadline.stop()
    deadline.stop()
    await new Promise((resolve) => setTimeout(resolve, 30))
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

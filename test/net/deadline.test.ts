import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { startDeadline } from '../../src/net/deadline.ts'
import { createLoopWatch, type LoopWatch } from '../../src/net/loop-watch.ts'
import { CALM_LOOP } from '../support/servers/targets-settings.ts'
import { standStill } from '../support/time/stand-still.ts'
import { turnClock } from '../support/time/turned-clock.ts'

const never = new AbortController().signal
const watch = () => createLoopWatch(() => performance.now())
/** Says how long it stood still by now, and that the stall that is just over was so long. */
function lateBy(stalledMs: () => number, stallMs = 0): LoopWatch {
  return {
    start(onStall) {
      setImmediate(onStall, stallMs)
      return stalledMs
    },
    stop() {},
  }
}

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

  test('moves by the time in which this process stood still, and then blames the target', async () => {
    // It is over before the time is up, or not.
    for (const limitMs of [300, 100]) {
      const startedAt = performance.now()
      const deadline = startDeadline(limitMs, never, watch())
      standStill(200)
      await once(deadline.signal, 'abort')
      const tookMs = performance.now() - startedAt
      assert.ok(tookMs > limitMs + 95, `ended after ${tookMs} ms`)
      assert.equal(deadline.end(), 'expired')
      deadline.stop()
    }
  })

  test('listens for once its limit after a stall that was longer than everything', async (t) => {
    const clock = turnClock(t)
    const deadline = startDeadline(
      100,
      never,
      lateBy(() => 70_000),
    )
    await clock.pass(199)
    assert.equal(deadline.end(), null)
    await clock.pass(1)
    assert.equal(deadline.signal.aborted, true)
    deadline.stop()
  })

  test("moves by time that was not the target's, as when our name servers took long, and then blames it", async (t) => {
    const clock = turnClock(t)
    const deadline = startDeadline(100, never, CALM_LOOP)
    await clock.pass(90)
    deadline.forgive(90)
    await clock.pass(99)
    assert.equal(deadline.end(), null)
    await clock.pass(1)
    assert.equal(deadline.end(), 'expired')
    deadline.stop()
  })

  test('moves by no more than itself, however late the loop always is, and blames a target that was silent for so long', async () => {
    const deadline = startDeadline(
      50,
      never,
      lateBy(() => 1e6),
    )
    await once(deadline.signal, 'abort')
    assert.equal(deadline.end(), 'expired')
    deadline.stop()
  })

  test('knows nothing of a target that came on lately, where the loop is always late', async () => {
    const deadline = startDeadline(
      50,
      never,
      lateBy(() => 1e6),
    )
    deadline.signal.addEventListener('abort', () => deadline.progress())
    await once(deadline.signal, 'abort')
    assert.equal(deadline.end(), 'stalled')
    deadline.stop()
  })

  test('says what was overtaken by a stall', async () => {
    const steadily = startDeadline(60_000, never, CALM_LOOP)
    assert.equal(steadily.isOvertaken(), false)
    steadily.stop()
    const short = startDeadline(300, never, watch())
    standStill(400)
    assert.equal(short.isOvertaken(), true, 'by one that still lasts')
    await new Promise((resolve) => setTimeout(resolve, 1))
    assert.equal(short.isOvertaken(), true, 'by one that is just over')
    short.stop()
  })

  test('is not overtaken by a stall that was nearly over when it began', async () => {
    const deadline = startDeadline(
      60_000,
      never,
      lateBy(() => 0, 70_000),
    )
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(deadline.isOvertaken(), false)
    deadline.stop()
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
    const watchers = [() => {}, () => {}] as const
    const first = loop.start(watchers[0])
    now = 520
    assert.equal(first(), 500)
    const second = loop.start(watchers[1])
    assert.equal(second(), 0)
    now = 620
    assert.equal(first(), 600)
    assert.equal(second(), 100)
    for (const watcher of watchers) loop.stop(watcher)
  })

  test('tells of each stall when it is over', async () => {
    let now = 0
    const loop = createLoopWatch(() => now)
    const stall = Promise.withResolvers<number>()
    loop.start(stall.resolve)
    now = 520
    assert.equal(await stall.promise, 500)
    loop.stop(stall.resolve)
  })

  test('overlooks ordinary lateness', () => {
    let now = 0
    const loop = createLoopWatch(() => now)
    const onStall = () => assert.fail('nothing stood still')
    const stalledMs = loop.start(onStall)
    now = 39
    assert.equal(stalledMs(), 0)
    loop.stop(onStall)
  })
})

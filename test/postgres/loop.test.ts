import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Loop, type Round, startLoop } from '../../src/postgres/loop.ts'
import { turnClock } from '../support/time/turned-clock.ts'

const PAUSE_MS = 10_000

/** A loop whose rounds do what they are told to, and end when the test lets them. */
function started(t: TestContext, work: (round: number) => Promise<number> = async () => PAUSE_MS) {
  const clock = turnClock(t)
  const log: string[] = []
  const rounds: Round[] = []
  const loop: Loop = startLoop({
    async work(round) {
      rounds.push(round)
      log.push(round.isWoken ? 'woken' : 'begun')
      return work(rounds.length)
    },
    troubleMs: 500,
    onTrouble: (error) => log.push((error as Error).message),
    onRound: () => log.push('over'),
    onEnd: () => log.push('ended'),
  })
  t.after(() => loop.close())
  return { clock, log, rounds, loop }
}

describe('a loop', () => {
  it('begins at once, and again when there may be something to do', async (t) => {
    const { clock, log } = started(t)
    assert.deepEqual(log, ['begun'])
    await clock.passWhile(() => log.length < 3)
    assert.deepEqual([log.slice(0, 3), clock.passedMs], [['begun', 'over', 'begun'], PAUSE_MS])
  })

  it('ends its pause when it is woken, and says so to the round', async (t) => {
    const { clock, log, loop } = started(t)
    await clock.pass(0)
    loop.wake()
    await clock.passWhile(() => log.length < 5)
    assert.deepEqual(
      [log.slice(0, 5), clock.passedMs],
      [['begun', 'over', 'woken', 'over', 'begun'], PAUSE_MS],
    )
  })

  it('keeps a call that comes during a round, and several are one', async (t) => {
    const first = Promise.withResolvers<number>()
    const { clock, log, loop } = started(t, (round) =>
      round === 1 ? first.promise : Promise.resolve(PAUSE_MS),
    )
    loop.wake()
    loop.wake()
    assert.deepEqual(log, ['begun'])
    first.resolve(PAUSE_MS)
    await clock.passWhile(() => log.length < 5)
    assert.deepEqual(
      [log.slice(0, 5), clock.passedMs],
      [['begun', 'over', 'woken', 'over', 'begun'], PAUSE_MS],
    )
  })

  it('goes on at once where the next time has passed, and sets no timer for that', async (t) => {
    const third = Promise.withResolvers<void>()
    let rounds = 0
    const warnings: string[] = []
    const note = ({ name }: Error) => warnings.push(name)
    process.on('warning', note)
    t.after(() => process.off('warning', note))
    const loop = startLoop({
      async work() {
        if (++rounds === 3) third.resolve()
        return rounds < 3 ? -5 : PAUSE_MS
      },
      onTrouble: (error) => assert.fail(String(error)),
    })
    await third.promise
    await loop.close()
    assert.deepEqual([rounds, warnings], [3, []])
  })

  it('reports trouble, and goes on after a pause', async (t) => {
    const { clock, log } = started(t, async (round) => {
      if (round < 3) throw new Error(`trouble ${round}`)
      return PAUSE_MS
    })
    await clock.passWhile(() => log.length < 8)
    assert.deepEqual(log, ['begun', 'trouble 1', 'over', 'begun', 'trouble 2', 'over', 'begun', 'over'])
    assert.equal(clock.passedMs, 1_000)
  })

  it('waits at its end for the round under way, which hears of it, and begins none', async (t) => {
    const first = Promise.withResolvers<number>()
    const { log, rounds, loop } = started(t, () => first.promise)
    const closed = loop.close().then(() => log.push('closed'))
    assert.equal(rounds[0]?.stopped.aborted, true)
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(log, ['begun'])
    first.resolve(0)
    await closed
    assert.deepEqual(log, ['begun', 'over', 'ended', 'closed'])
  })

  it('ends in its pause at once', async (t) => {
    const { clock, log, loop } = started(t)
    await clock.pass(0)
    await loop.close()
    assert.deepEqual([log, clock.passedMs], [['begun', 'over', 'ended'], 0])
  })
})

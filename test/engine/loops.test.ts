import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLoops, LOOPS, type LoopName } from '../../src/engine/loops.ts'
import { startLoop } from '../../src/postgres/loop.ts'
import { until } from '../support/until.ts'

const LACKING = Object.assign(new Error('relation "deliveries" does not exist'), { code: '42P01' })

function watched() {
  const clock = { ms: 0 }
  const said: string[] = []
  const errors: unknown[] = []
  const answers = Promise.withResolvers<void>()
  const loops = createLoops({
    monotonicMs: () => clock.ms,
    say: (message) => said.push(message),
    answers: answers.promise,
  })
  return { clock, said, errors, answers, loops, loop: loops.watch('alerts', (error) => errors.push(error)) }
}

describe('the loops of a process', () => {
  it('are in trouble from the first failure to the first round without one', () => {
    const { clock, loops, loop, errors } = watched()
    const read = () => loops.read()[0]
    loop.onRound()
    assert.deepEqual(read(), { name: 'alerts', seconds: 0, why: null, isLasting: false })
    clock.ms = 5_000
    loop.onTrouble(LACKING)
    loop.onRound()
    clock.ms = 12_000
    loop.onTrouble(LACKING)
    const why = 'relation "deliveries" does not exist (42P01)'
    assert.deepEqual(read(), { name: 'alerts', seconds: 7, why, isLasting: true })
    assert.deepEqual(errors, [LACKING, LACKING])
    loop.onRound()
    assert.equal(read()?.seconds, 7)
    loop.onRound()
    assert.equal(read()?.seconds, 0)
  })

  it('say once that they never succeed, and once that they work again', () => {
    const { clock, said, loop } = watched()
    for (clock.ms = 0; clock.ms <= 90_000; clock.ms += 1_000) {
      loop.onTrouble(new Error('no'))
      loop.onRound()
    }
    loop.onRound()
    loop.onRound()
    assert.deepEqual(said, [
      'alerts: no round without an error for 60 s; the last: no',
      'alerts: works again',
    ])
  })

  it('begin at once where /health needs them, and all others once the service answers', async () => {
    const { loops, answers } = watched()
    const begun: LoopName[] = []
    const started = LOOPS.map((name) =>
      startLoop({
        async work() {
          if (!begun.includes(name)) begun.push(name)
          return 60_000
        },
        ...loops.watch(name, () => {}),
      }),
    )
    const needed = ['leader', 'prober', 'reachability', 'status pages']
    assert.deepEqual(begun, needed)
    for (const loop of started) loop.wake()
    await new Promise(setImmediate)
    assert.deepEqual(begun, needed, 'a call does not begin a loop')
    answers.resolve()
    await until('all loops have begun', () => begun.length === LOOPS.length)
    const others = LOOPS.filter((name) => !needed.includes(name))
    assert.deepEqual(begun, [...needed, ...others], 'one after another')
    await Promise.all(started.map((loop) => loop.close()))
  })

  it('end without a round when they are closed before the service answers', async () => {
    const { loops } = watched()
    let rounds = 0
    const loop = startLoop({ work: async () => ++rounds, ...loops.watch('alerts', () => {}) })
    await loop.close()
    assert.equal(rounds, 0)
  })

  it('are in no trouble once they have ended, or begun anew', () => {
    const { loops, loop } = watched()
    loop.onTrouble(LACKING)
    loop.onEnd()
    assert.equal(loops.read()[0]?.why, null)
    loop.onTrouble(LACKING)
    loops.watch('alerts', () => {})
    assert.deepEqual(
      loops.read().map(({ why }) => why),
      [null],
    )
  })
})

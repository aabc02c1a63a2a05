import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLoops } from '../../src/engine/loops.ts'

const LACKING = Object.assign(new Error('relation "deliveries" does not exist'), { code: '42P01' })

function watched() {
  const clock = { ms: 0 }
  const said: string[] = []
  const errors: unknown[] = []
  const loops = createLoops({ monotonicMs: () => clock.ms, say: (message) => said.push(message) })
  return { clock, said, errors, loops, loop: loops.watch('alerts', (error) => errors.push(error)) }
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

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTurnstile } from '../../src/net/turnstile.ts'

const never = new AbortController().signal

describe('a turnstile', () => {
  test('admits in order of arrival, as places become free', async () => {
    const turnstile = createTurnstile(2)
    const entered: number[] = []
    for (const visitor of [1, 2, 3, 4]) void turnstile.enter(never).then(() => entered.push(visitor))
    await settled()
    assert.deepEqual(entered, [1, 2])
    turnstile.leave()
    await settled()
    assert.deepEqual(entered, [1, 2, 3])
    turnstile.leave()
    await settled()
    assert.deepEqual(entered, [1, 2, 3, 4])
  })

  test('turns away who gives up, without losing the place', async () => {
    const turnstile = createTurnstile(1)
    const controller = new AbortController()
    assert.equal(await turnstile.enter(never), true)
    const impatient = turnstile.enter(controller.signal)
    const patient = turnstile.enter(never)
    controller.abort()
    assert.equal(await impatient, false)
    assert.equal(await turnstile.enter(controller.signal), false)
    turnstile.leave()
    assert.equal(await patient, true)
    turnstile.leave()
    assert.equal(await turnstile.enter(never), true)
  })
})

function settled() {
  return new Promise((resolve) => setImmediate(resolve))
}

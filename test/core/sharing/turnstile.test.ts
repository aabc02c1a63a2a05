import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTurnstile } from '../../../src/core/sharing/share.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a turnstile', () => {
  test('admits those of one holder in order of arrival, as places become free', async () => {
    const turnstile = createTurnstile('handshakes', { size: 2 })
    const entered: number[] = []
    for (const visitor of [1, 2, 3]) void turnstile.enter('a').then(() => entered.push(visitor))
    await settled()
    assert.deepEqual(entered, [1], 'the last place is for another one')
    turnstile.leave('a')
    await settled()
    assert.deepEqual(entered, [1, 2])
    turnstile.leave('a')
    await settled()
    assert.deepEqual(entered, [1, 2, 3])
  })

  test('turns away who gives up, without losing the place', async () => {
    const turnstile = createTurnstile('handshakes', { size: 1 })
    const controller = new AbortController()
    assert.equal(await turnstile.enter('a'), true)
    const impatient = turnstile.enter('b', controller.signal)
    const patient = turnstile.enter('c')
    controller.abort()
    assert.equal(await impatient, false)
    assert.equal(await turnstile.enter('b', controller.signal), false)
    turnstile.leave('a')
    assert.equal(await patient, true)
    turnstile.leave('c')
    assert.equal(await turnstile.enter('b'), true)
  })

  test('admits a quiet one at once beside a thousand of another one, none of whom leaves', async () => {
    const turnstile = createTurnstile('handshakes')
    for (let n = 0; n < 1_000; n++) void turnstile.enter('hostile')
    await settled()
    assert.equal(await turnstile.enter('quiet'), true)
  })

  test('gives what becomes free to those who have the fewest', async () => {
    const turnstile = createTurnstile('handshakes', { size: 4 })
    const entered: string[] = []
    const come = (holder: string) => void turnstile.enter(holder).then(() => entered.push(holder))
    for (let n = 0; n < 10; n++) come('hostile')
    for (const quiet of ['a', 'b', 'c']) come(quiet)
    await settled()
    assert.deepEqual(entered, ['hostile', 'hostile', 'hostile', 'a'])
    turnstile.leave('hostile')
    turnstile.leave('hostile')
    await settled()
    assert.deepEqual(entered.slice(4), ['b', 'c'])
  })

  test('refuses more of one than may wait, and not those of others', async () => {
    const turnstile = createTurnstile('handshakes', { size: 1, maxWaiting: 1 })
    assert.equal(await turnstile.enter('a'), true)
    void turnstile.enter('b')
    assert.equal(await turnstile.enter('b'), false)
    const other = turnstile.enter('c')
    turnstile.leave('a')
    await settled()
    turnstile.leave('b')
    assert.equal(await other, true)
  })
})

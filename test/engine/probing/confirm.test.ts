import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { storedMessage } from '../../../src/core/monitors/check.ts'
import { maxConfirmationMs } from '../../../src/core/monitors/confirmation.ts'
import { CAUSE, createConfirmWorld, DOWN, PENDING, UP } from '../../support/probing/confirm-world.ts'

const TIMEOUT_MS = 10_000
const SOON = { answersAfterMs: 50 }

describe('a failure that is to be confirmed', () => {
  it('is believed at once where the monitor is known to be down', async (t) => {
    const world = createConfirmWorld(t)
    world.known = { status: 'down', passing: 0 }
    world.regions = { nyc: { ...SOON, result: UP } }
    const { found } = await world.confirm(3)
    assert.deepEqual([found.result, world.asked, world.attempts], [DOWN, [], 0])
  })

  it('is asked of others, too, where the monitor was about to be up again', async (t) => {
    const world = createConfirmWorld(t)
    world.known = { status: 'down', passing: 1 }
    world.regions = { nyc: { ...SOON, result: UP } }
    assert.equal((await world.confirm(1)).found.result.status, 'up')
  })

  it('is asked of other regions at once, and true when all of them fail', async (t) => {
    const world = createConfirmWorld(t)
    world.regions = { nyc: { ...SOON, result: DOWN }, sgp: { ...SOON, result: DOWN }, tor: 'silent' }
    const { found, tookMs } = await world.confirm(2)
    assert.equal(storedMessage(found.result), `${CAUSE} (confirmed from nyc, sgp)`)
    assert.deepEqual([found.region, world.asked, world.attempts], ['lon', ['nyc', 'sgp'], 0])
    assert.ok(tookMs < 500, `${tookMs} ms`)
    assert.equal(world.withdrawn, 2)
  })

  it('is over with the first attempt that passes, whatever the others do', async (t) => {
    const world = createConfirmWorld(t)
    world.regions = { nyc: 'silent', sgp: { ...SOON, result: UP } }
    const { found, tookMs } = await world.confirm(3)
    assert.deepEqual([found.result.status, found.region], ['up', 'sgp'])
    assert.equal(storedMessage(found.result), `not confirmed from sgp (seen from lon): ${CAUSE}`)
    assert.ok(tookMs < 500, `${tookMs} ms`)
    assert.equal(world.withdrawn, 2)
  })

  it('is tried again from here where there are no other regions', async (t) => {
    const world = createConfirmWorld(t)
    const { found, tookMs } = await world.confirm(2)
    assert.equal(storedMessage(found.result), `${CAUSE} (confirmed by 2 more attempts)`)
    assert.deepEqual([world.asked, world.attempts], [[], 2])
    assert.ok(tookMs >= 2_000 && tookMs < 3_000, `${tookMs} ms`)
  })

  it('is tried again from here, too, where there are not enough', async (t) => {
    const world = createConfirmWorld(t)
    world.regions = { nyc: { ...SOON, result: DOWN } }
    world.again = [DOWN, UP]
    const { found } = await world.confirm(3)
    assert.deepEqual([found.result.status, found.region, world.attempts], ['up', 'lon', 2])
    assert.equal(storedMessage(found.result), `not confirmed by another attempt: ${CAUSE}`)
  })

  for (const [what, does, leastMs] of [
    ['is not there', 'gone', 3_000],
    ['takes it on and does not answer', 'silent', 15_000],
    ['cannot judge', { ...SOON, result: PENDING }, 0],
  ] as const) {
    it(`is tried again from here for a region that ${what}`, async (t) => {
      const world = createConfirmWorld(t)
      world.regions = { nyc: does }
      const { found, tookMs } = await world.confirm(1)
      assert.equal(storedMessage(found.result), `${CAUSE} (confirmed by another attempt)`)
      assert.ok(tookMs >= leastMs && tookMs < leastMs + 2_000, `${tookMs} ms`)
      assert.deepEqual([world.attempts, world.withdrawn], [1, 1])
    })
  }

  it('is no failure while this process cannot judge: our own trouble comes first', async (t) => {
    const world = createConfirmWorld(t)
    world.again = [PENDING]
    const { found } = await world.confirm(2)
    assert.deepEqual([found.result, world.attempts], [PENDING, 1])
  })

  it('is tried again from here while the database does not answer', async (t) => {
    const world = createConfirmWorld(t)
    world.regions = { nyc: { ...SOON, result: UP } }
    world.trouble = new Error('the database is gone')
    const { found } = await world.confirm(1)
    assert.equal(storedMessage(found.result), `${CAUSE} (confirmed by another attempt)`)
    assert.ok(world.troubles.length > 0)
  })

  it('takes no longer than is documented, whatever fails', async (t) => {
    const world = createConfirmWorld(t)
    world.regions = { nyc: 'silent', sgp: 'silent', tor: 'silent' }
    world.probeMs = TIMEOUT_MS
    const { found, tookMs } = await world.confirm(3)
    assert.equal(found.result.status, 'down')
    const longestMs = maxConfirmationMs(TIMEOUT_MS, 3)
    assert.ok(tookMs <= longestMs, `${tookMs} ms of ${longestMs}`)
  })

  it('ends with its check: nothing goes on, and nobody is asked any more', async (t) => {
    const world = createConfirmWorld(t)
    world.regions = { nyc: 'silent' }
    world.probeMs = TIMEOUT_MS
    const { tookMs } = await world.confirm(2, 1_500)
    assert.ok(tookMs < 2_000, `${tookMs} ms`)
    assert.deepEqual([world.cancelled, world.withdrawn], [1, 1])
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gather } from '../../src/postgres/gather.ts'

const MAX_BATCH = 500
const MANY_TURNS = 100

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Batches that end when they are told to. */
function heldBatches() {
  const batches: { calls: number[]; end: () => void; fail: (error: Error) => void }[] = []
  const call = gather(
    (calls: number[]) =>
      new Promise<string[]>((resolve, reject) => {
        batches.push({ calls, end: () => resolve(calls.map((number) => `answer ${number}`)), fail: reject })
      }),
  )
  /** The size of each batch, once this many of them have begun. */
  const begun = async (count: number) => {
    for (let turns = 0; batches.length < count && turns < MANY_TURNS; turns++) await turn()
    return batches.map((batch) => batch.calls)
  }
  return { batches, call, begun }
}

describe('calls that are gathered', () => {
  it('run at once when nothing is under way, those that arrive together as one batch', async () => {
    const { batches, call, begun } = heldBatches()
    const answers = Promise.all([call(1), call(2)])
    assert.deepEqual(await begun(1), [[1, 2]])
    batches[0]?.end()
    assert.deepEqual(await answers, ['answer 1', 'answer 2'])
    const alone = call(3)
    assert.deepEqual(await begun(2), [[1, 2], [3]])
    batches[1]?.end()
    assert.equal(await alone, 'answer 3')
  })

  it('wait while a batch is under way and share the next, in the order in which they came', async () => {
    const { batches, call, begun } = heldBatches()
    const first = call(1)
    await begun(1)
    const others = Promise.all([call(2), call(3), call(4)])
    for (let turns = 0; turns < MANY_TURNS; turns++) await turn()
    assert.deepEqual(await begun(1), [[1]])
    batches[0]?.end()
    assert.equal(await first, 'answer 1')
    assert.deepEqual(await begun(2), [[1], [2, 3, 4]])
    batches[1]?.end()
    assert.deepEqual(await others, ['answer 2', 'answer 3', 'answer 4'])
  })

  it('fail with their batch, each of them, and the next batch runs', async () => {
    const { batches, call, begun } = heldBatches()
    const failing = Promise.allSettled([call(1), call(2)])
    await begun(1)
    const next = call(3)
    batches[0]?.fail(new Error('no database'))
    for (const outcome of await failing) {
      assert.equal(outcome.status === 'rejected' && outcome.reason.message, 'no database')
    }
    assert.deepEqual(await begun(2), [[1, 2], [3]])
    batches[1]?.end()
    assert.equal(await next, 'answer 3')
  })

  it('fail, too, where a batch cannot even begin', async () => {
    const call = gather((): Promise<never[]> => {
      throw new Error('closed')
    })
    await assert.rejects(call(1), /closed/)
    await assert.rejects(call(2), /closed/)
  })

  it('are split where a batch would be too large', async () => {
    const sizes: number[] = []
    const call = gather(async (numbers: number[]) => {
      sizes.push(numbers.length)
      return numbers
    })
    const numbers = Array.from({ length: 2 * MAX_BATCH + 1 }, (_, number) => number)
    assert.deepEqual(await Promise.all(numbers.map(call)), numbers)
    assert.deepEqual(sizes, [MAX_BATCH, MAX_BATCH, 1])
  })
})

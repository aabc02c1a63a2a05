import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ENDURANCE_MS,
  MAX_KEPT_ANSWERS,
  MAX_RESULTS,
  type ProbeResult,
} from '../../src/core/probing/remote-probe.ts'
import { createKeptResults, type ResultBatch } from '../../src/remote/results.ts'

const NOW_MS = 10 * ENDURANCE_MS

describe('a result that a remote probe keeps', () => {
  const found = (monitor_id: number, atMs = NOW_MS) =>
    ({ monitor_id, checked_at: new Date(atMs), result: {} }) as unknown as ProbeResult
  const numbers = (batch: ResultBatch | null) => [
    batch?.first,
    batch?.results.map(({ monitor_id }) => monitor_id),
  ]

  it('goes out in its order, numbered without gaps, and again until it is stored', () => {
    const kept = createKeptResults()
    kept.add(found(1))
    kept.add(found(2))
    assert.deepEqual(numbers(kept.batch(NOW_MS)), [1, [1, 2]])
    kept.add(found(3))
    assert.deepEqual(numbers(kept.batch(NOW_MS)), [1, [1, 2]])
    kept.settle()
    assert.deepEqual(numbers(kept.batch(NOW_MS)), [3, [3]])
    assert.equal(kept.size, 1)
    kept.settle()
    assert.equal(kept.batch(NOW_MS), null)
  })

  it('goes out in parts that are not too large', () => {
    const kept = createKeptResults()
    for (let id = 1; id <= MAX_RESULTS + 1; id++) kept.add(found(id))
    assert.equal(kept.batch(NOW_MS)?.results.length, MAX_RESULTS)
    kept.settle()
    assert.deepEqual(numbers(kept.batch(NOW_MS)), [MAX_RESULTS + 1, [MAX_RESULTS + 1]])
  })

  it('leaves out its answer where as many are kept as fit into one request', () => {
    const kept = createKeptResults()
    const failed = (id: number) => ({ ...found(id), result: { answer: {} } }) as unknown as ProbeResult
    const answers = () => kept.batch(NOW_MS)?.results.filter(({ result }) => result.answer).length
    for (let id = 1; id <= MAX_KEPT_ANSWERS + 5; id++) kept.add(failed(id))
    assert.equal(answers(), MAX_KEPT_ANSWERS)
    assert.equal(kept.batch(NOW_MS)?.results.length, MAX_KEPT_ANSWERS + 5)
    kept.settle()
    kept.add(failed(1))
    assert.equal(answers(), 1, 'those before are on their way')
  })

  it('is given up when it is too old or too much, the oldest first, and counted; numbers have no gap', () => {
    const kept = createKeptResults(100)
    kept.add(found(1, NOW_MS - ENDURANCE_MS - 1))
    kept.add(found(2, NOW_MS - ENDURANCE_MS))
    assert.deepEqual(numbers(kept.batch(NOW_MS)), [1, [2]])
    assert.equal(kept.dropped, 1)
    kept.settle()
    for (let id = 3; id <= 104; id++) kept.add(found(id))
    assert.equal(kept.dropped, 3)
    assert.equal(kept.batch(NOW_MS)?.first, 2)
    assert.equal(kept.batch(NOW_MS)?.results[0]?.monitor_id, 5)
  })

  it('begins again at one when the service has forgotten the run, and leaves out what it cannot read', () => {
    const kept = createKeptResults()
    kept.add(found(1))
    kept.batch(NOW_MS)
    kept.settle()
    kept.add(found(2))
    kept.batch(NOW_MS)
    kept.renumber()
    assert.deepEqual(numbers(kept.batch(NOW_MS)), [1, [2]])
    kept.discard()
    kept.add(found(3))
    assert.deepEqual(numbers(kept.batch(NOW_MS)), [1, [3]])
    assert.equal(kept.dropped, 1)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DueHeap } from '../../../src/engine/probing/due-heap.ts'

test('entries come out in the order in which they are due, however many there are', () => {
  const dues = fc.array(fc.double({ min: 0, max: 4e12, noNaN: true }), { minLength: 1, maxLength: 3_000 })
  fc.assert(
    fc.property(dues, (all) => {
      const heap = new DueHeap()
      for (const [id, due] of all.entries()) heap.push(due, id)
      assert.equal(heap.size, all.length)
      const seen = new Set<number>()
      for (const due of all.toSorted((a, b) => a - b)) {
        assert.equal(heap.earliest, due)
        const id = heap.pop() as number
        assert.equal(all[id], due)
        seen.add(id)
      }
      assert.equal(seen.size, all.length)
    }),
    { numRuns: 50 },
  )
})

test('entries may be added between those that are taken', () => {
  const heap = new DueHeap()
  heap.push(20, 2)
  heap.push(10, 1)
  assert.equal(heap.pop(), 1)
  heap.push(15, 3)
  assert.deepEqual([heap.pop(), heap.pop()], [3, 2])
})

test('an empty heap is never due', () => {
  const heap = new DueHeap()
  assert.deepEqual([heap.size, heap.earliest, heap.pop()], [0, Number.POSITIVE_INFINITY, undefined])
  heap.push(1, 7)
  assert.deepEqual([heap.pop(), heap.earliest], [7, Number.POSITIVE_INFINITY])
})

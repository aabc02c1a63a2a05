import assert from 'node:assert/strict'
import { it } from 'node:test'
import { gatherChanges } from '../../src/roles/gather-changes.ts'

it('changes of a moment are passed on together, each once, and unnamed ones at once', async () => {
  const passed: (number[] | null)[] = []
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const gathering = gatherChanges((ids) => {
    passed.push(ids)
    if (ids) resolve()
  })
  gathering.changed([1, 2])
  gathering.changed([2, 3])
  gathering.changed(null)
  assert.deepEqual(passed, [null])
  await done
  assert.deepEqual(passed, [null, [1, 2, 3]])
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fuzzAssertions } from './assertions.ts'

it('judges answers that are nearly right by assertions that are nearly right, and never throws', async () => {
  const { taken, refused, met, troubles } = await fuzzAssertions(1_000, 1)
  assert.deepEqual(troubles, [])
  assert.equal(taken, 1_000)
  // Both ends of what it makes are there.
  assert.ok(refused > 100 && met > 50, `${refused} refused, ${met} met`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startClaimLoop } from '../../src/engine/claim-loop.ts'
import { until } from '../support/until.ts'

test('what is under way is not begun again when its claim has lapsed meanwhile', async (t) => {
  const begun: number[] = []
  const troubles: unknown[] = []
  const sending = Promise.withResolvers<void>()
  let claims = 0
  const rows = {
    claim: async () => (++claims <= 2 ? [{ id: 1 }] : []),
    renew: async () => {},
    release: async () => {},
    secondsToNext: async () => null,
    async attempt({ id }: { id: number }) {
      begun.push(id)
      await sending.promise
    },
  }
  const loop = startClaimLoop(rows, 8, (error) => troubles.push(error))
  t.after(() => loop.close())
  await until('the row is claimed twice', () => claims > 2)
  sending.resolve()
  assert.deepEqual([begun, troubles], [[1], []])
})

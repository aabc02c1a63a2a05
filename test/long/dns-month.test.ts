// npm test leaves this out: it lives through a month of looks three times for each way (seconds of a core).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CALM_WAYS, watchCalm } from '../support/sites/dns-history.ts'

describe('a month of DNS that', () => {
  for (const way of CALM_WAYS)
    test(`${way}, with 1 % flaky answers: silence`, () => {
      for (const seed of [1, 2, 3])
        assert.deepEqual(watchCalm(way, 30, seed), { told: [], statuses: ['up'] }, `seed ${seed}`)
    })
})

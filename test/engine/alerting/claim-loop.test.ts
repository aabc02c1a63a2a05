import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startClaimLoop } from '../../../src/engine/alerting/claim-loop.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { turnClock } from '../../support/time/turned-clock.ts'
import { until } from '../../support/until.ts'

const AS_HOLDER = { db: {} as Database, holder: 'one', capacity: 'letters' as const }

test('what is under way is not begun again when its claim has lapsed meanwhile', async (t) => {
  const begun: number[] = []
  const troubles: unknown[] = []
  const sending = Promise.withResolvers<void>()
  let claims = 0
  const rows = {
    claim: async () => (++claims <= 2 ? [{ id: 1, teamId: 1 }] : []),
    renew: async () => {},
    release: async () => {},
    secondsToNext: async () => null,
  }
  const attempt = async ({ id }: { id: number }) => {
    begun.push(id)
    await sending.promise
  }
  const loop = startClaimLoop({ ...AS_HOLDER, rows, attempt, onTrouble: (error) => troubles.push(error) })
  t.after(() => loop.close())
  await until('the row is claimed twice', () => claims > 2)
  sending.resolve()
  assert.deepEqual([begun, troubles], [[1], []])
})

test('what is claimed again as its attempt leaves it due is released, and begun by the next claim', async (t) => {
  const begun: string[] = []
  const troubles: unknown[] = []
  const leaving = Promise.withResolvers<void>()
  const row = { id: 1, claimed: false }
  const rows = {
    async claim() {
      if (row.claimed) return []
      row.claimed = true
      return [{ id: row.id, teamId: 1 }]
    },
    renew: async () => {},
    async release(_db: unknown, _holder?: string, ids?: number[]) {
      begun.push(`released ${ids}`)
      row.claimed = false
    },
    secondsToNext: async () => (row.claimed ? 6 : 0),
  }
  const attempt = async ({ id }: { id: number }) => {
    begun.push(`attempt ${id}`)
    if (begun.length > 1) return
    // The database has the row unclaimed before the process hears of it.
    row.claimed = false
    await leaving.promise
  }
  const loop = startClaimLoop({ ...AS_HOLDER, rows, attempt, onTrouble: (error) => troubles.push(error) })
  t.after(() => loop.close())
  await until('the row is claimed again', () => row.claimed && begun.length > 0)
  leaving.resolve()
  await until('the row is begun again', () => begun.length >= 3)
  assert.deepEqual([begun, troubles], [['attempt 1', 'released 1', 'attempt 1'], []])
})

test('what has been due for long, and somebody else has, is looked for again after a moment', async (t) => {
  const clock = turnClock(t)
  let looks = 0
  const rows = {
    claim: async () => {
      await new Promise((resolve) => setImmediate(resolve))
      looks++
      return []
    },
    renew: async () => {},
    release: async () => {},
    secondsToNext: async () => -5,
  }
  const attempt = async () => {}
  const loop = startClaimLoop({ ...AS_HOLDER, rows, attempt, onTrouble: () => {} })
  await clock.passWhile(() => looks === 0)
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(looks, 1, 'not again before any time has passed')
  await clock.passWhile(() => looks === 1)
  await loop.close()
})

test('claims only what it expects: at its start, when woken, and when a look finds something due', async (t) => {
  const clock = turnClock(t)
  let claims = 0
  let looks = 0
  let seconds: number | null = null
  const rows = {
    claim: async () => {
      claims++
      seconds = null
      return []
    },
    renew: async () => {},
    release: async () => {},
    secondsToNext: async () => {
      looks++
      return seconds
    },
  }
  const attempt = async () => {}
  const loop = startClaimLoop({ ...AS_HOLDER, rows, attempt, onTrouble: () => {} })
  await clock.passWhile(() => looks < 4)
  assert.equal(claims, 1, 'looks alone claim nothing')
  loop.wake()
  await clock.passWhile(() => claims < 2)
  seconds = 0
  await clock.passWhile(() => claims < 3)
  await loop.close()
})

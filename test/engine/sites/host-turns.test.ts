import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTurns, paceOf } from '../../../src/engine/sites/crawl/host-turns.ts'
import { claimHostSeat } from '../../../src/store/sites/host-seats.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

describe('the pace of a host', () => {
  const paces: [number, { restMs: number; seats: number }][] = [
    [0, { restMs: 500, seats: 2 }],
    [0.25, { restMs: 500, seats: 2 }],
    [0.4, { restMs: 500, seats: 1 }],
    [30, { restMs: 30_000, seats: 1 }],
  ]
  for (const [seconds, pace] of paces) {
    it(`with a crawl delay of ${seconds} s is ${pace.restMs} ms on ${pace.seats} seats`, () => {
      assert.deepEqual(paceOf(seconds), pace)
    })
  }
})

describe('turns at a host', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())

  const never = new AbortController().signal
  const LONG_MS = 3_600_000
  /** Whether a turn at the host would have to wait for about so long. */
  async function waitMs(host: string, seats = 2): Promise<number> {
    for (;;) {
      const claimed = await claimHostSeat(database.db, host, seats)
      if (claimed.kind === 'wait' && claimed.waitMs > 0) return claimed.waitMs
      assert.equal(claimed.kind, 'wait', 'a new host gets its seats')
    }
  }

  it('are two at a time, whoever takes them', async () => {
    const pace = { restMs: 0, seats: 2 }
    const [one, other] = [1, 2].map(() => createTurns(database.db, () => pace))
    const first = await one?.('two.example', never)
    await other?.('two.example', never)
    assert.ok((await waitMs('two.example')) > 0)
    await first?.({ answeredAgoMs: 0, retryAfterMs: null })
    await other?.('two.example', never)
  })

  it('rest from the answer on', async () => {
    const turn = createTurns(database.db, () => ({ restMs: LONG_MS, seats: 1 }))
    const leave = await turn('rest.example', never)
    await leave({ answeredAgoMs: LONG_MS / 2, retryAfterMs: null })
    const waits = await waitMs('rest.example', 1)
    assert.ok(waits <= LONG_MS / 2 && waits > LONG_MS / 4, String(waits))
  })

  it('rest in all seats as long as the host asks, up to 10 minutes', async () => {
    const turn = createTurns(database.db, () => ({ restMs: 0, seats: 2 }))
    const leave = await turn('alone.example', never)
    await leave({ answeredAgoMs: 0, retryAfterMs: LONG_MS })
    const waits = await waitMs('alone.example')
    assert.ok(waits <= 600_000 && waits > 300_000, String(waits))
  })

  it('are given up when nobody waits for them any more', async () => {
    const turn = createTurns(database.db, () => ({ restMs: LONG_MS, seats: 1 }))
    const stop = new AbortController()
    await (await turn('stop.example', never))({ answeredAgoMs: 0, retryAfterMs: null })
    const waiting = turn('stop.example', stop.signal)
    stop.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
  })
})

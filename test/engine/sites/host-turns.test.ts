import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { PlaceHolder, Turnstile } from '../../../src/core/sharing/share.ts'
import type { Turn } from '../../../src/core/sites/crawl/asking.ts'
import {
  type AskingPlaces,
  createTurns,
  type HostPace,
  paceOf,
} from '../../../src/engine/sites/crawl/host-turns.ts'
import { claimHostSeat } from '../../../src/store/sites/host-seats.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { crawlPlaces } from '../../support/sites/crawled-site.ts'

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

/** More than places. */
const SLOW = 5

describe('turns at a host', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())

  const never = new AbortController().signal
  const LONG_MS = 3_600_000
  /** The turns of one thing that a crawl does, which never ends. */
  function turnsOf(
    pace: HostPace,
    asking: AskingPlaces = { places: crawlPlaces().requests, teamId: 1 },
  ): Turn {
    const given = Promise.withResolvers<Turn>()
    const inTurns = createTurns(database.db, asking, () => pace)
    void inTurns(async (turn) => {
      given.resolve(turn)
      await new Promise(() => {})
    })
    return async (host, signal) => (await given.promise)(host, signal)
  }
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
    const [one, other] = [1, 2].map(() => turnsOf(pace))
    const first = await one?.('two.example', never)
    await other?.('two.example', never)
    assert.ok((await waitMs('two.example')) > 0)
    await first?.({ answeredAgoMs: 0, retryAfterMs: null })
    await other?.('two.example', never)
  })

  it('rest from the answer on', async () => {
    const turn = turnsOf({ restMs: LONG_MS, seats: 1 })
    const leave = await turn('rest.example', never)
    await leave({ answeredAgoMs: LONG_MS / 2, retryAfterMs: null })
    const waits = await waitMs('rest.example', 1)
    assert.ok(waits <= LONG_MS / 2 && waits > LONG_MS / 4, String(waits))
  })

  it('rest in all seats as long as the host asks, up to 10 minutes', async () => {
    const turn = turnsOf({ restMs: 0, seats: 2 })
    const leave = await turn('alone.example', never)
    await leave({ answeredAgoMs: 0, retryAfterMs: LONG_MS })
    const waits = await waitMs('alone.example')
    assert.ok(waits <= 600_000 && waits > 300_000, String(waits))
  })

  it('are given up when nobody waits for them any more', async () => {
    const turn = turnsOf({ restMs: LONG_MS, seats: 1 })
    const stop = new AbortController()
    await (await turn('stop.example', never))({ answeredAgoMs: 0, retryAfterMs: null })
    const waiting = turn('stop.example', stop.signal)
    stop.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
  })

  it('hold no place while they wait, however many of a team do', async () => {
    const { requests } = crawlPlaces(2)
    const waits = Promise.withResolvers<void>()
    const waiting = new Set<PlaceHolder>()
    const places: Turnstile = {
      enter: requests.enter,
      leave(holder) {
        requests.leave(holder)
        waiting.add(holder)
        if (waiting.size === SLOW) waits.resolve()
      },
    }
    const stop = new AbortController()
    const rests = { restMs: LONG_MS, seats: 1 }
    const refused: Promise<void>[] = []
    // Each in the name of a team of its own, so that there is one to know it by.
    for (let teamId = 1; teamId <= SLOW; teamId++) {
      const host = `slow-${teamId}.example`
      await (await turnsOf(rests)(host, never))({ answeredAgoMs: 0, retryAfterMs: null })
      const turn = turnsOf(rests, { places, teamId })(host, stop.signal)
      refused.push(assert.rejects(turn, { name: 'AbortError' }))
    }
    await waits.promise
    const quick = { restMs: 0, seats: 2 }
    await turnsOf(quick, { places, teamId: 100 })('quick.example', never)
    await turnsOf(quick, { places, teamId: 101 })('quick.example', never)
    stop.abort()
    await Promise.all(refused)
  })

  it('keep their place until the next one, or the end of what is done in them', async () => {
    const { requests } = crawlPlaces(2)
    const asking = { places: requests, teamId: 1 }
    const ended = createTurns(database.db, asking, () => ({ restMs: 0, seats: 2 }))
    const written = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const work = ended(async (turn) => {
      for (const host of ['first.example', 'second.example'])
        await (await turn(host, never))({ answeredAgoMs: 0, retryAfterMs: null })
      asked.resolve()
      await written.promise
    })
    await asked.promise
    let isAdmitted = false
    const next = requests.enter(1).then(() => {
      isAdmitted = true
    })
    assert.ok(await requests.enter(2), 'one that has none gets the last place')
    requests.leave(2)
    assert.equal(isAdmitted, false, 'what was read is not written yet')
    written.resolve()
    await Promise.all([work, next])
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRateLimit, createUseCounter, refusingHereOnceUsedUp } from '../../src/store/rate-limits.ts'
import { openTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { until } from '../support/until.ts'

const NOW = Date.parse('2026-06-01T12:00:00Z')
const WINDOW_MS = 60_000
const CLEAN_EVERY_MS = 300_000
const HOUR_MS = 3_600_000

describe('a rate limit', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database?.close())

  let limits = 0

  /** A limit that nothing else counts on; `again` is the same one in another process. */
  function newLimit(limit: number) {
    const clock = { ms: NOW }
    const options = { name: `limit${++limits}`, limit, windowSeconds: 60, now: () => new Date(clock.ms) }
    const again = () => createRateLimit(database.db, createUseCounter(database.db, options.now), options)
    return { ...again(), again, clock, name: options.name }
  }

  const keysOf = async (name: string) => {
    const { rows } = await database.db.pool.query<{ key: string }>(
      'SELECT key FROM rate_limits WHERE starts_with(key, $1) ORDER BY key',
      [`${name}:`],
    )
    return rows.map(({ key }) => key.slice(name.length + 1))
  }

  it('hands out what is left in the order of the uses, also of those that come at once', async () => {
    const { take } = newLimit(3)
    const taken = await Promise.all(['a', 'b', 'a', 'a', 'a', 'b'].map(take))
    assert.deepEqual(
      taken.map(({ remaining, retryAfterSeconds }) => [remaining, retryAfterSeconds]),
      [
        [2, null],
        [2, null],
        [1, null],
        [0, null],
        [0, 60],
        [1, null],
      ],
    )
    assert.deepEqual(await take('b'), {
      limit: 3,
      remaining: 0,
      retryAfterSeconds: null,
      endsAtMs: NOW + WINDOW_MS,
    })
    assert.deepEqual(await take('b'), {
      limit: 3,
      remaining: 0,
      retryAfterSeconds: 60,
      endsAtMs: NOW + WINDOW_MS,
    })
  })

  it('that was used up is refused without a statement until its window ends', async () => {
    const { take, giveBack, clock } = newLimit(2)
    let asked = 0
    const counted = {
      giveBack,
      take(key: string | number) {
        asked++
        return take(key)
      },
    }
    const limit = refusingHereOnceUsedUp(counted, { limit: 2, now: () => new Date(clock.ms) })
    for (const expected of [null, null, 60, 60, 60]) {
      assert.equal((await limit.take('a')).retryAfterSeconds, expected)
    }
    assert.equal(asked, 3)
    assert.equal((await limit.take('b')).remaining, 1)
    clock.ms += 59_500
    assert.deepEqual(await limit.take('a'), {
      limit: 2,
      remaining: 0,
      retryAfterSeconds: 1,
      endsAtMs: NOW + WINDOW_MS,
    })
    assert.equal(asked, 4)
    clock.ms += 500
    assert.equal((await limit.take('a')).remaining, 1)
  })

  it('that was used up says the same by itself as by a statement, to the second', async () => {
    const { take, giveBack, clock } = newLimit(1)
    const limit = refusingHereOnceUsedUp({ take, giveBack }, { limit: 1, now: () => new Date(clock.ms) })
    await limit.take('a')
    clock.ms += 500
    assert.equal((await limit.take('a')).retryAfterSeconds, 60)
    clock.ms += 500
    assert.equal((await limit.take('a')).retryAfterSeconds, 59)
  })

  const moments: [afterMs: number, retryAfterSeconds: number | null][] = [
    [1, 60],
    [1_000, 59],
    [WINDOW_MS - 1_001, 2],
    [WINDOW_MS - 1_000, 1],
    [WINDOW_MS - 1, 1],
    [WINDOW_MS, null],
    [WINDOW_MS + 1, null],
  ]
  for (const [afterMs, retryAfterSeconds] of moments) {
    it(`once used up asks to wait ${retryAfterSeconds} s, ${afterMs} ms after the first use`, async () => {
      const { take, clock } = newLimit(1)
      await take('a')
      clock.ms += 500
      await take('a')
      clock.ms = NOW + afterMs
      const { remaining, retryAfterSeconds: seconds } = await take('a')
      assert.deepEqual([remaining, seconds], [0, retryAfterSeconds])
    })
  }

  it('takes back a use, and none of a window that is over', async () => {
    const { take, giveBack, clock } = newLimit(2)
    await take('a')
    await giveBack('a')
    await giveBack('a')
    await giveBack('nobody’s')
    assert.equal((await take('a')).remaining, 1)
    clock.ms += WINDOW_MS
    await giveBack('a')
    assert.equal((await take('a')).remaining, 1)
    assert.equal((await take('a')).remaining, 0)
  })

  it('starts again with all uses of a batch', async () => {
    const { take, clock } = newLimit(5)
    await Promise.all(Array.from({ length: 7 }, () => take('a')))
    clock.ms += WINDOW_MS
    const taken = await Promise.all([take('a'), take('a')])
    assert.deepEqual(
      taken.map(({ remaining }) => remaining),
      [4, 3],
    )
  })

  it('is shared by processes that count on many keys at once, and none of them waits for ever', async () => {
    const { take, again } = newLimit(1_000)
    const processes = [take, again().take, again().take, again().take]
    const keys = Array.from({ length: 40 }, (_, index) => `key ${index}`)
    const rounds = 25
    const counted = new Map<string, number[]>(keys.map((key) => [key, []]))
    await Promise.all(
      processes.map(async (takeOne, number) => {
        for (let round = 0; round < rounds; round++) {
          const inAnyOrder = number % 2 === 0 ? keys : keys.toReversed()
          await Promise.all(
            inAnyOrder.map(async (key) => counted.get(key)?.push((await takeOne(key)).remaining)),
          )
        }
      }),
    )
    const each = Array.from({ length: processes.length * rounds }, (_, index) => 999 - index)
    for (const remaining of counted.values()) {
      assert.deepEqual(
        remaining.sort((a, b) => b - a),
        each,
      )
    }
  })

  it('removes windows that are over, and never waits for one in use', async () => {
    const { take, clock, name } = newLimit(1)
    await Promise.all(['busy', 'old'].map(take))
    clock.ms += HOUR_MS
    await take('recent')
    const client = await database.db.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('SELECT FROM rate_limits WHERE key = $1 FOR UPDATE', [`${name}:busy`])
      clock.ms += CLEAN_EVERY_MS
      await take('now')
      await until('the old key is forgotten', async () => !(await keysOf(name)).includes('old'))
      assert.deepEqual(await keysOf(name), ['busy', 'now', 'recent'])
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
    clock.ms += CLEAN_EVERY_MS
    await take('now')
    await until('the busy key is forgotten', async () => !(await keysOf(name)).includes('busy'))
  })

  it('that cannot be counted fails, and counts again when it can', async () => {
    const { take } = newLimit(2)
    await assert.rejects(take('x'.repeat(300)), /too long/)
    assert.equal((await take('x')).remaining, 1)
  })
})

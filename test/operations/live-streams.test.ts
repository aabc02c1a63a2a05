import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Refusal } from '../../src/core/errors.ts'
import { eventFrame, type News } from '../../src/core/live-event.ts'
import { createLiveStreams, type Watcher } from '../../src/operations/live-streams.ts'

const NOW = new Date('2026-11-21T09:30:00Z')
const GREETING = 'retry: 2000\n\nevent: hello\ndata: {"at":"2026-11-21T09:30:00.000000Z"}\n\n'
const ALIVE = 'event: alive\ndata: {"at":"2026-11-21T09:30:00.000000Z"}\n\n'
const RESYNC = 'event: resync\ndata: {"at":"2026-11-21T09:30:00.000000Z"}\n\n'

const newsOf = (team: number, id: number): News => ({
  team_id: team,
  event: 'monitor',
  data: { id, status: 'down', is_active: true },
})

/** Streams whose permission a test takes away by adding the user to `gone`. */
function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const gone = new Set<number>()
  const asked: number[][] = []
  const troubles: unknown[] = []
  let reachable = true
  const live = createLiveStreams({
    now: () => NOW,
    stillAllowed: async (watchers: Watcher[]) => {
      if (!reachable) throw new Error('the database is away')
      asked.push(watchers.map(({ userId }) => userId))
      return watchers.map(({ userId }) => !gone.has(userId))
    },
    onTrouble: (error) => troubles.push(error),
  })
  function watch(userId: number, teamId = 1, client = `192.0.2.${teamId % 256}`) {
    const stream = { text: '', writes: 0, ended: false, buffers: [] as Uint8Array[], leave: () => {} }
    stream.leave = live.open(
      { sessionId: userId, userId, teamId, role: 'viewer', client },
      {
        write: (bytes) => {
          stream.text += Buffer.from(bytes).toString()
          stream.buffers.push(bytes)
          stream.writes++
        },
        end: () => {
          stream.ended = true
        },
      },
    )
    return stream
  }
  const tell = (news: News) => live.publish(JSON.stringify(news))
  return { live, watch, tell, gone, asked, troubles, setReachable: (is: boolean) => (reachable = is) }
}

function refusalOf(work: () => unknown): [code: string, retryAfter: string | undefined] {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return [error.code, error.headers['retry-after']]
  }
  return assert.fail('it was not refused')
}

test('news go to those who watch the team, written once for all of them, and together in one write', async (t) => {
  const { watch, tell } = open(t)
  const [a, b, elsewhere] = [watch(1), watch(2), watch(3, 2)]
  tell(newsOf(1, 5))
  tell(newsOf(1, 6))
  tell(newsOf(9, 7))
  await turn()
  assert.equal(a.text, GREETING + eventFrame(newsOf(1, 5)) + eventFrame(newsOf(1, 6)))
  assert.equal(a.writes, 2)
  assert.equal(a.buffers[1], b.buffers[1], 'one buffer for all')
  assert.equal(elsewhere.text, GREETING)
})

test('news of a newer version is left alone', async (t) => {
  const { live, watch } = open(t)
  const stream = watch(1)
  live.publish('{"team_id":1,"event":"party","data":{}}')
  live.publish('no JSON')
  await turn()
  assert.equal(stream.text, GREETING)
})

test('more than a hundred news at once are told as one, and so is that some may have been missed', async (t) => {
  const { live, watch, tell } = open(t)
  const [stream, elsewhere] = [watch(1), watch(2, 2)]
  for (let id = 0; id < 100; id++) tell(newsOf(1, id))
  await turn()
  assert.equal(stream.text.match(/event: monitor/g)?.length, 100)
  for (let id = 0; id < 101; id++) tell(newsOf(1, id))
  await turn()
  assert.ok(stream.text.endsWith(`"id":99,"status":"down","is_active":true}\n\n${RESYNC}`))
  assert.equal(elsewhere.text, GREETING)
  live.publish(null)
  assert.equal(elsewhere.text, GREETING + RESYNC)
})

test('a user has twenty streams at most, and who leaves makes room', (t) => {
  const { watch } = open(t)
  const first = Array.from({ length: 20 }, () => watch(1))
  assert.deepEqual(
    refusalOf(() => watch(1, 2)),
    ['tooManyRequests', '30'],
  )
  first[0]?.leave()
  first[0]?.leave()
  watch(1)
})

test('a team has a part of all two thousand streams, and so has a network', (t) => {
  const { live, watch } = open(t)
  let user = 1
  for (let n = 0; n < 1_500; n++) watch(n % 20 === 0 ? ++user : user, 1, `client ${n}`)
  assert.deepEqual(
    refusalOf(() => watch(999)),
    ['unavailable', '30'],
  )
  for (let n = 0; n < 300; n++) watch(10_000 + n, 10_000 + n, 'one network')
  assert.equal(live.size, 1_800)
})

test('100 accounts with 20 streams each, in teams of their own, keep no other team out', (t) => {
  const { live, watch } = open(t)
  const attacking = Array.from({ length: 100 }, (_, account) =>
    Array.from({ length: 20 }, () => {
      try {
        return watch(account, account, `client ${account}`)
      } catch {
        return null
      }
    }),
  )
  const quiet = Array.from({ length: 20 }, (_, n) => watch(5_000, 5_000 + n, 'office'))
  assert.ok(live.size <= 2_000)
  assert.deepEqual(
    quiet.map(({ ended }) => ended),
    quiet.map(() => false),
  )
  const kept = attacking.map((streams) => streams.filter((stream) => stream && !stream.ended).length)
  assert.ok(Math.min(...kept) > 0, 'each keeps some')
})

test('with a team in each place, none makes way for another one', (t) => {
  const { watch } = open(t)
  for (let n = 0; n < 2_000; n++) watch(n, n, `client ${n}`)
  assert.deepEqual(
    refusalOf(() => watch(5_000, 5_000, 'office')),
    ['unavailable', '30'],
  )
})

test('every 4 s streams give a sign of life that pages see, every minute all are looked at in one query', async (t) => {
  const { watch, gone, asked } = open(t)
  const [staying, leaving] = [watch(1), watch(2)]
  t.mock.timers.tick(56_000)
  assert.equal(staying.text, `${GREETING}${ALIVE.repeat(14)}`)
  assert.deepEqual(asked, [])
  gone.add(2)
  t.mock.timers.tick(4_000)
  await turn()
  assert.deepEqual(asked, [[1, 2]])
  assert.deepEqual([staying.ended, leaving.ended], [false, true])
  const before = leaving.writes
  t.mock.timers.tick(4_000)
  assert.equal(leaving.writes, before, 'one that has ended is not written to')
})

test('news of a session re-check the streams of that user, and none ends while the database is out of reach', async (t) => {
  const { live, watch, gone, asked, troubles, setReachable } = open(t)
  const [one, other] = [watch(1), watch(2)]
  gone.add(1).add(2)
  setReachable(false)
  await live.recheck(1)
  assert.deepEqual([one.ended, troubles.length], [false, 1])
  setReachable(true)
  await live.recheck(1)
  assert.deepEqual([one.ended, other.ended, asked], [true, false, [[1]]])
  await live.recheck(null)
  assert.deepEqual([other.ended, asked], [true, [[1], [2]]])
})

test('when the service stops all streams end, and no more are opened', (t) => {
  const { live, watch } = open(t)
  const streams = [watch(1), watch(2, 2)]
  live.close()
  assert.deepEqual(
    streams.map(({ ended }) => ended),
    [true, true],
  )
  assert.deepEqual(
    refusalOf(() => watch(3)),
    ['unavailable', '30'],
  )
})

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createConnection } from '../../dashboard/data/connection.ts'
import { ALIVE_EVERY_MS, SILENT_AFTER_MS } from '../../src/core/live-pace.ts'

const STEP_MS = 500
const [CONNECTING, OPEN, CLOSED] = [0, 1, 2]

/** A stream that says what the test has it say. */
function fakeSource() {
  const listeners = new Map<string, (message: MessageEvent) => void>()
  return {
    readyState: CONNECTING,
    isGivenUp: false,
    addEventListener(event: string, listener: (message: MessageEvent) => void) {
      listeners.set(event, listener)
    },
    close() {
      this.isGivenUp = true
      this.readyState = CLOSED
    },
    say(event: string, data: unknown = {}) {
      this.readyState = OPEN
      listeners.get(event)?.({ data: JSON.stringify(data) } as MessageEvent)
    },
    refuse() {
      this.readyState = CLOSED
      listeners.get('error')?.({} as MessageEvent)
    },
  }
}

function watch(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let nowMs = Date.parse('2026-11-22T03:12:00Z')
  t.mock.method(Date, 'now', () => nowMs)
  const sources: ReturnType<typeof fakeSource>[] = []
  const news: [string, unknown][] = []
  const lost: (string | null)[] = []
  let refusals = 0
  const connection = createConnection({
    open: () => {
      const source = fakeSource()
      sources.push(source)
      return source
    },
    events: ['hello', 'alive', 'monitor'],
    onEvent: (event, data) => news.push([event, data]),
    onRefused: () => refusals++,
    onLost: (sinceMs) => lost.push(sinceMs === null ? null : new Date(sinceMs).toISOString()),
  })
  connection.start()
  const newest = () => sources.at(-1) as ReturnType<typeof fakeSource>
  return {
    connection,
    sources,
    newest,
    news,
    lost,
    refusals: () => refusals,
    pass(ms: number) {
      for (let left = ms; left > 0; left -= STEP_MS) {
        nowMs += Math.min(left, STEP_MS)
        t.mock.timers.tick(Math.min(left, STEP_MS))
      }
    },
    /** The time of day goes on, and nothing else. */
    standStill(ms: number) {
      nowMs += ms
    },
  }
}

describe('the connection of a page', () => {
  it('lives on signs of life, and hands over what it hears', (t) => {
    const { newest, sources, news, lost, pass } = watch(t)
    newest().say('hello', { at: 'now' })
    for (let passed = 0; passed < 600_000; passed += ALIVE_EVERY_MS) {
      pass(ALIVE_EVERY_MS)
      newest().say('alive')
    }
    newest().say('monitor', { id: 5 })
    assert.deepEqual([sources.length, lost], [1, []])
    assert.deepEqual(news[0], ['hello', { at: 'now' }])
    assert.deepEqual(news.at(-1), ['monitor', { id: 5 }])
  })

  it('is lost after ten seconds of silence, since it was last heard, and tries again until it is back', (t) => {
    const { newest, sources, lost, pass } = watch(t)
    newest().say('hello')
    pass(SILENT_AFTER_MS - 1)
    assert.deepEqual([sources.length, lost], [1, []])
    pass(1_001)
    assert.deepEqual(lost, ['2026-11-22T03:12:00.000Z'])
    assert.deepEqual([sources.length, sources[0]?.isGivenUp], [2, true], 'a dead network says nothing')
    pass(60_000)
    assert.equal(lost.length, 1, 'it is said once')
    assert.ok(sources.length > 5, 'it goes on trying')
    assert.ok(
      sources.slice(0, -1).every(({ isGivenUp }) => isGivenUp),
      'one at a time',
    )
    newest().say('hello')
    assert.deepEqual(lost, ['2026-11-22T03:12:00.000Z', null])
  })

  it('asks again after it was refused, which browsers do not', (t) => {
    const { newest, sources, refusals, pass } = watch(t)
    newest().say('hello')
    newest().refuse()
    assert.equal(refusals(), 1)
    pass(5_000)
    assert.equal(sources.length, 2)
    newest().refuse()
    pass(5_000)
    assert.deepEqual([sources.length, refusals()], [3, 2])
  })

  it('says how old the screen is when the computer was asleep', (t) => {
    const { newest, sources, lost, pass, standStill } = watch(t)
    newest().say('hello')
    standStill(4 * 3_600_000)
    pass(1_000)
    assert.deepEqual([lost, sources.length], [[], 2], 'it asks at once')
    pass(1_000)
    assert.deepEqual(lost, ['2026-11-22T03:12:00.000Z'])
    newest().say('hello')
    assert.deepEqual(lost.at(-1), null)
  })

  it('is not lost where only the page stood still, and hears at once what was said meanwhile', (t) => {
    const { newest, lost, pass, standStill } = watch(t)
    newest().say('hello')
    standStill(30_000)
    pass(1_000)
    newest().say('alive')
    pass(5_000)
    assert.deepEqual(lost, [])
  })

  it('rests while no screen listens, and opens one stream when one does', (t) => {
    const { connection, newest, sources, lost, pass } = watch(t)
    newest().say('hello')
    connection.stop()
    pass(3_600_000)
    assert.deepEqual([sources.length, sources[0]?.isGivenUp, lost], [1, true, []])
    connection.start()
    connection.start()
    newest().say('hello')
    pass(1_000)
    assert.deepEqual([sources.length, lost], [2, []])
  })
})

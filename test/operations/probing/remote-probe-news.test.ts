import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { createRemoteProbeNews } from '../../../src/operations/probing/remote-probe-news.ts'

const MEMBER = 7
const OTHER = 8
const LONG_MS = 60_000
/** News are gathered this long. */
const GATHER_MS = 100

describe('news for remote probes', () => {
  let nowMs = 0
  /** The news that arrives after so long. */
  const open = () => createRemoteProbeNews(() => nowMs)
  const after = (ms: number, heard: Promise<number[] | null>) => {
    mock.timers.tick(ms)
    return heard
  }

  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('are unknown to a remote probe that has not asked for a while: anything may have changed', async () => {
    const news = open()
    assert.equal(await news.next(MEMBER, 'nyc', LONG_MS), null)
    assert.deepEqual(await after(LONG_MS, news.next(MEMBER, 'nyc', LONG_MS)), [])
    nowMs += 10_001
    assert.equal(await news.next(MEMBER, 'nyc', LONG_MS), null)
  })

  it('name what has changed since the last time, also between two questions', async () => {
    const news = open()
    await news.next(MEMBER, 'nyc', LONG_MS)
    news.changed([1, 2])
    news.changed([2, 3])
    assert.deepEqual(await news.next(MEMBER, 'nyc', LONG_MS), [1, 2, 3])
    assert.deepEqual(await after(LONG_MS, news.next(MEMBER, 'nyc', LONG_MS)), [])
  })

  it('end the wait of who asks', async () => {
    const news = open()
    await news.next(MEMBER, 'nyc', LONG_MS)
    const changed = news.next(MEMBER, 'nyc', LONG_MS)
    news.changed([1])
    news.changed([2])
    assert.deepEqual(await after(GATHER_MS, changed), [1, 2])
    const moved = news.next(MEMBER, 'nyc', LONG_MS)
    news.moved()
    assert.deepEqual(await after(GATHER_MS, moved), [])
  })

  it('reach the region that is asked to confirm a failure, and no other one', async () => {
    const news = open()
    await Promise.all([news.next(MEMBER, 'nyc', LONG_MS), news.next(OTHER, 'lon', LONG_MS)])
    const heard: string[] = []
    const asked = news.next(MEMBER, 'nyc', LONG_MS).then(() => heard.push('nyc'))
    const other = news.next(OTHER, 'lon', LONG_MS).then(() => heard.push('lon'))
    news.asked('nyc')
    mock.timers.tick(GATHER_MS)
    await asked
    assert.deepEqual(heard, ['nyc'])
    news.asked(null)
    mock.timers.tick(GATHER_MS)
    await other
  })

  it('name nothing where it is not known what has changed, or that is too much', async () => {
    const news = open()
    await news.next(MEMBER, 'nyc', LONG_MS)
    news.changed(null)
    news.changed([1])
    assert.equal(await news.next(MEMBER, 'nyc', LONG_MS), null)
    news.changed(Array.from({ length: 1_001 }, (_, id) => id))
    assert.equal(await news.next(MEMBER, 'nyc', LONG_MS), null)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  CRAWL_TURN_MS,
  FURTHER_TURN_MS,
  type RunningCrawl,
  shareCrawls,
  type WaitingCrawl,
} from '../../../../src/core/sites/crawl/crawl-turns.ts'

const NOW_MS = 1_000_000_000
/** Places, in most of these. */
const SIZE = 4
const running = (siteId: number, teamId: number, forMs: number): RunningCrawl => ({
  siteId,
  teamId,
  sinceMs: NOW_MS - forMs,
})
const waiting = (siteId: number, teamId: number, turnEndedMs: number | null = null): WaitingCrawl => ({
  siteId,
  teamId,
  turnEndedMs,
})

describe('the crawls of a process', () => {
  const full = [running(1, 1, 0), running(2, 2, 1), running(3, 3, 2), running(4, 4, 3)]
  const long = full.map((one) => ({ ...one, sinceMs: one.sinceMs - CRAWL_TURN_MS }))
  const cases: [what: string, RunningCrawl[], WaitingCrawl[], begin: number[], makeWay: number | null][] = [
    ['begin side by side', [], [waiting(1, 1), waiting(2, 2)], [1, 2], null],
    ['are few of one team', [], [1, 2, 3, 4, 5].map((id) => waiting(id, 1)), [1, 2, 3], null],
    ['begin with teams that have none', [running(1, 1, 0)], [waiting(2, 1), waiting(3, 2)], [3, 2], null],
    [
      'begin with what waited longest',
      [],
      [waiting(1, 1, 9), waiting(2, 2), waiting(3, 3, 5)],
      [2, 3, 1],
      null,
    ],
    ['are bounded', full, [waiting(5, 1), waiting(6, 2)], [], null],
    ['keep their turn for a while', full, [waiting(5, 5)], [], null],
    ['make way for a team that has none', long, [waiting(5, 5)], [], 4],
    ['make way for no further one of a team', long, [waiting(5, 1)], [], null],
    [
      'of a team with several make way sooner',
      [running(1, 1, FURTHER_TURN_MS), running(2, 1, 0), running(3, 2, 99_000), running(4, 3, 0)],
      [waiting(5, 5)],
      [],
      1,
    ],
    ['that none waits for go on', long, [], [], null],
  ]
  for (const [what, busy, due, begin, makeWay] of cases)
    test(what, () => assert.deepEqual(shareCrawls(busy, due, NOW_MS, SIZE), { begin, makeWay }))

  test('of a team with hundreds leave places to three further teams at once', () => {
    let busy: RunningCrawl[] = []
    for (const teamId of [1, 2, 3, 4]) {
      const due = Array.from({ length: 500 }, (_, index) => waiting(teamId * 1_000 + index, teamId))
      const { begin } = shareCrawls(busy, due, NOW_MS)
      busy = [...busy, ...begin.map((siteId) => running(siteId, teamId, 0))]
    }
    const counts = [1, 2, 3, 4].map((teamId) => busy.filter((one) => one.teamId === teamId).length)
    assert.deepEqual(counts, [24, 6, 1, 1])
  })

  test('of a hundred teams have each their turn, though none ever ends', () => {
    const turns = new Map<number, number>()
    let busy: RunningCrawl[] = []
    const had = new Set<number>()
    for (let nowMs = NOW_MS; had.size < 100; nowMs += FURTHER_TURN_MS) {
      assert.ok(nowMs - NOW_MS <= (100 / SIZE + 1) * SIZE * CRAWL_TURN_MS, 'some team waits for ever')
      const due = Array.from({ length: 100 }, (_, id) => waiting(id, id, turns.get(id) ?? null)).filter(
        ({ siteId }) => !busy.some((one) => one.siteId === siteId),
      )
      const { begin, makeWay } = shareCrawls(busy, due, nowMs, SIZE)
      if (makeWay !== null) turns.set(makeWay, nowMs)
      busy = busy.filter(({ siteId }) => siteId !== makeWay)
      busy.push(...begin.map((id) => ({ siteId: id, teamId: id, sinceMs: nowMs })))
      for (const id of begin) had.add(id)
    }
  })
})

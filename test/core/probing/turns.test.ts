import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { phaseMs } from '../../../src/core/probing/schedule.ts'
import {
  isShared,
  leastRegions,
  missedTickMs,
  nextTurns,
  regionAt,
  regionToAnswer,
  TURN_NOTICE_MS,
  type Turns,
  turnsOfOnly,
} from '../../../src/core/probing/turns.ts'

const RHYTHM = { intervalMs: 1_000, phase: 200 }
const START_MS = 1_700_000_000_000
const between = (before: string[], regions: string[]): Turns => ({
  number: 2,
  before,
  regions,
  effectiveAtMs: START_MS + 5_000,
})
const ticks = (turns: Turns, count: number) =>
  Array.from({ length: count }, (_, n) => regionAt(turns, RHYTHM, START_MS + 200 + n * 1_000))

describe('turns', () => {
  it('give consecutive ticks to one region after the other, and all ticks to one that is alone', () => {
    assert.deepEqual(ticks({ ...turnsOfOnly('lon'), regions: ['lon', 'nyc', 'sgp'] }, 5), [
      'lon',
      'nyc',
      'sgp',
      'lon',
      'nyc',
    ])
    assert.deepEqual(new Set(ticks(turnsOfOnly(''), 5)), new Set(['']))
  })

  it('leave each monitor so many regions at least, those that are to go not counted', () => {
    const [fewer, more] = [between(['lon', 'nyc', 'sgp'], ['lon']), between(['lon'], ['lon', 'nyc', 'sgp'])]
    assert.deepEqual([leastRegions(fewer, START_MS), leastRegions(more, START_MS)], [1, 1])
    assert.deepEqual([leastRegions(fewer, START_MS + 5_000), leastRegions(more, START_MS + 5_000)], [1, 3])
    assert.equal(leastRegions({ ...more, reserved: ['sgp'] }, START_MS + 5_000), 2)
    assert.equal(leastRegions({ ...fewer, reserved: ['lon'] }, START_MS + 5_000), 1)
  })

  it('share every interval out evenly: no region has all monitors in one and none in the next', () => {
    const regions = ['lon', 'nyc', 'sgp', 'tor']
    const turns = { ...turnsOfOnly(''), regions }
    const monitors = 10_000
    for (const intervalMs of [1_000, 60_000, 3_600_000]) {
      const shares = new Map(regions.map((region) => [region, 0]))
      for (let id = 1; id <= monitors; id++) {
        const region = regionAt(turns, { intervalMs, phase: phaseMs(id, intervalMs) }, START_MS) ?? ''
        shares.set(region, (shares.get(region) ?? 0) + 1)
      }
      for (const [region, share] of shares) {
        const percent = (share * 100) / monitors
        assert.ok(percent > 15 && percent < 35, `${region} has ${percent} % at ${intervalMs} ms`)
      }
    }
  })

  it("of a reserved region are for the monitors that it is open to, and every tick is one region's", () => {
    const turns = { ...turnsOfOnly(''), regions: ['acme', 'lon', 'nyc'], reserved: ['acme', 'gone'] }
    const regionsOf = (ownRegions: string[]) =>
      Array.from({ length: 6 }, (_, n) =>
        regionAt(turns, { ...RHYTHM, ownRegions }, START_MS + 200 + n * 1_000),
      )
    assert.deepEqual(regionsOf(['acme']).slice(0, 3).toSorted(), ['acme', 'lon', 'nyc'])
    assert.deepEqual(regionsOf(['acme']).slice(3), regionsOf(['acme']).slice(0, 3))
    for (const own of [[], ['gone']]) {
      assert.deepEqual(regionsOf(own).slice(0, 2).toSorted(), ['lon', 'nyc'])
      assert.deepEqual(regionsOf(own).slice(2, 4), regionsOf(own).slice(0, 2))
    }
    assert.deepEqual(ticks({ ...turns, regions: ['acme'] }, 2), [null, null], 'nobody is there for others')
  })

  it('change at one moment for every tick, whoever asks', () => {
    assert.deepEqual(ticks(between(['lon'], ['lon', 'nyc']), 9), [
      'lon',
      'lon',
      'lon',
      'lon',
      'lon',
      'nyc',
      'lon',
      'nyc',
      'lon',
    ])
    assert.deepEqual(ticks(between(['lon', 'nyc'], ['nyc']), 7), [
      'lon',
      'nyc',
      'lon',
      'nyc',
      'lon',
      'nyc',
      'nyc',
    ])
  })

  it('belong to a monitor alone: others with another phase are elsewhere at the time', () => {
    const turns = { ...turnsOfOnly(''), regions: ['lon', 'nyc'] }
    const regions = [0, 500].map((phase) => regionAt(turns, { intervalMs: 1_000, phase }, START_MS + 400))
    assert.deepEqual(new Set(regions), new Set(['lon', 'nyc']))
  })

  it('last from one tick to the next', () => {
    const turns = { ...turnsOfOnly(''), regions: ['lon', 'nyc'] }
    const at = (ms: number) => regionAt(turns, RHYTHM, START_MS + ms)
    assert.deepEqual([at(200), at(1_199), at(1_200), at(199)], ['lon', 'lon', 'nyc', 'nyc'])
  })

  it('let the region answer whose turn it was when something was asked for, or is since others take turns', () => {
    const turns = between(['lon'], ['nyc', 'sgp'])
    const answers = (askedMs: number, nowMs: number) =>
      regionToAnswer(turns, RHYTHM, START_MS + askedMs, START_MS + nowMs)
    assert.equal(answers(1_000, 1_100), 'lon')
    assert.equal(answers(1_000, 6_000), regionAt(turns, RHYTHM, START_MS + 5_000))
    assert.equal(answers(6_300, 6_310), regionAt(turns, RHYTHM, START_MS + 6_300))
  })

  it('tell the newest tick that fell while nobody had a monitor', () => {
    const turns = { ...turnsOfOnly(''), regions: ['lon', 'nyc'] }
    const missed = (region: string, sinceMs: number, nowMs: number) => {
      const tick = missedTickMs(turns, region, RHYTHM, START_MS + sinceMs, START_MS + nowMs)
      return tick === null ? null : tick - START_MS
    }
    assert.deepEqual(
      [
        missed('lon', 0, 1_100),
        missed('nyc', 0, 1_100),
        missed('nyc', 0, 1_300),
        missed('lon', 199, 250),
        missed('lon', 200, 250),
      ],
      [200, null, 1_200, 200, null],
    )
    assert.equal(missed('sgp', 0, 9_000), null)
    assert.equal(missed('lon', -3_600_000, 9_000), 8_200)
  })

  it('are shared from the moment that another region is known to come', () => {
    assert.deepEqual(
      [
        isShared(turnsOfOnly('lon'), 'lon'),
        isShared(between(['lon'], ['lon', 'nyc']), 'lon'),
        isShared(between(['lon', 'nyc'], ['lon']), 'lon'),
      ],
      [false, true, true],
    )
  })
})

describe('a change of turns', () => {
  const known = { ...between(['lon'], ['lon', 'nyc']), effectiveAtMs: START_MS }

  it('is announced before it counts', () => {
    assert.deepEqual(nextTurns(known, ['sgp', 'nyc', 'lon'], START_MS + 1), {
      number: 3,
      before: ['lon', 'nyc'],
      regions: ['lon', 'nyc', 'sgp'],
      effectiveAtMs: START_MS + 1 + TURN_NOTICE_MS,
    })
  })

  for (const [what, living, nowMs] of [
    ['not for the regions that are known', ['nyc', 'lon'], 1],
    ['not before the last change counts', ['lon'], -1],
    ['not to nobody', [], 1],
  ] as [string, string[], number][]) {
    it(`is made ${what}`, () => assert.equal(nextTurns(known, living, START_MS + nowMs), null))
  }

  it('counts at once where nobody goes by the old ones', () => {
    assert.equal(nextTurns(known, ['sgp'], START_MS + 9)?.effectiveAtMs, START_MS + 9)
    assert.deepEqual(nextTurns(null, [''], START_MS), {
      number: 1,
      before: [''],
      regions: [''],
      effectiveAtMs: START_MS,
    })
  })
})
